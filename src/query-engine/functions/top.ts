import { fieldName, fieldNames, flag, limit, number, text } from '../argument-types.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { defineAggregate, optional, required, withDefault } from '../function-spec.ts';
import { compareGroupKeys, type GroupKey, Groups, hasAllFields, keyRow } from '../groups.ts';
import type { Accumulator } from '../operator.ts';
import { formatNumber, parseNumber } from '../value.ts';

const MAX_GROUPS = 20_000;

/** The most frequent values of fields, or those with the largest sum or maximum of another field. */
export const top = defineAggregate({
  name: 'top',
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
      call.fail('top() ranks by "sum" or by "max", not by both', 'max');
    const by = max !== undefined ? 'max' : sum !== undefined ? 'sum' : 'count';
    const output = as ?? `_${by}`;
    const options = { fields, maxGroups, output, by, measured: max ?? sum, rest, percent } as const;
    return {
      columns: () => [...fields, output, ...(percent ? ['percent'] : [])],
      open: () => new Top(options),
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
  readonly #ranks: Groups<Rank>;

  constructor(options: TopOptions) {
    this.#options = options;
    this.#ranks = new Groups(options.fields, (key) => ({ key, size: undefined }));
  }

  push(row: Fields): void {
    const { fields, measured } = this.#options;
    if (!hasAllFields(row, fields)) return;
    const amount = measured === undefined ? 1 : parseNumber(readField(row, measured) ?? '');
    const rank = amount === undefined ? undefined : this.#ranks.of(row);
    if (rank !== undefined) rank.size = this.#add(rank.size, amount);
  }

  rows(): readonly Fields[] {
    const { fields, maxGroups, rest } = this.#options;
    const ranks = [...this.#ranks.values()].sort(
      (a, b) => (b.size ?? 0) - (a.size ?? 0) || compareGroupKeys(a.key, b.key),
    );
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
