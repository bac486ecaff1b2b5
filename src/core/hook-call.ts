import { isThenable } from './builtin-types.ts';

/**
 * Calls a hook of the program. Catches what it throws, and also a later rejection, which would end the process.
 *
 * @param onFailure receives the error. Must not throw.
 */
export function callHook(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = call();
    if (isThenable(result)) result.then(undefined, onFailure);
  } catch (error) {
    onFailure(error);
  }
}
