/** Reports a process warning of this type; in browsers, on the console. */
export function emitWarning(message: string, type: string): void {
  const { process, console } = globalThis as {
    readonly process?: { emitWarning?(message: string, type: string): void };
    readonly console: { warn(message: string): void };
  };
  if (process?.emitWarning === undefined) console.warn(`${type}: ${message}`);
  else process.emitWarning(message, type);
}
