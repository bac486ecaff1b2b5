import { setImmediate as immediate } from 'node:timers/promises';

/** How long one request computes before others get their turn. */
export const SLICE_MS = 5;

/** Lets everything else run that is waiting: other requests, other queries. */
export function nextTurn(): Promise<void> {
  return immediate();
}

/** Does work that comes in small pieces, a slice of time after the other, and gives its result. */
export async function runInSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    if (performance.now() - start < SLICE_MS) continue;
    await nextTurn();
    start = performance.now();
  }
}

/** Runs a slice of time after the other. @returns `undefined` if it was stopped in between */
export async function runSlices<Result>(
  slices: Iterator<unknown, Result>,
  isStopped: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
    await nextTurn();
    if (isStopped()) return undefined;
  }
}
