// Shapes that can be drawn and measured.
unit Drawing.Shapes;

{$mode objfpc}{$H+}

interface

uses
  SysUtils, Generics.Collections;

const
  // The smallest side that is drawn.
  MinSide = 2;
  Red = 1;
  Green = 2;
  Blue = 3;
  Black = 4;

resourcestring
  SNegative = 'A side is negative';

type
  TColor = (clRed, clGreen);
  TColors = set of TColor;
  TSides = array[0..3] of Integer;
  TNotify = reference to procedure(Sender: TObject);
  PPoint = ^TPoint;

  { A place on the canvas. }
  TPoint = record
    X, Y: Integer;
  end;

  TShape = class;
  IMeasured = interface(IInterface)
    ['{7D2D2E5C-0000-4000-8000-000000000001}']
    function Area: Double;
  end;

  EShape = class(Exception);

  // What all shapes have in common.
  [Persistent]
  TShape = class(TInterfacedObject, IMeasured)
  private
    FOrigin: TPoint;
    function GetOrigin: TPoint;
  public
    constructor Create(const AOrigin: TPoint);
    function Area: Double; virtual; abstract;
    property Origin: TPoint read GetOrigin;
  end;

  generic TGroup<T> = class
  private
    FItems: specialize TList<T>;
  public
    procedure Add(Item: T);
  end;

  TPointHelper = record helper for TPoint
    function Moved(By: Integer): TPoint;
  end;

var
  Canvas, Shadow: TShape;

{ Sums the areas of shapes. }
function TotalArea(const Shapes: array of TShape): Double;

function Beep(Tone: Cardinal): LongBool; stdcall; external 'kernel32';

implementation

uses
  Math;

// Where the shape begins.
function TShape.GetOrigin: TPoint;
begin
  Result := FOrigin;
end;

constructor TShape.Create(const AOrigin: TPoint);
begin
  inherited Create;
  FOrigin := AOrigin;
  Register(Self);
end;

procedure TGroup.Add(Item: T);
begin
  FItems.Add(Item);
  Canvas.Refresh;
end;

function TotalArea(
  const Shapes: array of TShape): Double;
var
  Shape: TShape;

  procedure Check(Value: Double);
  begin
    if Value < 0 then
      raise EShape.Create(SNegative);
  end;

begin
  Result := 0;
  for Shape in Shapes do
  begin
    Check(Shape.Area);
    Result := Result + Shape.Area;
  end;
end;

initialization
  Randomize;
end.
