import type { Clock } from "./clock";
import Queue, { Entry as Item } from "./queue";
import legacy = require("./legacy");

export * from "./errors";

/** What can be stored. */
export type Value = string | number | Item[];

type Key<T> = keyof T & string;

const enum Mode {
  Read,
  Write,
}

// Where values are kept.
export interface Store<T extends Entity = Row> extends Reader<T>, Closing {
  readonly name: string;
  get(key: Key<T>): Promise<T | undefined>;
}

export const defaults = { mode: Mode.Read } satisfies Options;
let opened: number;

export abstract class Base<T> {
  abstract load(key: string): Promise<T>;

  protected log(text: string): void {
    console.log(text);
  }
}

/** Keeps everything in memory. */
@Injectable({ scope: "app" })
export class MemoryStore<T extends Entity> extends Base<T> implements Store<T>, Closing {
  private readonly rows = new Map<string, T>();

  constructor(@Inject(CLOCK) private clock: Clock) {
    super();
  }

  find(key: string): T;
  find(key: number): T;
  // Looks by key or by position.
  @Traced()
  find(key: string | number): T {
    return this.rows.get(String(key)) as T;
  }

  static async *all<R>(store: MemoryStore<R>): AsyncGenerator<R> {
    yield* store.rows.values();
  }

  close = (): void => {
    this.rows.clear();
  };
}

export function isItem(value: unknown): value is Item {
  return typeof value === "object";
}

export const size = <T>(store: Store<T>): number => store.count;

const open = (path: string): Base<typeof defaults> => {
  return new Files.Opened(path);
};

namespace Files {
  export const root = "/var/store";
  type Mark = number;
  const suffixes = [".row"];

  export function remove(path: string): void {
    unlink(path);
  }
}

test("keeps what it is given", async () => {
  expect(size(open("/tmp"))).toBe(0);
});
