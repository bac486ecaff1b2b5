/**
 * Returns the program of the worker thread, `transports/worker/main.ts`. The build inserts it as a string, so that every
 * bundle contains it.
 */
export function workerProgram(): string {
  throw new Error('this package is not built');
}
