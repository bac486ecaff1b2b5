import * as timers from 'node:timers';
import { MAX_TIMER_MS } from './timer-limit.ts';

// Read before a test can replace them with fake timers.
const { setTimeout: startTimer, clearTimeout: stopTimer } = timers;

/**
 * Keeps the process alive until `promise` settles, but for no longer than `maxMs`: background timers, connections and the
 * servers of tests don't keep it alive.
 */
export async function keepAlive<T>(promise: Promise<T>, maxMs = MAX_TIMER_MS): Promise<T> {
  const hold = startTimer(() => {}, maxMs);
  try {
    return await promise;
  } finally {
    stopTimer(hold);
  }
}
