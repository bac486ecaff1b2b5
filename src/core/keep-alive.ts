import { startRealTimer, stopRealTimer } from './real-timers.ts';
import { MAX_TIMER_MS } from './timer-limit.ts';

/**
 * Keeps the process alive until `promise` settles, but for no longer than `maxMs`: background timers, connections and the
 * servers of tests don't keep it alive.
 */
export async function keepAlive<T>(promise: Promise<T>, maxMs = MAX_TIMER_MS): Promise<T> {
  const hold = startRealTimer(() => {}, maxMs);
  try {
    return await promise;
  } finally {
    stopRealTimer(hold);
  }
}
