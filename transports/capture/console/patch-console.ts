// biome-ignore-all lint/suspicious/noConsole: this module patches it.

const CAPTURES = Symbol.for('logclient.console-captures.2');

/** `console.table`, `group`, `count` and `timeEnd` print with `log`, and `assert` with `warn`. */
const METHODS = ['debug', 'dir', 'dirxml', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Levels of methods that are not named after one. */
const LEVELS: Readonly<Record<string, string>> = { dir: 'info', dirxml: 'info', log: 'info' };

export interface ConsoleCall {
  readonly level: string;
  readonly args: readonly unknown[];
  /** The called method; the stack of a `trace` starts at its caller. */
  readonly method: () => void;
}

/** `globalThis` of this thread, which all copies of this package share. */
const shared = globalThis as { [CAPTURES]?: Map<object, boolean> };

/** Console methods only print, because a console method, a hook or a logger is running. */
let isMuted = false;

/**
 * Calls `onCall` with what the program prints with `console`, and `onCrash` with uncaught exceptions and unhandled
 * rejections. Loads nothing, so that programs that print nothing start fast.
 *
 * @returns a function that restores the console. If another library has patched a method later, that patch stays, and
 * ours below it only prints.
 */
export function patchConsole(
  onCall: (call: ConsoleCall) => void,
  onCrash: (error: unknown, origin: string) => void,
): () => void {
  const restorers = METHODS.map((method) => patchMethod(method, onCall));
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => {
    for (const restore of restorers) restore();
    process.off('uncaughtExceptionMonitor', onCrash);
  };
}

/** Each result of `captureConsole` in any copy of this package, and whether it still captures or only delivers the rest. */
export function consoleCaptures(): Map<object, boolean> {
  shared[CAPTURES] ??= new Map();
  return shared[CAPTURES];
}

/** Whether the program uses `captureConsole`, which also records crashes. */
export function isConsoleCaptured(): boolean {
  return [...consoleCaptures().values()].includes(true);
}

/** Whether no other function has replaced a captured method since. */
export function isConsoleIntact(): boolean {
  return isConsoleCaptured() && METHODS.every((name) => Object(console[name])[CAPTURES] === console[name]);
}

/** Calls a function whose console output is not captured. */
export function muted<T>(call: () => T): T {
  const before = isMuted;
  isMuted = true;
  try {
    return call();
  } finally {
    isMuted = before;
  }
}

function patchMethod(method: (typeof METHODS)[number], onCall: (call: ConsoleCall) => void): () => void {
  const original: typeof console.log = console[method];
  const level = LEVELS[method] ?? method;
  let isActive = true;
  const patch: typeof console.log = (...args) => {
    const shown = method === 'dir' ? args.slice(0, 1) : args;
    if (isActive && !isMuted) muted(() => onCall({ level, args: shown, method: patch }));
    muted(() => original.apply(console, args));
  };
  console[method] = Object.assign(patch, { [CAPTURES]: patch });
  return () => {
    isActive = false;
    if (console[method] === patch) console[method] = original;
  };
}
