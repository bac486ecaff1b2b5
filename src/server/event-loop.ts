/** Maximum time that one request computes before others continue. */
export const SLICE_MS = 5;

let turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Sets how a turn of the event loop ends, if the runtime has something faster than a timer. */
export function useTurns(wait: () => Promise<void>): void {
  turn = wait;
}

/** Lets waiting requests run. */
export function nextTurn(): Promise<void> {
  return turn();
}

const waitingQueries: (() => void)[] = [];
let isServing = false;

/**
 * Lets waiting requests and other queries run. Only one query runs per turn of the event loop, so requests wait for a
 * single slice, however many queries there are.
 */
export function nextQueryTurn(): Promise<void> {
  return new Promise((resolve) => {
    waitingQueries.push(resolve);
    if (!isServing) void serveQueries();
  });
}

async function serveQueries(): Promise<void> {
  isServing = true;
  while (waitingQueries.length > 0) {
    await turn();
    waitingQueries.shift()?.();
  }
  isServing = false;
}

/** Runs a generator in time slices and returns its result. */
export async function runInSlices<Result>(
  work: Iterator<void, Result>,
  turn: () => Promise<void> = nextTurn,
): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    if (performance.now() - start < SLICE_MS) continue;
    await turn();
    start = performance.now();
  }
}

/** Runs the slices of a query. @returns `undefined` if it was stopped */
export async function runSlices<Result>(
  slices: Iterator<unknown, Result>,
  isStopped: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
    await nextQueryTurn();
    if (isStopped()) return undefined;
  }
}
