// Types of a library without its own.
declare module "old-timer" {
  export function start(name: string): Timer;
  export const version: string;

  export class Timer {
    stop(): number;
  }
}

declare global {
  interface Window {
    timer: Timer;
  }
}

/** Set by the build. */
declare const BUILD: string;
export declare function measure<T>(action: () => T): T;
declare enum Unit {
  Second,
}
export as namespace oldTimer;
