import { forwardRef, useCallback, type ReactNode } from "react";

interface PanelProps {
  title: string;
  children?: ReactNode;
}

const divider = <hr className="divider" />;

/** A box that can be closed. */
export const Panel = forwardRef<HTMLDivElement, PanelProps>((props, ref) => {
  return (
    <div ref={ref}>
      <Heading.Large>{props.title}</Heading.Large>
      {props.children}
    </div>
  );
});

// Long enough to be split: each handler is a piece of its own.
export function Settings({ user, save }: { user: User; save: Save }): JSX.Element {
  const [name, setName] = useState<string>(user.name);
  const [mail, setMail] = useState<string>(user.mail);
  const [saved, setSaved] = useState(false);

  const submit = useCallback(async () => {
    setSaved(false);
    await save({ name, mail });
    setSaved(true);
  }, [name, mail]);

  function reset() {
    setName(user.name);
    setMail(user.mail);
  }

  const changed = () => name !== user.name;

  useEffect(() => {
    if (!saved) {
      return;
    }
    const timer = setTimeout(() => setSaved(false), 1000);
    return () => clearTimeout(timer);
  }, [saved]);

  return (
    <Panel title="Settings">
      <form onSubmit={submit}>
        <label>
          Name
          <Input
            value={name}
            onChange={(event) => {
              setName(event.target.value);
            }}
          />
        </label>
        <label>
          Mail
          <Input
            value={mail}
            onChange={(event) => {
              setMail(event.target.value);
            }}
          />
        </label>
        {divider}
        <Button type="submit" disabled={!changed()}>
          Save
        </Button>
        <Button type="button" onClick={reset}>
          Reset
        </Button>
        <Button
          type="button"
          onClick={() => {
            reset();
            submit();
          }}
        >
          Start over
        </Button>
        {saved && <Note text="Saved." />}
      </form>
    </Panel>
  );
}
