import { DistinctValues } from '../aggregates/distinct-values.ts';
import { compareKeys } from '../compare.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { DEFAULT_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, limit } from '../signature/argument-types.ts';
import { define, optional, withDefault } from '../signature/function-spec.ts';

/** Distinct values of a field are counted exactly up to this number: some fields differ in every event. */
const MAX_EXACT = 10_000;
const MAX_LIMIT = 10_000;

/** Per `#type` and field: the number of events that have the field, and of distinct values. */
export const fieldstats = define.aggregate({
  name: 'fieldstats',
  parameters: { limit: withDefault(limit({ max: MAX_LIMIT }), DEFAULT_ROWS) },
  partial: ['Counts of more than 10,000 distinct values are estimates, accurate to about 1%.'],
  uncertain: [
    'Rows are sorted by type and field. If the limit is exceeded, only the most frequent fields are kept.',
  ],
  compile: ({ limit: maxRows }, call) =>
    rowAggregate({
      columns: () => ['#type', 'field', '_count', 'distinct'],
      open: (run) => fieldStatistics(maxRows, call.has('limit'), run),
    }),
});

interface Statistics {
  readonly type: string | undefined;
  readonly field: string;
  readonly values: DistinctValues;
  count: number;
}

function fieldStatistics(maxRows: number, isOwnLimit: boolean, run: RunScope): RowAccumulator {
  const types = new Map<string | undefined, Map<string, Statistics>>();
  return {
    push(row) {
      const type = readField(row, '#type');
      const fields = types.get(type) ?? new Map<string, Statistics>();
      types.set(type, fields);
      for (const field of Object.keys(row)) {
        let statistics = fields.get(field);
        if (statistics === undefined) {
          statistics = { type, field, values: new DistinctValues(MAX_EXACT, run), count: 0 };
          fields.set(field, statistics);
        }
        statistics.count += 1;
        statistics.values.add(row[field]!);
      }
    },
    rows() {
      let all = [...types.values()].flatMap((fields) => [...fields.values()]);
      if (all.length > maxRows) {
        if (!isOwnLimit) {
          run.warn(`fieldstats() shows ${maxRows} of ${all.length} fields. Set "limit" for more.`);
        }
        all = all.sort((a, b) => b.count - a.count || compareNames(a, b)).slice(0, maxRows);
      }
      return all.sort(compareNames).map(({ type, field, count, values }) => {
        const row: Fields = {};
        if (type !== undefined) writeField(row, '#type', type);
        return Object.assign(row, { field, _count: String(count), distinct: String(values.size) });
      });
    },
  };
}

function compareNames(a: Statistics, b: Statistics): number {
  return compareKeys(a.type, b.type) || compareKeys(a.field, b.field);
}

const DEFAULT_TRANSPOSED = 5;
const MAX_ROWS = 1000;

/** Swaps rows and columns: one row per field, with its values in the first rows as columns. */
export const transpose = define.aggregate({
  name: 'transpose',
  parameters: {
    pivot: optional(fieldName, { unnamed: true }),
    header: optional(fieldName),
    column: optional(fieldName),
    limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_TRANSPOSED),
  },
  uncertain: ['If several rows have the same header value, the last one wins.'],
  compile({ pivot, header, column, limit: maxRows }, call) {
    if (pivot !== undefined && (header !== undefined || column !== undefined)) {
      call.fail('transpose() accepts either "pivot", or "header" and "column"', 'pivot');
    }
    const titleField = pivot ?? header;
    const nameColumn = pivot ?? column ?? 'column';
    const isOwnLimit = call.has('limit');
    return rowAggregate({
      // The columns depend on the rows.
      columns: () => undefined,
      open(run) {
        const rows: Fields[] = [];
        return {
          push(row) {
            if (rows.length < maxRows) rows.push(row);
            else if (!isOwnLimit) {
              run.warn(`transpose() uses at most ${maxRows} rows. Set "limit" for more.`);
            }
          },
          rows() {
            const names = new Set(rows.flatMap((row) => Object.keys(row)));
            if (titleField !== undefined) names.delete(titleField);
            return [...names].sort().map((name) => {
              const result: Fields = {};
              writeField(result, nameColumn, name);
              for (const [index, row] of rows.entries()) {
                const value = readField(row, name);
                const title = titleField === undefined ? undefined : readField(row, titleField);
                if (value !== undefined) writeField(result, title ?? `row[${index + 1}]`, value);
              }
              return result;
            });
          },
        };
      },
    });
  },
});
