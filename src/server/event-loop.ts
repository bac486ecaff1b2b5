/** Maximum time that one request computes before others continue. */
export const SLICE_MS = 5;

let turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Sets how a turn of the event loop ends, if the runtime has something faster than a timer. */
export function useRuntime(wait: () => Promise<void>): void {
  turn = wait;
}

/** Lets waiting requests run. */
export function nextTurn(): Promise<void> {
  return turn();
}

const waitingQueries: { readonly spentMs: number; readonly resume: () => void }[] = [];
let isServing = false;
/** Every such turn is for the query that has waited longest, so that light queries never stop heavy ones. */
const FAIR_TURNS = 4;

/**
 * Lets waiting requests and other queries run. Only one query runs per turn of the event loop, so requests wait for a
 * single slice, however many queries there are.
 *
 * @param spentMs queries with less run before those with more
 */
export function nextQueryTurn(spentMs = 0): Promise<void> {
  return new Promise((resume) => {
    waitingQueries.push({ spentMs, resume });
    if (!isServing) void serveQueries();
  });
}

/** Whether a query waits for its turn. Then a new one waits, too, so that many don't start in one turn of the event loop. */
export function hasWaitingQuery(): boolean {
  return waitingQueries.length > 0;
}

async function serveQueries(): Promise<void> {
  isServing = true;
  for (let turns = 1; waitingQueries.length > 0; turns++) {
    await turn();
    const least = Math.min(...waitingQueries.map(({ spentMs }) => spentMs));
    const isFair = turns % FAIR_TURNS === 0;
    const place = waitingQueries.findIndex(({ spentMs }) => isFair || spentMs === least);
    waitingQueries.splice(place, 1)[0]?.resume();
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
