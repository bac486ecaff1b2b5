import { setImmediate as immediate } from 'node:timers/promises';

/** Maximum time that one request computes before others continue. */
export const SLICE_MS = 5;

/** Lets waiting requests and queries run. */
export function nextTurn(): Promise<void> {
  return immediate();
}

/** Runs a generator in time slices and returns its result. */
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

/** Runs a generator in time slices. @returns `undefined` if it was stopped */
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
