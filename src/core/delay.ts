import { onAbort } from './on-abort.ts';

/** Waits `delayMs` milliseconds. Resolves as soon as `signal` aborts. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return delay(delayMs, signal).catch(() => {});
}

/**
 * Waits `delayMs` milliseconds. Rejects with the signal's reason as soon as `signal` aborts.
 *
 * The timer keeps the process alive, because a caller is waiting. Background work uses a `Clock` instead.
 */
export function delay(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let unlink = (): void => {};
    const timer = setTimeout(() => {
      unlink();
      resolve();
    }, delayMs);
    if (signal === undefined) return;
    unlink = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
