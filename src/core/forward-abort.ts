import { onAbort } from './on-abort.ts';

/**
 * Aborts `controller` when `signal` aborts, with the same reason.
 *
 * Unlike `AbortSignal.any`, it can be disconnected from a long-lived signal.
 *
 * @returns a function that disconnects the two.
 */
export function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  return signal === undefined ? () => {} : onAbort(signal, () => controller.abort(signal.reason));
}
