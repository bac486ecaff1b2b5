import { nextTurn } from '../event-loop.ts';
import type { EventStore } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { type QueryRequest, windowOf } from './query-request.ts';
import { queryRows, querySlices } from './query-slices.ts';
import type { RowFormat } from './row-format.ts';
import { RowWriter } from './row-writer.ts';

export interface StaticStreamOptions {
  readonly request: QueryRequest;
  readonly store: EventStore;
  readonly format: RowFormat;
  /** The server's time. */
  readonly now: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The events of a filter query, oldest first, as text; made as fast as somebody reads, and never all at once. */
export async function* streamMatches(options: StaticStreamOptions): AsyncGenerator<string> {
  const { request, format, now, timeoutMs, signal } = options;
  const { plan } = request;
  const writer = new RowWriter(format);
  const window = windowOf(request, now);
  const context = { ...window, now, timeZone: request.timeZone };
  const stream = plan.openStream(context, (row) => writer.write(row));
  const stretches = options.store.snapshot(window.start, window.end);
  for (const _ of querySlices(stretches, (event) => stream.push(event), { plan, timeoutMs })) {
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
  const { request, now, timeoutMs, signal } = options;
  const limits = { plan: request.plan, timeoutMs };
  const window = windowOf(request, now);
  const run = request.plan.open({ ...window, now, timeZone: request.timeZone });
  const stretches = options.store.snapshot(window.start, window.end);
  for (const _ of querySlices(stretches, (event) => run.push(event), limits)) {
    await nextTurn();
    if (signal.aborted) return undefined;
  }
  return queryRows(limits, () => run.rows());
}
