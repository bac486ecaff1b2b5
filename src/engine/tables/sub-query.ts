import { fieldNames } from '../../core/records/field-names.ts';
import { ChangedTable } from '../columns/changed-table.ts';
import type { Sink } from '../columns/event-table.ts';
import { rowSink } from '../columns/row-table.ts';
import { type Fields, readField } from '../event.ts';
import { NewestRows } from '../operators/newest-rows.ts';
import type { PreparingRun } from '../operators/preparation.ts';
import type { Plan } from '../plan/plan.ts';
import type { LookupTable } from '../query-library.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunContext } from '../run/run-context.ts';
import { parseTimePoint } from '../time/relative-time.ts';

/** A subquery. Undefined values are inherited from the query. */
export interface SubQuery {
  readonly plan: Plan;
  /** Relative times count back from the end of the query's interval. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly repository: string | undefined;
}

/** Which part of a subquery's result to keep. */
export interface TableShape {
  /** `undefined` for all columns. */
  readonly columns: readonly string[] | undefined;
  readonly maxRows: number;
  /** The calling function, for warnings. */
  readonly owner: string;
}

/**
 * Runs a subquery and keeps its rows as a table. Rows of an aggregate keep their order; events are sorted from oldest
 * to newest. Beyond the limit, it keeps the first rows of an aggregate, or the newest events.
 */
export function* subQueryTable(
  subQuery: SubQuery,
  shape: TableShape,
  preparing: PreparingRun,
): Generator<void, LookupTable> {
  const { rows, seen, warnings } = yield* collectRows(subQuery, shape, preparing);
  for (const warning of warnings) preparing.run.warn(warning);
  if (seen > shape.maxRows) {
    preparing.run.warn(`${shape.owner}() uses ${shape.maxRows} of the ${seen} rows of its query.`);
  }
  return yield* tableOf(rows, shape.columns ?? fieldNames(rows));
}

function* collectRows(
  { plan, start, end, repository }: SubQuery,
  { columns, maxRows }: TableShape,
  preparing: PreparingRun,
): Generator<void, { rows: readonly Fields[]; seen: number; warnings: Iterable<string> }> {
  const { run, source } = preparing;
  const at = (value: string): number => parseTimePoint({ value, now: run.end, timeZone: run.timeZone });
  const interval = {
    repository: repository ?? preparing.repository,
    start: start === undefined ? run.start : at(start),
    end: end === undefined ? run.end : at(end),
  };
  const runContext: RunContext = { ...run, start: interval.start, end: interval.end };
  const context = yield* plan.prepare(runContext, source, interval.repository);
  const retainRow = (row: Fields): void => run.retain?.(rowBytes(row));
  if (plan.isAggregate) {
    const inner = plan.open(context);
    if (plan.readsEvents) yield* source.read(interval, inner);
    const all = yield* inner.slicedRows();
    const rows = all.slice(0, maxRows);
    rows.forEach(retainRow);
    return { rows, seen: all.length, warnings: inner.warnings };
  }
  const newest = new NewestRows(maxRows);
  const keep = rowSink((row) => {
    if (newest.seen < maxRows) retainRow(row);
    newest.push(row);
  });
  // Copies only the requested fields of events.
  const sink: Sink = { from: (table) => keep.from(columns ? ChangedTable.picked(table, columns) : table) };
  const stream = plan.openStream(context, sink);
  yield* source.read(interval, stream);
  return { rows: newest.newestFirst().reverse(), seen: newest.seen, warnings: stream.warnings };
}

function* tableOf(rows: readonly Fields[], headers: readonly string[]): Generator<void, LookupTable> {
  const cells: (readonly (string | undefined)[])[] = [];
  for (const row of rows) {
    cells.push(headers.map((name) => readField(row, name)));
    yield;
  }
  return { headers, rows: cells };
}
