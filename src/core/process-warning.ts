/** Keys of {@link emitWarningOnce}. After too many, they are reported again. */
const reported = new Set<string>();
const MAX_REPORTED = 1_000;

/** {@link emitWarning}, unless a warning with this key was reported. */
export function emitWarningOnce(key: string, message: string, type: string): void {
  if (reported.has(key)) return;
  if (reported.size >= MAX_REPORTED) reported.clear();
  reported.add(key);
  emitWarning(message, type);
}

/** Reports a process warning of this type; in browsers, on the console. */
export function emitWarning(message: string, type: string): void {
  const { process, console } = globalThis as {
    readonly process?: { emitWarning?(message: string, type: string): void };
    readonly console: { warn(message: string): void };
  };
  if (process?.emitWarning === undefined) console.warn(`${type}: ${message}`);
  else process.emitWarning(message, type);
}
