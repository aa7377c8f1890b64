program Draw;

uses
  Drawing.Shapes in 'Shapes.pas';

const Title = 'Draw';

var
  Window: TForm;

// Opens the window.
procedure Run;
begin
  Window := TForm.Create(nil);
  Window.ShowModal;
end;

begin
  Run;
  if then
end.
