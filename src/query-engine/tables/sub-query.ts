import { pickFields } from '../aggregates/pick-fields.ts';
import { type Fields, readField } from '../event.ts';
import { NewestRows } from '../operators/newest-rows.ts';
import type { LookupTable } from '../query-library.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { Plan } from '../run/plan.ts';
import type { PreparingRun } from '../run/preparation.ts';
import type { RunContext } from '../run/run-context.ts';
import { parseTimePoint } from '../time/relative-time.ts';

/** A query inside a query. What is `undefined` is as in the query around it. */
export interface SubQuery {
  readonly plan: Plan;
  /** Times that count back from the end of the query around it. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly repository: string | undefined;
}

/** What is kept of the rows of a sub-query. */
export interface TableShape {
  /** `undefined` for all columns there are. */
  readonly columns: readonly string[] | undefined;
  readonly maxRows: number;
  /** The function that asks, for the warning that there were more rows. */
  readonly owner: string;
}

/** A sub-query whose interval is known and whose own preparations are done. */
interface OpenSubQuery {
  readonly context: RunContext;
  readonly events: Iterable<Fields>;
}

/**
 * Runs a sub-query and keeps its rows as a table: those of an aggregate in its own order, events from the oldest to
 * the newest. When there are too many, the first rows of an aggregate are kept, and the newest events.
 */
export function* subQueryTable(
  subQuery: SubQuery,
  shape: TableShape,
  preparing: PreparingRun,
): Generator<void, LookupTable> {
  const opened = yield* openSubQuery(subQuery, preparing);
  const retainRow = (row: Fields): void => preparing.run.retain?.(rowBytes(row));
  const { rows, seen, warnings } = yield* collectRows(subQuery.plan, shape, { ...opened, retainRow });
  for (const warning of warnings) preparing.run.warn(warning);
  if (seen > shape.maxRows) {
    preparing.run.warn(`${shape.owner}() uses ${shape.maxRows} of the ${seen} rows of its query.`);
  }
  return yield* tableOf(rows, shape.columns ?? columnsOf(rows));
}

function* openSubQuery(
  { plan, start, end, repository }: SubQuery,
  preparing: PreparingRun,
): Generator<void, OpenSubQuery> {
  const { run, source } = preparing;
  const at = (value: string): number => parseTimePoint({ value, now: run.end, timeZone: run.timeZone });
  const interval = {
    repository: repository ?? preparing.repository,
    start: start === undefined ? run.start : at(start),
    end: end === undefined ? run.end : at(end),
  };
  const asked: RunContext = { ...run, start: interval.start, end: interval.end };
  const context = yield* plan.prepare(asked, source, interval.repository);
  return { context, events: plan.readsEvents ? source.events(interval) : [] };
}

function* collectRows(
  plan: Plan,
  { columns, maxRows }: TableShape,
  { context, events, retainRow }: OpenSubQuery & { readonly retainRow: (row: Fields) => void },
): Generator<void, { rows: readonly Fields[]; seen: number; warnings: Iterable<string> }> {
  if (plan.isAggregate) {
    const run = plan.open(context);
    for (const event of events) {
      run.push(event);
      yield;
    }
    const all = yield* run.slicedRows();
    const rows = all.slice(0, maxRows);
    rows.forEach(retainRow);
    return { rows, seen: all.length, warnings: run.warnings };
  }
  const newest = new NewestRows(maxRows);
  // Whole events are not held on to when only some of their fields are asked for.
  const stream = plan.openStream(context, (row) => {
    const kept = columns ? pickFields(row, columns) : row;
    if (newest.seen < maxRows) retainRow(kept);
    newest.push(kept);
  });
  for (const event of events) {
    stream.push(event);
    yield;
  }
  const warnings = context.prepared?.warnings ?? [];
  return { rows: newest.newestFirst().reverse(), seen: newest.seen, warnings };
}

function columnsOf(rows: readonly Fields[]): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  return [...columns];
}

function* tableOf(rows: readonly Fields[], headers: readonly string[]): Generator<void, LookupTable> {
  const cells: (readonly (string | undefined)[])[] = [];
  for (const row of rows) {
    cells.push(headers.map((name) => readField(row, name)));
    yield;
  }
  return { headers, rows: cells };
}
