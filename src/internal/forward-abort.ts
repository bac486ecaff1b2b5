/**
 * Aborts `controller` when `signal` aborts, with the same reason.
 *
 * `AbortSignal.any` would do, but keeps its result reachable from a long-lived signal for as long as that lives.
 *
 * @returns a function that ends the connection between the two.
 */
export function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => {};
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
