import { getHeapStatistics } from 'node:v8';
import {
  type EventSource,
  type EventTable,
  endEvent,
  type Plan,
  type RunContext,
  startEvent,
  type TakeEvent,
} from '../../query-engine/index.ts';
import { runSlices, SLICE_MS } from '../event-loop.ts';
import type { EventRange } from '../store/event-store.ts';
import { HeapFullError, type QueryLimits, QueryTimeoutError } from './query-limits.ts';

/** How much of the memory that the process may have is in use when queries end. */
const MAX_HEAP_SHARE = 0.9;

/** How many events are handed over between two looks at the clock, at most. */
const MAX_EVENTS_PER_STEP = 256;
/** A step that takes longer is followed by a shorter one. */
const STEP_MS = 0.25;

export interface TableReader {
  /** What takes the events of a table; `undefined` when nothing needs to look at them. */
  from(events: EventTable): TakeEvent | undefined;
}

/**
 * Hands events over until a slice of time is used up, then yields how many it has handed over so far; the caller
 * goes on when it likes. Only time that is spent in here counts.
 *
 * @throws QueryTimeoutError when that is more than `timeoutMs`.
 */
export function* querySlices(
  ranges: readonly EventRange[],
  reader: TableReader,
  limits: QueryLimits,
): Generator<number, number> {
  const handover = new TableScan(ranges, reader);
  for (const _ of slicesOf(() => handover.step(), limits)) yield handover.done;
  return handover.done;
}

/** Hands events over bit by bit. */
export function* scanTables(ranges: readonly EventRange[], reader: TableReader): Generator<void> {
  const scan = new TableScan(ranges, reader);
  while (scan.step()) yield;
}

/** Hands events over in steps of about the same time: to look at the clock takes as long as many events do. */
class TableScan {
  readonly #ranges: readonly EventRange[];
  readonly #reader: TableReader;
  #range = 0;
  #place: number;
  #take: TakeEvent | undefined;
  #isOpen = false;
  #eventsPerStep = 1;
  #done = 0;

  constructor(ranges: readonly EventRange[], reader: TableReader) {
    this.#ranges = ranges;
    this.#reader = reader;
    this.#place = ranges[0]?.start ?? 0;
  }

  get done(): number {
    return this.#done;
  }

  /** @returns whether there are more. */
  step(): boolean {
    const range = this.#ranges[this.#range];
    if (range === undefined) return false;
    const { events, end } = range;
    if (!this.#isOpen) {
      this.#take = this.#reader.from(events);
      this.#isOpen = true;
    }
    if (this.#take === undefined) this.#skipTo(end);
    else this.#handOver(this.#take, Math.min(end, this.#place + this.#eventsPerStep));
    if (this.#place >= end) this.#next();
    return true;
  }

  #handOver(take: TakeEvent, end: number): void {
    const start = performance.now();
    let place = this.#place;
    let isLong = false;
    try {
      while (place < end && !isLong) {
        startEvent();
        take(place++);
        isLong = endEvent();
      }
    } finally {
      endEvent();
    }
    this.#skipTo(place);
    const isFast = !isLong && performance.now() - start < STEP_MS;
    this.#eventsPerStep = isFast ? Math.min(MAX_EVENTS_PER_STEP, this.#eventsPerStep * 2) : 1;
  }

  #skipTo(end: number): void {
    this.#done += end - this.#place;
    this.#place = end;
  }

  #next(): void {
    this.#range++;
    this.#place = this.#ranges[this.#range]?.start ?? 0;
    this.#isOpen = false;
  }
}

/**
 * Goes on with work that comes in small pieces until a slice of time is used up, then yields.
 *
 * @returns what the work returns.
 * @throws QueryTimeoutError as {@link querySlices} does.
 */
export function* workSlices<Result>(
  work: Iterator<void, Result>,
  limits: QueryLimits,
): Generator<void, Result> {
  let result: Result | undefined;
  const advance = (): boolean => {
    startEvent();
    try {
      const next = work.next();
      if (next.done === true) result = next.value;
      return next.done !== true;
    } finally {
      endEvent();
    }
  };
  yield* slicesOf(advance, limits);
  return result as Result;
}

export interface PreparationOptions {
  readonly plan: Plan;
  readonly context: RunContext;
  readonly source: EventSource;
  readonly limits: QueryLimits;
  /** Whether no caller is waiting for the result anymore. */
  readonly isStopped: () => boolean;
}

/**
 * Runs the subqueries of a query.
 *
 * @returns the context to open the run with; `undefined` if it was stopped
 * @throws QueryTimeoutError as {@link querySlices} does
 */
export function preparedContext(options: PreparationOptions): Promise<RunContext | undefined> {
  const { plan, context, source, limits, isStopped } = options;
  return runSlices(workSlices(plan.prepare(context, source), limits), isStopped);
}

/** `advance` does a small piece of the work, and says whether there may be more. */
function* slicesOf(advance: () => boolean, limits: QueryLimits): Generator<void> {
  const { spent = { ms: 0 }, timeoutMs } = limits;
  const slice = (): boolean => {
    const start = performance.now();
    try {
      while (advance()) if (performance.now() - start >= SLICE_MS) return true;
      return false;
    } finally {
      spent.ms += performance.now() - start;
    }
  };
  while (slice()) {
    if (spent.ms > timeoutMs) throw new QueryTimeoutError(timeoutMs);
    if (isHeapFull()) throw new HeapFullError();
    yield;
  }
}

/** The last resort, for what no function accounts for. */
function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > MAX_HEAP_SHARE * limit;
}
