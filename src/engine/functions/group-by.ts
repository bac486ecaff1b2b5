import { groupsInOrder } from '../aggregates/group-order.ts';
import { Groups, keyRow } from '../aggregates/groups.ts';
import { countStep, numericTotal } from '../aggregates/result-rows.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { addFields, type Fields } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  slicedRows,
  withLeadingColumns,
} from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource, SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldNames, limit } from '../signature/argument-types.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';

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

class GroupBy implements Accumulator {
  readonly #options: GroupByOptions;
  readonly #run: RunScope;
  readonly #groups: Groups<Accumulator>;

  constructor(options: GroupByOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    const max = Math.min(MAX_GROUPS, run.maxGroups ?? MAX_GROUPS);
    this.#groups = new Groups(options.fields, {
      create(key) {
        run.retain?.(groupBytes(key, options.inner.members?.length));
        return options.inner.open(run);
      },
      max,
      onFull: () => run.warn(`groupBy() counts at most ${max} groups.`),
    });
  }

  from(table: EventTable): TakeEvent {
    const feed = this.#options.inner.feed?.(table);
    if (feed !== undefined) {
      const { values } = this.#groups;
      const placeOf = this.#groups.inTable(table);
      return (index) => {
        const place = placeOf(index);
        if (place !== undefined) feed.take(values[place]!, index);
      };
    }
    const takeOf = this.#groups.openedIn(table, (accumulator) => accumulator.from(table) ?? ignore);
    return (index) => takeOf(index)?.(index);
  }

  rows(): SlicedWork<readonly Fields[]> {
    return collectRows(this.eachRow(), this.#run);
  }

  *eachRow(): RowSource {
    const isAll = this.#groups.size <= this.#options.maxGroups && !this.#options.inner.filtersGroups;
    // A million groups need less memory if each gets its rows when its turn comes.
    const made = isAll ? undefined : yield* this.#allRows();
    const places = made && (yield* this.#largest(made));
    const shown = yield* groupsInOrder(this.#groups, { places });
    yield* this.#rowsOf(shown, made);
  }

  *#rowsOf(places: readonly number[], made: readonly (readonly Fields[])[] | undefined): RowSource {
    for (const place of places) {
      const key = this.#groups.keyAt(place);
      const rows = made?.[place] ?? (yield* this.#rowsAt(place));
      for (const row of rows) yield addFields(keyRow(this.#options.fields, key), row);
    }
  }

  *#rowsAt(place: number): SlicedWork<readonly Fields[]> {
    const rows = yield* slicedRows(this.#groups.values[place]!);
    return rows.length > 0 || this.#options.inner.filtersGroups ? rows : [{}];
  }

  /** The rows of each group. */
  *#allRows(): SlicedWork<readonly (readonly Fields[])[]> {
    const made: (readonly Fields[])[] = [];
    for (const place of this.#groups.values.keys()) made.push(yield* this.#rowsAt(place));
    return made;
  }

  /** The places of the groups with the largest results. */
  *#largest(made: readonly (readonly Fields[])[]): SlicedWork<readonly number[]> {
    const { inner, maxGroups } = this.#options;
    const places = [...made.keys()].filter((place) => made[place]!.length > 0);
    if (places.length <= maxGroups) return places;
    this.#run.warn(
      `groupBy() shows the ${maxGroups} largest of ${places.length} groups. Set "limit" for more.`,
    );
    const columns = inner.columns(undefined);
    const rankOf = (place: number): number => -numericTotal(made[place]!, columns);
    return yield* groupsInOrder(this.#groups, { places, rankOf, limit: maxGroups });
  }
}

function ignore(): void {}
