import { startRealTimer, stopRealTimer } from './real-timers.ts';
import { MAX_TIMER_MS } from './timer-limit.ts';

/** Keeps the process alive until `promise` settles: background timers, connections and the servers of tests don't. */
export async function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const hold = startRealTimer(() => {}, MAX_TIMER_MS);
  try {
    return await promise;
  } finally {
    stopRealTimer(hold);
  }
}
