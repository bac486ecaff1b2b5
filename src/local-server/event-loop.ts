import { setImmediate as immediate } from 'node:timers/promises';

/** Lets everything else run that is waiting: other requests, other queries. */
export function nextTurn(): Promise<void> {
  return immediate();
}
