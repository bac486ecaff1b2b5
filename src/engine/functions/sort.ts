import { pickFields } from '../aggregates/result-rows.ts';
import { type SortColumn, SortedRows } from '../aggregates/sorting.ts';
import type { Fields } from '../event.ts';
import { type AggregateStep, slicedRows } from '../operators/operator.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import { ITEMS_PER_STEP } from '../run/sliced-sort.ts';
import { fieldNames, flag, limit, listOf, oneOf, sortOrder } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { type ArgumentsOf, define, optional, required, withDefault } from '../signature/function-spec.ts';

/** Sort parameters, shared with `table`. */
const sortParameters = {
  order: optional(listOf(sortOrder)),
  type: withDefault(listOf(oneOf('number', 'string', 'hex', 'any')), ['number']),
  reverse: optional(flag),
  limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS),
};

export const sort = define.aggregate({
  name: 'sort',
  uncertain: ['Numbers sort before strings in both directions.'],
  parameters: { field: withDefault(fieldNames, ['_count'], { unnamed: true }), ...sortParameters },
  compile: ({ field, limit: maxRows, ...how }, call) =>
    sortStep(sortColumns(field, how, call), { maxRows, isOwnLimit: call.has('limit'), name: 'sort' }),
});

type SortArguments = Omit<ArgumentsOf<typeof sortParameters>, 'limit'>;

/** Combines fields with orders and types; a single order or type applies to all fields. */
function sortColumns(
  fields: readonly string[],
  { order, type, reverse }: SortArguments,
  call: CallSite,
): readonly SortColumn[] {
  // `reverse` is deprecated in favor of `order`.
  const directions = order ?? [reverse === false ? 1 : -1];
  refuseLength('order', directions, fields, call);
  refuseLength('type', type, fields, call);
  return fields.map((field, index) => ({
    field,
    direction: directions[index] ?? directions[0] ?? -1,
    type: type[index] ?? type[0] ?? 'number',
  }));
}

function refuseLength(
  name: string,
  values: readonly unknown[],
  fields: readonly string[],
  call: CallSite,
): void {
  if (values.length === 1 || values.length === fields.length) return;
  call.fail(`"${name}" must be one value, or one per field (${fields.length})`, name);
}

interface SortLimit {
  readonly maxRows: number;
  /** Whether the query sets the number of rows: then dropping some needs no warning. */
  readonly isOwnLimit: boolean;
  readonly name: string;
}

function sortStep(columns: readonly SortColumn[], { maxRows, isOwnLimit, name }: SortLimit): AggregateStep {
  return {
    columns: (before) => before,
    open(run) {
      const sorted = new SortedRows(columns, maxRows);
      return {
        from: (table) =>
          sorted.from(table, (row) => {
            if (sorted.seen <= maxRows) run.retain?.(rowBytes(row));
          }),
        *rows() {
          if (!isOwnLimit && sorted.seen > maxRows) {
            run.warn(`${name}() shows ${maxRows} of ${sorted.seen} rows. Set "limit" for more.`);
          }
          return yield* sorted.sorted();
        },
      };
    },
  };
}

/** The given columns of the rows, sorted; by default the newest events first. */
export const table = define.aggregate({
  name: 'table',
  parameters: {
    fields: required(fieldNames, { unnamed: true, aliases: ['field'] }),
    sortby: withDefault(fieldNames, ['@timestamp']),
    ...sortParameters,
  },
  compile({ fields, sortby, limit: maxRows, ...how }, call) {
    const columns = sortColumns(sortby, how, call);
    const sorted = sortStep(columns, { maxRows, isOwnLimit: call.has('limit'), name: 'table' });
    return {
      columns: () => fields,
      open(run) {
        const accumulator = sorted.open(run);
        return {
          from: (events) => accumulator.from(events),
          *rows() {
            const rows: Fields[] = [];
            for (const row of yield* slicedRows(accumulator)) {
              rows.push(pickFields(row, fields));
              if (rows.length % ITEMS_PER_STEP === 0) yield;
            }
            return rows;
          },
        };
      },
    };
  },
});
