/**
 * Calls a function of the program, which must do no harm here: neither when it throws, nor when it is asynchronous and
 * what it returns rejects later, which would end the process.
 *
 * @param onFailure told what it threw. Must not throw.
 */
export function callHook(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = call();
    if (isThenable(result)) result.then(undefined, onFailure);
  } catch (error) {
    onFailure(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
