import { groupsInOrder } from '../aggregates/group-order.ts';
import { Groups } from '../aggregates/groups.ts';
import { rowOfValues } from '../aggregates/result-rows.ts';
import type { EventTable } from '../columns/event-table.ts';
import type { Predicate } from '../columns/expression.ts';
import { overRows } from '../columns/row-view.ts';
import { aggregateList } from '../operators/aggregate-list.ts';
import { filterStep } from '../operators/field-steps.ts';
import { type Accumulator, type AggregateStep, allRows, type FirstPass } from '../operators/operator.ts';
import { type Preparation, preparedResult } from '../operators/preparation.ts';
import { collectRows } from '../operators/row-buffer.ts';
import type { LookupTable } from '../query-library.ts';
import { textBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource } from '../run/sliced-sort.ts';
import { condition, fieldNames, flag, limit, listOf, oneOf } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import {
  define,
  type FunctionSpec,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { subQueryTable } from '../tables/sub-query.ts';
import { placeParameters, requireRepository, subQuery } from '../tables/sub-query-arguments.ts';
import { includedColumns } from '../tables/table-argument.ts';
import { type KeyOptions, keyOfEvent } from '../tables/table-index.ts';
import { matchedRowsStep, TableMatch } from '../tables/table-match.ts';
import { collect } from './collect.ts';
import { selectLast } from './events.ts';

/** Number of bits in a small integer. */
const MAX_FILTERS = 31;

/** The filters of a self-join, each of which must match some event of a key, and one bit per filter. */
interface KeyFilters {
  readonly all: number;
  /** The bits of the filters that match an event. Filters whose bits are in `known` are not evaluated. */
  over(table: EventTable, run: RunScope): (index: number, known?: number) => number;
}

/** @throws QueryError if there are no filters or too many. */
function keyFilters(filters: readonly Predicate[], name: string, call: CallSite): KeyFilters {
  if (filters.length === 0 || filters.length > MAX_FILTERS) {
    call.fail(`${name}() accepts 1 to ${MAX_FILTERS} filters`, 'where');
  }
  return {
    all: 2 ** filters.length - 1,
    over(table, run) {
      const tests = filters.map((filter) => filter.over(table, run));
      return (index, known = 0) => {
        let bits = 0;
        for (let place = 0; place < tests.length; place += 1) {
          const bit = 2 ** place;
          const test = tests[place]!;
          if ((known & bit) === 0 && (typeof test === 'boolean' ? test : test(index))) bits += bit;
        }
        return bits;
      };
    },
  };
}

const DEFAULT_GROUPS = 20_000;
const MAX_GROUPS = 1_000_000;

/**
 * One row per key for which each filter matches some event, not necessarily the same one. The row has fields collected
 * from the events of that key, and fields of the newest of them.
 */
export const selfJoin = define.aggregate({
  name: 'selfJoin',
  parameters: {
    field: unnamed(fieldNames),
    where: required(listOf(condition)),
    collect: withDefault(fieldNames, []),
    select: withDefault(fieldNames, []),
    limit: withDefault(limit({ max: MAX_GROUPS }), DEFAULT_GROUPS),
    prefilter: withDefault(flag, false),
    postfilter: withDefault(flag, false),
  },
  uncertain: [
    '`postfilter` has no effect: on the service, it removes false positives, which the local server never produces.',
  ],
  compile({ field: fields, where, collect: collected, select: selected, limit: maxGroups, prefilter }, call) {
    const filters = keyFilters(where, 'selfJoin', call);
    const inner = aggregateList([
      ...(collected.length > 0 ? [stepOf(collect, { ...COLLECT, fields: collected }, call)] : []),
      ...(selected.length > 0 ? [stepOf(selectLast, { fields: selected }, call)] : []),
    ]);
    return {
      columns: () => [...new Set([...fields, ...collected, ...selected])],
      open: (run) => openSelfJoin({ fields, filters, inner, maxGroups, prefilter }, run),
    };
  },
});

const COLLECT = { separator: '\n', limit: 2000, multival: true };

/** The step for a call of the function with these arguments. */
function stepOf(spec: FunctionSpec, named: Readonly<Record<string, unknown>>, call: CallSite): AggregateStep {
  const result = spec.compile({ named, others: [] }, call);
  if (result.kind === 'aggregate') return result.step;
  throw new TypeError(`${spec.name}() is not an aggregate function.`);
}

interface SelfJoinOptions {
  readonly fields: readonly string[];
  readonly filters: KeyFilters;
  readonly inner: AggregateStep;
  readonly maxGroups: number;
  readonly prefilter: boolean;
}

function openSelfJoin(options: SelfJoinOptions, run: RunScope): Accumulator {
  const { fields, filters, inner, maxGroups, prefilter } = options;
  const groups = new Groups(fields, {
    run,
    create: () => ({ accumulator: inner.open(run), bits: 0 }),
    max: MAX_GROUPS,
    warning: `selfJoin() uses at most ${MAX_GROUPS} different keys.`,
    needsAll: true,
  });
  function* rowsOf(places: readonly number[]): RowSource {
    for (const place of places) {
      const { accumulator } = groups.values[place]!;
      yield { ...rowOfValues(fields, groups.keyAt(place)), ...allRows(accumulator)[0] };
      yield;
    }
  }
  return {
    from(table) {
      const bitsAt = filters.over(table, run);
      const groupOf = groups.openedIn(table, (group) => ({ group, take: group.accumulator.from(table) }));
      return (index) => {
        const bits = bitsAt(index);
        const member = prefilter && bits === 0 ? undefined : groupOf(index);
        if (member === undefined) return;
        member.group.bits |= bits;
        member.take?.(index);
      };
    },
    *rows() {
      const places = [...groups.values.keys()].filter((place) => groups.values[place]!.bits === filters.all);
      const complete = yield* groupsInOrder(groups, { places });
      if (complete.length > maxGroups) {
        run.warn(`selfJoin() shows ${maxGroups} of ${complete.length} keys. Set "limit" for more.`);
      }
      return yield* collectRows(rowsOf(complete.slice(0, maxGroups)), run);
    },
  };
}

/**
 * Keeps events of those keys for which each filter matches some event, not necessarily the same one; with
 * `prefilter=true`, only events that pass a filter. Reads all events twice, and is exact.
 */
export const selfJoinFilter = define.transform({
  name: 'selfJoinFilter',
  parameters: {
    field: unnamed(fieldNames),
    where: required(listOf(condition)),
    prefilter: withDefault(flag, false),
  },
  partial: ['`selfJoinFilter()` is not allowed within `case`, `match` or function arguments.'],
  compile({ field: fields, where, prefilter }, call) {
    const filters = keyFilters(where, 'selfJoinFilter', call);
    const options: KeyOptions = { fields, columns: [], ignoreCase: false };
    const firstPass: FirstPass = {
      open(run) {
        const bitsByKey = new Map<string, number>();
        return {
          from(table) {
            const keyAt = overRows(table, fields, (row) => keyOfEvent(row, options));
            const bitsAt = filters.over(table, run);
            return (index) => {
              const key = keyAt(index);
              if (key === undefined) return;
              const known = bitsByKey.get(key) ?? 0;
              const bits = bitsAt(index, known);
              if (bits === 0) return;
              if (known === 0) run.retain?.(textBytes(key));
              bitsByKey.set(key, known | bits);
            };
          },
          result() {
            const complete = new Set<string>();
            for (const [key, bits] of bitsByKey) if (bits === filters.all) complete.add(key);
            return complete;
          },
        };
      },
    };
    const isComplete = filterStep({
      over(table, run) {
        const complete = preparedResult<ReadonlySet<string>>(run, firstPass);
        const keyAt = overRows(table, fields, (row) => keyOfEvent(row, options));
        const bitsAt = filters.over(table, run);
        return (index) => {
          const key = keyAt(index);
          return key !== undefined && complete.has(key) && (!prefilter || bitsAt(index) !== 0);
        };
      },
    });
    return { ...isComplete, firstPass };
  },
});

/** Requested fields that a row lacks become empty strings; only the key is required. */
function withEmptyCells({ headers, rows }: LookupTable, key: readonly string[]): LookupTable['rows'] {
  const isKey = headers.map((name) => key.includes(name));
  return rows.map((row) => row.map((cell, index) => (isKey[index] ? cell : (cell ?? ''))));
}

const DEFAULT_ROWS = 100_000;

/**
 * Runs a subquery first and keeps events whose fields equal the key of one of its rows, with columns of that row.
 * `mode=left` also keeps the other events; `!join(…)` keeps only those.
 */
export const join = define.filter({
  name: 'join',
  parameters: {
    query: unnamed(subQuery),
    field: required(fieldNames),
    key: optional(fieldNames),
    include: withDefault(fieldNames, []),
    mode: withDefault(oneOf('inner', 'left'), 'inner'),
    max: withDefault(limit({ max: MAX_ROWS }), 1),
    limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS),
    ...placeParameters,
    live: optional(flag),
  },
  uncertain: [
    '`limit` and `max` keep the newest events of the subquery, or the first rows if it is an aggregate.',
    'In a live query, the subquery runs again with each run of the main query; `live` has no effect.',
    'With `mode=left`, an event without a match gets no columns.',
  ],
  compile(args, call) {
    const { query: plan, field: fields, key = fields, mode, max, start, end } = args;
    if (key.length !== fields.length) {
      call.fail(`"key" must name as many fields as "field" (${fields.length})`, 'key');
    }
    const include = includedColumns(args.include);
    const columns = include && [...new Set([...key, ...include])];
    const source = { plan, start, end, repository: requireRepository(args.view, call) };
    const preparation: Preparation = {
      key: {},
      readsEvents: true,
      /** The rows of the subquery as a table in which later rows take precedence. */
      *compute(preparing) {
        const shape = { columns, maxRows: args.limit, owner: 'join' };
        const table = yield* subQueryTable(source, shape, preparing);
        const rows = include === undefined ? table.rows : withEmptyCells(table, key);
        // Events are already sorted with the newest one last.
        return { headers: table.headers, rows: plan.isAggregate ? rows.toReversed() : rows };
      },
    };
    call.scope.draft.preparations.push(preparation);
    const table = {
      headers: undefined,
      read: (run: RunScope) => preparedResult<LookupTable>(run, preparation.key),
    };
    const match = new TableMatch(table, { fields, columns: key, include, mode: 'string', ignoreCase: false });
    call.scope.draft.preparations.push(match);
    const isInner = mode === 'inner';
    const isFilter = isInner && include?.length === 0 && max === 1;
    return {
      test: (row, run) => match.open(run).index.last(row) !== -1,
      ...(!isFilter && {
        step: matchedRowsStep(match, { keepOthers: !isInner, maxRows: max, lastFirst: true }),
      }),
    };
  },
});
