/** Returns the program `core/http/node/request-worker.ts`. The build inserts it as a string, as for `workerProgram`. */
export function requestProgram(): string {
  throw new Error('this package is not built');
}
