interface Listeners {
  readonly calls: Set<() => void>;
  readonly callAll: () => void;
}

/** Each signal has one listener, which calls all others: Node warns if it has many. */
const listenersBySignal = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when the signal aborts, immediately if it has. Listeners of many concurrent calls cause no warning.
 *
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const { calls, callAll } = listenersBySignal.get(signal) ?? listenTo(signal);
  const call = (): void => listener();
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    listenersBySignal.delete(signal);
    signal.removeEventListener('abort', callAll);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const calls = new Set<() => void>();
  const callAll = (): void => {
    listenersBySignal.delete(signal);
    for (const call of calls) call();
  };
  signal.addEventListener('abort', callAll, { once: true });
  const listeners = { calls, callAll };
  listenersBySignal.set(signal, listeners);
  return listeners;
}
