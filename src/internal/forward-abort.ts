/**
 * Aborts `controller` when `signal` aborts, with the same reason.
 *
 * Unlike `AbortSignal.any`, it can be disconnected from a long-lived signal.
 *
 * @returns a function that disconnects the two.
 */
export function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => {};
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
