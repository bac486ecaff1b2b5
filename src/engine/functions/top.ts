import { type GroupKey, Groups, groupsInOrder, keyRow } from '../aggregates/groups.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { fieldName, fieldNames, flag, limit, number, text } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

const MAX_GROUPS = 20_000;
/** Maximum number of values that are counted. */
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
      open: (run) => new Top(options, run),
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

interface Rank {
  readonly key: GroupKey;
  size: number | undefined;
}

class Top implements Accumulator {
  readonly #options: TopOptions;
  readonly #ranks: Groups<Rank>;

  constructor(options: TopOptions, run: RunScope) {
    this.#options = options;
    this.#ranks = new Groups(options.fields, {
      create(key) {
        run.retain?.(groupBytes(key));
        return { key, size: undefined };
      },
      max: MAX_RANKED,
      onFull: () => run.warn(`top() counts at most ${MAX_RANKED} values.`),
      needsAll: true,
    });
  }

  from(table: EventTable): TakeEvent {
    const { measured } = this.#options;
    const amountAt = measured === undefined ? () => 1 : table.column(measured).numberReader();
    const rankOf = this.#ranks.inTable(table);
    return (index) => {
      const amount = amountAt(index);
      const rank = Number.isNaN(amount) ? undefined : rankOf(index);
      if (rank !== undefined) rank.size = this.#add(rank.size, amount);
    };
  }

  *rows(): SlicedWork<readonly Fields[]> {
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
