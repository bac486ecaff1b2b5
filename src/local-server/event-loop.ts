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

/** Collects what is made one by one, a slice of time after the other, so that much of it keeps nobody waiting. */
export async function collectInSlices<Item>(items: Iterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  let start = performance.now();
  for (const item of items) {
    collected.push(item);
    if (performance.now() - start < SLICE_MS) continue;
    await nextTurn();
    start = performance.now();
  }
  return collected;
}
