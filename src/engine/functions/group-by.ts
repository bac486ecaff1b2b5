import { type GroupKey, Groups, groupsInOrder, keyRow } from '../aggregates/groups.ts';
import { countStep, numericTotal } from '../aggregates/result-rows.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { addFields, type Fields } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  slicedRows,
  withLeadingColumns,
} from '../operators/operator.ts';
import { collectRows, type RowSource } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldNames, limit } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

const DEFAULT_GROUPS = 20_000;
/** Limit for counting the groups that are dropped. */
const MAX_GROUPS = 1_000_000;

/** Aggregates per combination of key fields. A missing key field counts as a value. */
export const groupBy = defineAggregate({
  name: 'groupBy',
  uncertain: [
    'Rows are sorted by key in ascending order.',
    'A missing key and an empty key form separate groups.',
    "If an aggregate's output has the same name as a key, it replaces the key.",
    'If `{ … }` returns no row for a group, the group is omitted; with several functions, it counts as an empty row.',
  ],
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    function: withDefault(aggregates, countStep()),
    limit: withDefault(limit({ max: MAX_GROUPS }), DEFAULT_GROUPS),
  },
  compile(args) {
    const { field: fields, limit: maxGroups } = args;
    const inner = args.function;
    return {
      columns: () => withLeadingColumns(fields, inner.columns(undefined)),
      open: (run) => new GroupBy({ fields, inner, maxGroups }, run),
    };
  },
});

interface GroupByOptions {
  readonly fields: readonly string[];
  readonly inner: AggregateStep;
  readonly maxGroups: number;
}

interface Group {
  readonly key: GroupKey;
  readonly accumulator: Accumulator;
}

interface GroupResult {
  readonly key: GroupKey;
  readonly rows: readonly Fields[];
}

class GroupBy implements Accumulator {
  readonly #options: GroupByOptions;
  readonly #run: RunScope;
  readonly #groups: Groups<Group>;

  constructor(options: GroupByOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    const max = Math.min(MAX_GROUPS, run.maxGroups ?? MAX_GROUPS);
    this.#groups = new Groups(options.fields, {
      create(key) {
        run.retain?.(groupBytes(key, options.inner.members?.length));
        return { key, accumulator: options.inner.open(run) };
      },
      max,
      onFull: () => run.warn(`groupBy() counts at most ${max} groups.`),
    });
  }

  from(table: EventTable): TakeEvent {
    const feed = this.#options.inner.feed?.(table);
    if (feed !== undefined) {
      const groupOf = this.#groups.inTable(table);
      return (index) => {
        const group = groupOf(index);
        if (group !== undefined) feed.take(group.accumulator, index);
      };
    }
    const takeOf = this.#groups.openedIn(table, ({ accumulator }) => accumulator.from(table) ?? ignore);
    return (index) => takeOf(index)?.(index);
  }

  *rows(): SlicedWork<readonly Fields[]> {
    const isAll = this.#groups.size <= this.#options.maxGroups && !this.#options.inner.filtersGroups;
    // A million groups need less memory if each gets its rows when its turn comes.
    const shown: Iterable<Group | GroupResult> = isAll ? this.#groups.values() : yield* this.#limited();
    return yield* collectRows(this.#rowsOf(yield* groupsInOrder(shown)), this.#run);
  }

  *#rowsOf(groups: readonly (Group | GroupResult)[]): RowSource {
    for (const group of groups) {
      const rows = 'rows' in group ? group.rows : yield* this.#resultOf(group);
      for (const row of rows) yield addFields(keyRow(this.#options.fields, group.key), row);
    }
  }

  *#resultOf({ accumulator }: Group): SlicedWork<readonly Fields[]> {
    const rows = yield* slicedRows(accumulator);
    return rows.length > 0 || this.#options.inner.filtersGroups ? rows : [{}];
  }

  *#limited(): SlicedWork<readonly GroupResult[]> {
    const { inner, maxGroups } = this.#options;
    const results: GroupResult[] = [];
    for (const group of this.#groups.values()) {
      const rows = yield* this.#resultOf(group);
      if (rows.length > 0) results.push({ key: group.key, rows });
    }
    if (results.length <= maxGroups) return results;
    this.#run.warn(
      `groupBy() shows the ${maxGroups} largest of ${results.length} groups. Set "limit" for more.`,
    );
    const columns = inner.columns(undefined);
    return yield* groupsInOrder(results, ({ rows }) => -numericTotal(rows, columns), maxGroups);
  }
}

function ignore(): void {}
