import type { NumberComparison } from '../../language/diagnostics/text-comparison.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import type { Accumulator, WindowAccumulator } from '../operators/operator.ts';
import { ComparedField } from '../run/compared-fields.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { define, type FunctionSpec, optional, unnamed, withDefault } from '../signature/function-spec.ts';
import { TYPE_NOTE, warnOfType } from '../signature/text-function.ts';
import { toText } from '../value.ts';
import { singleField } from './result-rows.ts';

/** An aggregate of numbers: each number becomes a state, and states are combined. */
export interface NumberFold<State> {
  of(number: number): State;
  combine(older: State, newer: State): State;
  /** The result for at least one number. */
  result(state: State, count: number): number;
  /** Result without numbers. Default: no row. */
  readonly empty?: number;
}

/**
 * Defines an aggregate over the numbers in one field. Ignores events without a number there. A result out of range
 * gives no row. `hasType`: whether it has the parameter `type`.
 */
export function defineNumericAggregate<State>(
  name: string,
  output: string,
  fold: NumberFold<State>,
  {
    uncertain = [],
    hasType = false,
  }: { readonly uncertain?: readonly string[]; readonly hasType?: boolean } = {},
): FunctionSpec {
  return define.aggregate({
    name,
    uncertain,
    ...(hasType && { partial: [TYPE_NOTE] }),
    parameters: {
      field: unnamed(fieldName),
      as: withDefault(fieldName, output),
      ...(hasType && { type: optional(text) }),
    },
    compile({ field, as }, call) {
      warnOfType(call);
      const options = { fold, field: numbersOf(field, name), as };
      return {
        columns: () => [as],
        open: (run) => new FoldTotal(options, run),
        feed(table, run) {
          let total: FoldTotal<State>;
          const take = takeNumbers(table, options.field, run, (number) => total.add(number));
          return {
            take(of: FoldTotal<State>, index) {
              total = of;
              take(index);
            },
          };
        },
        openWindow: (run) => openSlidingFold(options, run),
      };
    },
  });
}

interface FoldOptions<State> {
  readonly fold: NumberFold<State>;
  readonly field: NumberComparison;
  readonly as: string;
}

/** A class, because groups need one for each value of their key: closures would take five times the memory. */
class FoldTotal<State> implements Accumulator {
  readonly #options: FoldOptions<State>;
  readonly #run: RunScope;
  #total: State | undefined;
  #count = 0;

  constructor(options: FoldOptions<State>, run: RunScope) {
    this.#options = options;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    return takeNumbers(table, this.#options.field, this.#run, (number) => this.add(number));
  }

  add(number: number): void {
    const { fold } = this.#options;
    const state = fold.of(number);
    this.#total = this.#count === 0 ? state : fold.combine(this.#total!, state);
    this.#count += 1;
  }

  rows(): readonly Fields[] {
    const { fold, as } = this.#options;
    return singleField(as, toText(this.#count === 0 ? fold.empty : fold.result(this.#total!, this.#count)));
  }
}

function openSlidingFold<State>({ fold, field, as }: FoldOptions<State>, run: RunScope): WindowAccumulator {
  const window = new SlidingFold(fold.combine);
  return {
    from: (table) => takeNumbers(table, field, run, (number) => window.add(fold.of(number))),
    forget: (table) => takeNumbers(table, field, run, () => window.forget()),
    rows() {
      const total = window.total();
      return singleField(as, toText(total === undefined ? fold.empty : fold.result(total, window.size)));
    },
  };
}

/** A field in which a function needs numbers. */
export function numbersOf(field: string, name: string): NumberComparison {
  return { field, operator: '', bound: '', use: `${name}(${field})` };
}

export function takeNumbers(
  table: EventTable,
  numbers: NumberComparison,
  run: RunScope,
  add: (number: number) => void,
): TakeEvent {
  const compared = run.compared?.at(numbers) ?? new ComparedField();
  return compared.taking(table.column(numbers.field), (number) => {
    add(number);
    return true;
  });
}

/**
 * The total of a sliding window, as a queue of two stacks: totals are only combined, never subtracted, so rounding
 * errors don't add up.
 */
class SlidingFold<Item> {
  readonly #combine: (older: Item, newer: Item) => Item;
  /** Totals from each older item to the newest of the older ones; the oldest item is at the end. */
  #older: Item[] = [];
  #newer: Item[] = [];
  #newerTotal: Item | undefined;

  constructor(combine: (older: Item, newer: Item) => Item) {
    this.#combine = combine;
  }

  get size(): number {
    return this.#older.length + this.#newer.length;
  }

  add(item: Item): void {
    this.#newer.push(item);
    this.#newerTotal = this.#join(this.#newerTotal, item);
  }

  /** Removes the oldest item. */
  forget(): void {
    if (this.#older.length === 0) {
      let total: Item | undefined;
      for (const item of this.#newer.reverse()) {
        total = this.#join(item, total);
        this.#older.push(total!);
      }
      this.#newer = [];
      this.#newerTotal = undefined;
    }
    this.#older.pop();
  }

  /** `undefined` if the window is empty. */
  total(): Item | undefined {
    return this.#join(this.#older.at(-1), this.#newerTotal);
  }

  #join(older: Item | undefined, newer: Item | undefined): Item | undefined {
    if (older === undefined) return newer;
    return newer === undefined ? older : this.#combine(older, newer);
  }
}
