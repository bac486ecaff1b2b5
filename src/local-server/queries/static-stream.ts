import type { RunContext } from '../../query-engine/index.ts';
import { nextTurn } from '../event-loop.ts';
import type { EventReader } from '../search-domain.ts';
import type { EventRange } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { arrivedWithin, eventsWithin } from './arrival.ts';
import type { QueryLimits } from './query-limits.ts';
import type { QueryRequest, QueryWindow } from './query-request.ts';
import { querySlices, workSlices } from './query-slices.ts';
import type { RowFormat } from './row-format.ts';
import { RowWriter } from './row-writer.ts';
import { isWorthRetry } from './standstills.ts';

export interface StaticStreamOptions {
  readonly request: QueryRequest;
  readonly store: EventReader;
  readonly format: RowFormat;
  /** What the run begins with. */
  readonly context: RunContext;
  /** Which events the query reads. */
  readonly window: QueryWindow;
  readonly limits: QueryLimits;
  /** How many rows the result of an aggregate may have; there is no place for a warning. */
  readonly maxRows: number;
  readonly signal: AbortSignal;
}

/** The events of a filter query, oldest first, as text; made as fast as somebody reads, and never all at once. */
export async function* streamMatches(options: StaticStreamOptions): AsyncGenerator<string> {
  const { format, context, store, window } = options;
  const writer = new RowWriter(format, context.limits?.maxBytes);
  const ranges = eventsWithin(store, window);
  for (let retries = 0; ; retries++) {
    try {
      yield* writtenMatches(options, ranges, writer);
      return;
    } catch (error) {
      if (!isWorthRetry(error, retries)) throw error;
      // The same events in the same order give the same rows.
      writer.beginAgain();
    }
  }
}

async function* writtenMatches(
  { request, context, window, limits, signal }: StaticStreamOptions,
  ranges: readonly EventRange[],
  writer: RowWriter,
): AsyncGenerator<string> {
  const { plan } = request;
  const stream = plan.openStream(context, (row) => writer.write(row));
  const reader = arrivedWithin({ reads: plan.reads, open: (events) => stream.from(events) }, window.arrival);
  for (const _ of querySlices(ranges, reader, limits)) {
    const text = writer.take();
    if (text !== '') yield text;
    await nextTurn();
    // The reader must not take what it has got for everything.
    signal.throwIfAborted();
  }
  writer.end();
  const text = writer.take();
  if (text !== '') yield text;
}

/**
 * The rows of an aggregate query, when all events have been looked at; `undefined` when the signal came first.
 *
 * @throws QueryTimeoutError when that takes too long.
 */
export async function aggregateRows(
  options: StaticStreamOptions,
): Promise<readonly StoredEvent[] | undefined> {
  const { request, store, context, window, limits, maxRows, signal } = options;
  const { plan } = request;
  const run = plan.open(context);
  const reader = arrivedWithin({ reads: plan.reads, open: (events) => run.from(events) }, window.arrival);
  const ranges = plan.readsEvents ? eventsWithin(store, window) : [];
  for (const _ of querySlices(ranges, reader, limits)) {
    await nextTurn();
    if (signal.aborted) return undefined;
  }
  const slices = workSlices(run.slicedRows(), limits);
  for (let next = slices.next(); ; next = slices.next()) {
    if (next.done === true) return next.value.slice(0, maxRows);
    await nextTurn();
    if (signal.aborted) return undefined;
  }
}
