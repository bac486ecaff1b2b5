import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import {
  type EventTable,
  NewestRows,
  type Plan,
  type RunContext,
  rowBytes,
  type SlicedWork,
  type TakeEvent,
} from '../../engine/index.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { Around } from './query-request.ts';

export interface QueryResult {
  readonly rows: readonly StoredEvent[];
  readonly fieldOrder: readonly string[] | undefined;
  readonly extraData: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** Number of matching events of a filter query; `undefined` for an aggregate. */
  readonly matches: number | undefined;
}

/** Maximum number of rows whose size is measured. */
const MEASURED_ROWS = 1000;

/** Approximate memory of a result. */
export function sizeOfResult({ rows }: QueryResult): number {
  if (rows.length === 0) return 0;
  const step = Math.ceil(rows.length / MEASURED_ROWS);
  let bytes = 0;
  let measured = 0;
  for (let index = 0; index < rows.length; index += step) {
    bytes += rowBytes(rows[index]!);
    measured++;
  }
  return Math.round((bytes / measured) * rows.length);
}

/** Collects the result of a job from the events of an interval, oldest first. */
export interface ResultCollector {
  /** Opens a table, whose events are passed in ascending order; `undefined` if the result needs none of them. */
  from(table: EventTable): TakeEvent | undefined;
  /** The result so far, in slices. Don't push events in between; more may follow. */
  result(): SlicedWork<QueryResult>;
  /** Whether the result depends on the interval or the time, as far as the query has read them. */
  readonly dependsOnTime: boolean;
}

export interface CollectOptions {
  readonly plan: Plan;
  readonly context: RunContext;
  readonly around: Around | undefined;
  readonly maxRows: number;
}

export function collectResult({ plan, context, around, maxRows }: CollectOptions): ResultCollector {
  if (plan.isAggregate) return collectAggregate(plan, context, maxRows);
  return around === undefined ? collectNewest(plan, context) : collectAround(plan, context, around);
}

function collectAggregate(plan: Plan, context: RunContext, maxRows: number): ResultCollector {
  const run = plan.open(context);
  return {
    from: (table) => run.from(table),
    *result() {
      const rows = yield* run.slicedRows();
      const isCut = rows.length > maxRows;
      const cut = `The result shows ${maxRows} of ${rows.length} rows, the limit of this server.`;
      const { fieldOrder, extraData, warnings } = run;
      return {
        rows: isCut ? rows.slice(0, maxRows) : rows,
        fieldOrder,
        extraData,
        warnings: isCut ? [...warnings, cut] : warnings,
        matches: undefined,
      };
    },
    get dependsOnTime() {
      return run.dependsOnTime;
    },
  };
}

/** Newest events first; events with the same time in reverse order of arrival. */
function collectNewest(plan: Plan, context: RunContext): ResultCollector {
  const newest = new NewestRows(PAGE_EVENTS);
  const { fieldOrder } = plan.open(context);
  const stream = plan.openStream(context, newest);
  return {
    from: (table) => stream.from(table),
    *result() {
      yield;
      return filterResult(newest.newestFirst(), newest.seen, { fieldOrder, warnings: stream.warnings });
    },
    get dependsOnTime() {
      return stream.dependsOnTime;
    },
  };
}

/** Matching events before and after a known event, and that event if it matches. */
function collectAround(plan: Plan, context: RunContext, around: Around): ResultCollector {
  const { eventId, timestamp } = around;
  const before = new NewestRows(Math.min(around.before, PAGE_EVENTS));
  const pivot: StoredEvent[] = [];
  const after: StoredEvent[] = [];
  let place: 'before' | 'at' | 'after' = 'before';
  let later = 0;
  const { fieldOrder } = plan.open(context);
  const keepHere = (row: () => StoredEvent): void => {
    if (place === 'at') pivot.push(row());
    else if (++later <= around.after && after.length < PAGE_EVENTS) after.push(row());
  };
  const stream = plan.openStream(context, {
    from(table) {
      const take = before.from(table);
      return (index) => (place === 'before' ? take(index) : keepHere(() => table.row(index)));
    },
  });
  return {
    from(table) {
      const take = stream.from(table);
      const isKnown = (index: number): boolean =>
        table.timeAt(index) === timestamp && table.column('@id').at(index) === eventId;
      return (index) => {
        if (place === 'at' || (place === 'before' && table.timeAt(index) > timestamp)) place = 'after';
        else if (isKnown(index)) place = 'at';
        take?.(index);
      };
    },
    dependsOnTime: true,
    *result() {
      yield;
      const rows = nearest(before.newestFirst(), pivot, after);
      const seen = before.seen + pivot.length + later;
      return filterResult(rows, seen, { fieldOrder, warnings: stream.warnings });
    },
  };
}

/** Newest first, up to the maximum of a result, preferring those closest to the known event. */
function nearest(before: StoredEvent[], pivot: StoredEvent[], after: StoredEvent[]): StoredEvent[] {
  const room = PAGE_EVENTS - pivot.length;
  const older = before.slice(0, Math.max(0, room - Math.min(after.length, Math.floor(room / 2))));
  const newer = after.slice(0, Math.max(0, room - older.length));
  return [...newer.toReversed(), ...pivot.toReversed(), ...older];
}

function filterResult(
  rows: readonly StoredEvent[],
  matches: number,
  { fieldOrder, warnings }: Pick<QueryResult, 'fieldOrder' | 'warnings'>,
): QueryResult {
  const extraData = { hasMoreEvents: String(matches > rows.length) };
  return { rows, fieldOrder, extraData, warnings, matches };
}
