import { groupsInOrder } from '../aggregates/group-order.ts';
import { type GroupKey, Groups } from '../aggregates/groups.ts';
import { countStep, numericTotal, pickFields, rowOfValues } from '../aggregates/result-rows.ts';
import { type SortColumn, SortedRows } from '../aggregates/sorting.ts';
import { addFields, type Fields, writeField } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  slicedRows,
  withLeadingColumns,
} from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { ITEMS_PER_STEP, type RowSource, type SlicedWork } from '../run/sliced-sort.ts';
import {
  aggregates,
  fieldName,
  fieldNames,
  flag,
  limit,
  listOf,
  number,
  oneOf,
  sortOrder,
  text,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { type ArgumentsOf, define, optional, unnamed, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

const DEFAULT_GROUPS = 20_000;
/** Limit for counting the groups that are dropped. */
const MAX_GROUPS = 1_000_000;

/** Aggregates per combination of key fields. A missing key field counts as a value. */
export const groupBy = define.aggregate({
  name: 'groupBy',
  uncertain: [
    'Rows are sorted by key in ascending order.',
    'A missing key and an empty key form separate groups.',
    "If an aggregate's output has the same name as a key, it replaces the key.",
    'If `{ … }` returns no row for a group, the group is omitted; with several functions, it counts as an empty row.',
  ],
  parameters: {
    field: unnamed(fieldNames),
    function: withDefault(aggregates, countStep()),
    limit: withDefault(limit({ max: MAX_GROUPS }), DEFAULT_GROUPS),
  },
  compile: ({ field: fields, function: inner, limit: maxGroups }) => ({
    columns: () => withLeadingColumns(fields, inner.columns(undefined)),
    open: (run) => openGroupBy(fields, inner, maxGroups, run),
  }),
});

function openGroupBy(
  fields: readonly string[],
  inner: AggregateStep,
  maxGroups: number,
  run: RunScope,
): Accumulator {
  const max = Math.min(MAX_GROUPS, run.limits?.maxGroups ?? MAX_GROUPS);
  const groups = new Groups<Accumulator>(fields, {
    run,
    create: () => inner.open(run),
    aggregates: inner.members?.length,
    max,
    warning: `groupBy() counts at most ${max} groups.`,
  });
  const { values } = groups;
  function* rowsAt(place: number): SlicedWork<readonly Fields[]> {
    const rows = yield* slicedRows(values[place]!);
    return rows.length > 0 || inner.filtersGroups ? rows : [{}];
  }
  /** The rows of each group. */
  function* allRows(): SlicedWork<readonly (readonly Fields[])[]> {
    const made: (readonly Fields[])[] = [];
    for (const place of values.keys()) made.push(yield* rowsAt(place));
    return made;
  }
  /** The places of the groups with the largest results. */
  function* largest(made: readonly (readonly Fields[])[]): SlicedWork<readonly number[]> {
    const places = [...made.keys()].filter((place) => made[place]!.length > 0);
    if (places.length <= maxGroups) return places;
    run.warn(`groupBy() shows the ${maxGroups} largest of ${places.length} groups. Set "limit" for more.`);
    const columns = inner.columns(undefined);
    const rankOf = (place: number): number => -numericTotal(made[place]!, columns);
    return yield* groupsInOrder(groups, { places, rankOf, limit: maxGroups });
  }
  function* eachRow(): RowSource {
    const isAll = groups.size <= maxGroups && !inner.filtersGroups;
    // A million groups need less memory if each gets its rows when its turn comes.
    const made = isAll ? undefined : yield* allRows();
    const places = made && (yield* largest(made));
    for (const place of yield* groupsInOrder(groups, { places })) {
      const key = groups.keyAt(place);
      const rows = made?.[place] ?? (yield* rowsAt(place));
      for (const row of rows) yield addFields(rowOfValues(fields, key), row);
    }
  }
  return {
    from(table) {
      const feed = inner.feed?.(table, run);
      if (feed !== undefined) {
        const placeOf = groups.inTable(table);
        return (index) => {
          const place = placeOf(index);
          if (place !== undefined) feed.take(values[place]!, index);
        };
      }
      const takeOf = groups.openedIn(table, (accumulator) => accumulator.from(table) ?? ignore);
      return (index) => takeOf(index)?.(index);
    },
    rows: () => collectRows(eachRow(), run),
    eachRow,
  };
}

function ignore(): void {}

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
    sortStep('sort', sortColumns(field, how, call), maxRows, call),
});

/** Combines fields with orders and types; a single order or type applies to all fields. */
function sortColumns(
  fields: readonly string[],
  { order, type, reverse }: Omit<ArgumentsOf<typeof sortParameters>, 'limit'>,
  call: CallSite,
): readonly SortColumn[] {
  // `reverse` is deprecated in favor of `order`.
  const directions = order ?? [reverse === false ? 1 : -1];
  for (const [name, values] of Object.entries({ order: directions, type })) {
    if (values.length === 1 || values.length === fields.length) continue;
    call.fail(`"${name}" must be one value, or one per field (${fields.length})`, name);
  }
  return fields.map((field, index) => ({
    field,
    direction: directions[index] ?? directions[0] ?? -1,
    type: type[index] ?? type[0] ?? 'number',
  }));
}

/** If the query sets the number of rows, dropping some needs no warning. */
function sortStep(
  name: string,
  columns: readonly SortColumn[],
  maxRows: number,
  call: CallSite,
): AggregateStep {
  const isOwnLimit = call.has('limit');
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
    fields: unnamed(fieldNames, ['field']),
    sortby: withDefault(fieldNames, ['@timestamp']),
    ...sortParameters,
  },
  compile({ fields, sortby, limit: maxRows, ...how }, call) {
    const sorted = sortStep('table', sortColumns(sortby, how, call), maxRows, call);
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

const MAX_TOP = 20_000;
/** Maximum number of values that are counted. */
const MAX_RANKED = 1_000_000;

/** The most frequent values of fields, or those with the largest sum or maximum of another field. */
export const top = define.aggregate({
  name: 'top',
  uncertain: ['Ties are sorted in ascending order of the values.'],
  parameters: {
    field: unnamed(fieldNames),
    limit: withDefault(limit({ max: MAX_TOP }), 10),
    as: optional(fieldName),
    sum: optional(fieldName),
    max: optional(fieldName),
    rest: optional(text),
    percent: withDefault(flag, false),
    // The service estimates. Counts here are exact, so the tolerated error has no effect.
    error: optional(number),
  },
  compile({ field: fields, limit: maxGroups, as, sum, max, rest, percent }, call) {
    if (sum !== undefined && max !== undefined)
      call.fail(`"sum" and "max" of top() can't be combined`, 'max');
    const by = max !== undefined ? 'max' : sum !== undefined ? 'sum' : 'count';
    const output = as ?? `_${by}`;
    const options = { fields, maxGroups, output, by, measured: max ?? sum, rest, percent } as const;
    return {
      columns: () => [...fields, output, ...(percent ? ['percent'] : [])],
      open: (run) => openTop(options, run),
    };
  },
});

interface TopOptions {
  readonly fields: readonly string[];
  readonly maxGroups: number;
  readonly output: string;
  readonly by: 'count' | 'sum' | 'max';
  /** The field to sum or take the maximum of. */
  readonly measured: string | undefined;
  readonly rest: string | undefined;
  readonly percent: boolean;
}

/** The size of a group without events. */
const EMPTY = { count: 0, sum: 0, max: Number.NEGATIVE_INFINITY };

function openTop(options: TopOptions, run: RunScope): Accumulator {
  const { fields, maxGroups, output, by, measured, rest, percent } = options;
  /** The size of each group. */
  const groups = new Groups<number>(fields, {
    run,
    create: () => EMPTY[by],
    max: MAX_RANKED,
    warning: `top() counts at most ${MAX_RANKED} values.`,
    needsAll: true,
  });
  const sizes = groups.values;
  const add = by === 'max' ? Math.max : (size: number, amount: number): number => size + amount;
  const combine = (places: readonly number[]): number =>
    places.reduce((size, place) => add(size, sizes[place]!), EMPTY[by]);
  const rowOf = (values: GroupKey, size: number, total: number): Fields => {
    const row = rowOfValues(fields, values);
    // A sum out of range is omitted, as by sum(), and so is its share.
    if (Number.isFinite(size)) writeField(row, output, formatNumber(size));
    if (percent && total !== 0 && Number.isFinite(total)) row.percent = formatNumber((size / total) * 100);
    return row;
  };
  return {
    from(table) {
      const amountAt = measured === undefined ? () => 1 : table.column(measured).numberReader();
      const placeOf = groups.inTable(table);
      return (index) => {
        const amount = amountAt(index);
        const place = Number.isNaN(amount) ? undefined : placeOf(index);
        if (place !== undefined) sizes[place] = add(sizes[place]!, amount);
      };
    },
    *rows() {
      const limit = rest === undefined && !percent ? maxGroups : undefined;
      const rankOf = (place: number): number => -sizes[place]!;
      const places = yield* groupsInOrder(groups, { rankOf, limit });
      const total = combine(places);
      const rows = places
        .slice(0, maxGroups)
        .map((place) => rowOf(groups.keyAt(place), sizes[place]!, total));
      const others = places.slice(maxGroups);
      if (rest !== undefined && others.length > 0) rows.push(rowOf([rest], combine(others), total));
      return rows;
    },
  };
}
