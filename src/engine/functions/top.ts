import { groupsInOrder } from '../aggregates/group-order.ts';
import { Groups, keyRow } from '../aggregates/groups.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { fieldName, fieldNames, flag, limit, number, text } from '../signature/argument-types.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

const MAX_GROUPS = 20_000;
/** Maximum number of values that are counted. */
const MAX_RANKED = 1_000_000;

/** The most frequent values of fields, or those with the largest sum or maximum of another field. */
export const top = define.aggregate({
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

/** The size of a group without events. */
const EMPTY = { count: 0, sum: 0, max: Number.NEGATIVE_INFINITY };

class Top implements Accumulator {
  readonly #options: TopOptions;
  /** The size of each group. */
  readonly #sizes: Groups<number>;

  constructor(options: TopOptions, run: RunScope) {
    this.#options = options;
    this.#sizes = new Groups(options.fields, {
      create(key) {
        run.retain?.(groupBytes(key));
        return EMPTY[options.by];
      },
      max: MAX_RANKED,
      onFull: () => run.warn(`top() counts at most ${MAX_RANKED} values.`),
      needsAll: true,
    });
  }

  from(table: EventTable): TakeEvent {
    const { measured } = this.#options;
    const amountAt = measured === undefined ? () => 1 : table.column(measured).numberReader();
    const placeOf = this.#sizes.inTable(table);
    const sizes = this.#sizes.values;
    return (index) => {
      const amount = amountAt(index);
      const place = Number.isNaN(amount) ? undefined : placeOf(index);
      if (place !== undefined) sizes[place] = this.#add(sizes[place]!, amount);
    };
  }

  *rows(): SlicedWork<readonly Fields[]> {
    const { fields, maxGroups, rest, percent } = this.#options;
    const sizes = this.#sizes.values;
    const limit = rest === undefined && !percent ? maxGroups : undefined;
    const rankOf = (place: number): number => -sizes[place]!;
    const places = yield* groupsInOrder(this.#sizes, { rankOf, limit });
    const total = this.#combine(places);
    const rows = places
      .slice(0, maxGroups)
      .map((place) => this.#row(keyRow(fields, this.#sizes.keyAt(place)), sizes[place]!, total));
    const others = places.slice(maxGroups);
    if (rest !== undefined && others.length > 0) {
      rows.push(this.#row(keyRow(fields, [rest]), this.#combine(others), total));
    }
    return rows;
  }

  #add(size: number, amount: number): number {
    return this.#options.by === 'max' ? Math.max(size, amount) : size + amount;
  }

  #combine(places: readonly number[]): number {
    const sizes = this.#sizes.values;
    return places.reduce((size, place) => this.#add(size, sizes[place]!), EMPTY[this.#options.by]);
  }

  #row(row: Fields, size: number, total: number): Fields {
    const { output, percent } = this.#options;
    // A sum out of range is omitted, as by sum(), and so is its share.
    if (Number.isFinite(size)) writeField(row, output, formatNumber(size));
    if (percent && total !== 0 && Number.isFinite(total)) row.percent = formatNumber((size / total) * 100);
    return row;
  }
}
