import { type RunContext, undecidedWarnings } from '../../engine/index.ts';
import { arrivedWithin, eventsWithin, evictionWarnings } from './arrival.ts';
import type { QueryWindow } from './query-request.ts';
import { type QueryRun, querySlices, runSlices, workSlices } from './query-slices.ts';
import type { RowFormat } from './row-format.ts';
import { RowWriter, streamRows } from './row-writer.ts';

export interface StreamOptions extends QueryRun {
  readonly format: RowFormat;
  readonly context: RunContext;
  readonly window: QueryWindow;
  /** Receives the reasons why the result is incomplete, once: the formats have no place for them. */
  readonly onIncomplete: (reasons: readonly string[]) => void;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/** The result of a query as text. @throws QueryTimeoutError if that takes too long, or the reason of the signal */
export function streamResult(options: StreamOptions, maxRows: number): AsyncGenerator<string> {
  return options.request.plan.isAggregate ? streamAggregate(options, maxRows) : streamMatches(options);
}

/** The events of a filter query, oldest first, created as they are read. */
async function* streamMatches(options: StreamOptions): AsyncGenerator<string> {
  const { request, format, context, window, share, signal, onIncomplete } = options;
  const { store } = options.repository;
  const writer = new RowWriter(format, context.limits?.maxBytes);
  const ranges = eventsWithin(store, window);
  const stream = request.plan.openStream(context, (row) => writer.write(row));
  for (const _ of querySlices(ranges, arrivedWithin(stream, window.arrival), share)) {
    const text = writer.take();
    if (text !== '') {
      yield text;
      share.spentMs = 0;
    }
    await share.turn();
    // Without an error, clients would assume that the result is complete.
    signal.throwIfAborted();
  }
  onIncomplete([...undecidedWarnings(stream.undecided), ...evictionWarnings(store, window)]);
  writer.end();
  yield writer.take();
}

async function* streamAggregate(options: StreamOptions, maxRows: number): AsyncGenerator<string> {
  const { format, context, window, share, signal, onIncomplete } = options;
  const { plan } = options.request;
  const { store } = options.repository;
  const run = plan.open(context);
  const ranges = plan.readsEvents ? eventsWithin(store, window) : [];
  await runSlices(querySlices(ranges, arrivedWithin(run, window.arrival), share), share);
  signal.throwIfAborted();
  const rows = await runSlices(workSlices(run.slicedRows(), share), share);
  signal.throwIfAborted();
  onIncomplete([
    ...undecidedWarnings(run.undecided),
    ...(plan.readsEvents ? evictionWarnings(store, window) : []),
  ]);
  yield* streamRows(rows!.slice(0, maxRows), format);
}
