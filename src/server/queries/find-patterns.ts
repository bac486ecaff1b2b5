import { CostCollector, type IngestCost } from '../../core/records/ingest-cost.ts';
import { PatternCollector, type PatternGroups } from '../../core/records/pattern-groups.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from '../../core/records/record-fields.ts';
import type { Column, EventTable, Sink } from '../../engine/index.ts';
import { HttpError } from '../http/http-error.ts';
import type { EventRange } from '../store/event-store.ts';
import { arrivedWithin, eventsWithin } from './arrival.ts';
import { type Interval, type QueryRequest, windowOf } from './query-request.ts';
import { preparedContext, type QueryRun, querySlices, runSlices } from './query-slices.ts';

/** Receives the events, and sums up one thing about them, such as their patterns or their cost. */
export interface Collection<Result> {
  readonly sink: Sink;
  result(): Result;
}

/** Starts to collect the events of an interval. */
export type Collect<Result> = (interval: Interval) => Collection<Result>;

/**
 * Collects all events that a query finds. Returns `undefined` if the query was stopped.
 *
 * @throws HttpError 400 for a query that doesn't return events, QueryLimitError
 */
export async function collectEvents<Result>(
  run: QueryRun,
  now: number,
  collect: Collect<Result>,
): Promise<Result | undefined> {
  const { request, repository, share } = run;
  checkCanGroup(request);
  return share.run(async () => {
    const window = windowOf(request, now);
    const context = await preparedContext(run, window, now);
    if (context === undefined) return undefined;
    const ranges = eventsWithin(repository.store, window);
    const { sink, result } = collect(trendInterval(window, ranges));
    const stream = arrivedWithin(request.plan.openStream(context, sink), window.arrival);
    const read = await runSlices(querySlices(ranges, stream, share), share);
    return read === undefined ? undefined : result();
  });
}

function checkCanGroup({ plan, isLive, around }: QueryRequest): void {
  if (isLive) throw new HttpError(400, "Patterns are computed once: omit 'isLive'.");
  if (around !== undefined) throw new HttpError(400, "'around' only works with query jobs.");
  if (!plan.isAggregate) return;
  throw new HttpError(400, 'This needs a query that returns events: omit its aggregate function.');
}

/** A trend over all time would be a single bar, so it starts with the first event. */
function trendInterval({ start, end }: Interval, ranges: readonly EventRange[]): Interval {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (start > 0 || first === undefined || last === undefined) return { start, end };
  return { start: first.events.timeAt(first.start), end: last.events.timeAt(last.end - 1) };
}

export function patternCollection({ start, end }: Interval): Collection<PatternGroups> {
  const patterns = new PatternCollector(start, end);
  const sink: Sink = {
    from(table) {
      const messageOf = firstOf(table, MESSAGE_FIELDS);
      const levelOf = firstOf(table, LEVEL_FIELDS);
      const serviceOf = firstOf(table, SERVICE_FIELDS);
      return (index) => {
        const { field, value: message } = messageOf(index);
        const [level, service] = [levelOf(index).value, serviceOf(index).value];
        patterns.add({ field, message, time: table.timeAt(index), level, service });
      };
    },
  };
  return { sink, result: () => patterns.result() };
}

interface FoundValue {
  readonly field: string;
  readonly value: string;
}

const NONE: FoundValue = { field: '', value: '' };

/** Reads the first of several fields that has a value. Columns are opened when they are needed, which most never are. */
function firstOf(table: EventTable, names: readonly string[]): (index: number) => FoundValue {
  const columns: Column[] = [];
  return (index) => {
    for (const [place, field] of names.entries()) {
      columns[place] ??= table.column(field);
      const value = columns[place].at(index);
      if (value !== undefined && value !== '') return { field, value };
    }
    return NONE;
  };
}

export function costCollection(): Collection<IngestCost> {
  const costs = new CostCollector();
  const sink: Sink = {
    from:
      ({ stored }) =>
      (index) =>
        costs.addEvent(stored.row(index)),
  };
  return { sink, result: () => costs.result() };
}
