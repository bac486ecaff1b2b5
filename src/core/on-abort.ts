import { EventEmitter } from 'node:events';
import { tryOr } from './try-or.ts';

/**
 * Calls `listener` when the signal aborts, immediately if it has. Listeners of many concurrent calls are not a leak: they
 * don't count towards the number at which Node warns.
 *
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  let isAdded = true;
  allowListeners(signal, 1);
  signal.addEventListener('abort', listener, { once: true });
  return () => {
    if (!isAdded) return;
    isAdded = false;
    signal.removeEventListener('abort', listener);
    allowListeners(signal, -1);
  };
}

/** Changes the number of listeners at which Node warns of a leak. */
export function allowListeners(target: object, change: number): void {
  // Fails for targets that are not Node's own, such as those of jsdom, which have no limit.
  tryOr(undefined, () => {
    const limit = EventEmitter.getMaxListeners(target as EventTarget);
    if (limit > 0) EventEmitter.setMaxListeners(limit + change, target as EventTarget);
  });
}
