import { type GroupKey, Groups, groupsInOrder, hasAllFields, keyRow } from '../aggregates/groups.ts';
import { allTests, columnTest } from '../columns/column-test.ts';
import type { Column, EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';
import { fieldName, fieldNames, flag, limit, number, text } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber, parseNumber } from '../value.ts';

const MAX_GROUPS = 20_000;
/** Further values are not counted: their number is only bounded by that of the events. */
const MAX_RANKED = 1_000_000;

/** The most frequent values of fields, or those with the largest sum or maximum of another field. */
export const top = defineAggregate({
  name: 'top',
  uncertain: ['Ties are sorted in ascending order of the values.'],
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    limit: withDefault(limit({ max: MAX_GROUPS }), 10),
    as: optional(fieldName),
    sum: optional(fieldName),
    max: optional(fieldName),
    rest: optional(text),
    percent: withDefault(flag, false),
    // The service estimates; we count, so the tolerated error is accepted and not needed.
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
      reads: [...fields, ...(options.measured === undefined ? [] : [options.measured])],
      open: (run) => new Top(options, run),
    };
  },
});

interface TopOptions {
  readonly fields: readonly string[];
  readonly maxGroups: number;
  readonly output: string;
  readonly by: 'count' | 'sum' | 'max';
  /** The field that is summed up or whose maximum counts. */
  readonly measured: string | undefined;
  readonly rest: string | undefined;
  readonly percent: boolean;
}

interface Rank {
  readonly key: GroupKey;
  size: number | undefined;
}

class Top implements Accumulator {
  readonly #options: TopOptions;
  readonly #run: RunScope;
  readonly #ranks: Groups<Rank>;

  constructor(options: TopOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#ranks = new Groups(options.fields, (key) => {
      run.retain?.(groupBytes(key));
      return { key, size: undefined };
    });
  }

  push(row: Fields): void {
    const { fields, measured } = this.#options;
    if (!hasAllFields(row, fields)) return;
    const amount = measured === undefined ? 1 : parseNumber(readField(row, measured) ?? '');
    if (amount !== undefined) this.#count(this.#ranks.of(row, MAX_RANKED), amount);
  }

  from(table: EventTable): TakeEvent | undefined {
    const { fields, measured } = this.#options;
    const amountAt = measured === undefined ? undefined : table.column(measured).numberReader();
    const [only] = fields;
    const column = fields.length === 1 && only !== undefined ? table.column(only) : undefined;
    if (column !== undefined && column.distinct === undefined) return this.#takeValues(column, amountAt);
    const hasAll = allTests(
      fields.map((name) => columnTest(table.column(name), (value) => value !== undefined)),
    );
    if (hasAll === false) return undefined;
    const rankOf = this.#ranks.inTable(table, (rank) => rank, MAX_RANKED);
    return (index) => {
      const amount = amountAt === undefined ? 1 : amountAt(index);
      if (Number.isNaN(amount) || (hasAll !== true && !hasAll(index))) return;
      this.#count(rankOf(index), amount);
    };
  }

  /** Nearly each event has a value of its own: it is looked at once. */
  #takeValues(column: Column, amountAt: ((index: number) => number) | undefined): TakeEvent {
    return (index) => {
      const value = column.at(index);
      const amount = amountAt === undefined ? 1 : amountAt(index);
      if (value !== undefined && !Number.isNaN(amount)) {
        this.#count(this.#ranks.ofValue(value, MAX_RANKED), amount);
      }
    };
  }

  rows(): readonly Fields[] {
    return finish(this.slicedRows());
  }

  *slicedRows(): SlicedWork<readonly Fields[]> {
    const { fields, maxGroups, rest, percent } = this.#options;
    const limit = rest === undefined && !percent ? maxGroups : undefined;
    const ranks = yield* groupsInOrder(this.#ranks.values(), ({ size = 0 }) => -size, limit);
    const total = this.#combine(ranks);
    const rows = ranks
      .slice(0, maxGroups)
      .map(({ key, size = 0 }) => this.#row(keyRow(fields, key), size, total));
    const others = ranks.slice(maxGroups);
    if (rest !== undefined && others.length > 0) {
      rows.push(this.#row(keyRow(fields, [rest]), this.#combine(others), total));
    }
    return rows;
  }

  #count(rank: Rank | undefined, amount: number): void {
    if (rank === undefined) this.#run.warn(`top() counts at most ${MAX_RANKED} values.`);
    else rank.size = this.#add(rank.size, amount);
  }

  #add(size: number | undefined, amount = 0): number {
    if (size === undefined) return amount;
    return this.#options.by === 'max' ? Math.max(size, amount) : size + amount;
  }

  #combine(ranks: readonly Rank[]): number {
    return ranks.reduce<number | undefined>((size, rank) => this.#add(size, rank.size), undefined) ?? 0;
  }

  #row(row: Fields, size: number, total: number): Fields {
    const { output, percent } = this.#options;
    writeField(row, output, formatNumber(size));
    if (percent && total !== 0) row.percent = formatNumber((size / total) * 100);
    return row;
  }
}
