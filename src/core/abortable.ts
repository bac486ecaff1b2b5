import { onAbort } from './on-abort.ts';

/**
 * The outcome of `promise`, or a rejection with the signal's reason as soon as it aborts.
 *
 * For promises that may ignore the signal; the work behind the promise continues.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unlink = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(unlink);
  });
}
