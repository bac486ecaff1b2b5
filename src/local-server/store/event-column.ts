import { type Column, type DistinctTexts, parseNumber } from '../../query-engine/index.ts';
import type { ReadField } from './event-batch.ts';

/** With a larger share of different values, collecting them is no use. */
const MAX_DISTINCT_SHARE = 0.75;
/** Values read before that is decided. */
const MIN_VALUES = 64;
/** Values are counted in 16 bits. */
const MAX_DISTINCT = 0x1_0000;

/**
 * One field of the events of a list. Its different values are collected once, so that a query evaluates each of them
 * once, not for every event.
 */
export class EventColumn implements Column {
  readonly #read: ReadField;
  /** The different values. Queries keep using them, so they only grow. */
  #values: (string | undefined)[] = [];
  #idOf = new Map<string | undefined, number>();
  /** The index of the value of each event. */
  #ids = new Uint16Array(0);
  #numbers = new Float64Array(0);
  #length = 0;
  #isVaried = false;

  constructor(read: ReadField) {
    this.#read = read;
  }

  get distinct(): DistinctTexts | undefined {
    if (this.#isVaried) return undefined;
    const values = this.#values;
    const ids = this.#ids;
    return { count: values.length, idAt: (index) => ids[index]!, values };
  }

  at(index: number): string | undefined {
    return this.#isVaried ? this.#read(index) : this.#values[this.#ids[index]!];
  }

  numberReader(): (index: number) => number {
    const numbers = this.#allNumbers();
    return (index) => numbers[index]!;
  }

  /** Reads the events up to `length` that were added to the list. */
  extend(length: number): void {
    if (length > this.#length && !this.#isVaried) this.#collect(length);
    this.#length = length;
  }

  #allNumbers(): Float64Array {
    const from = this.#numbers.length;
    if (from === this.#length) return this.#numbers;
    const numbers = new Float64Array(this.#length);
    numbers.set(this.#numbers);
    if (this.#isVaried) {
      for (let index = from; index < this.#length; index++) numbers[index] = numberOf(this.#read(index));
    } else {
      const numberOfId = Float64Array.from(this.#values, numberOf);
      for (let index = from; index < this.#length; index++) numbers[index] = numberOfId[this.#ids[index]!]!;
    }
    this.#numbers = numbers;
    return numbers;
  }

  #collect(length: number): void {
    const ids = new Uint16Array(length);
    ids.set(this.#ids);
    for (let index = this.#length; index < length; index++) {
      const value = this.#read(index);
      let id = this.#idOf.get(value);
      if (id === undefined) {
        id = this.#values.push(value) - 1;
        this.#idOf.set(value, id);
        if (isTooMany(id + 1, index)) {
          this.#giveUp();
          return;
        }
      }
      ids[index] = id;
    }
    this.#ids = ids;
  }

  #giveUp(): void {
    this.#isVaried = true;
    this.#values = [];
    this.#idOf = new Map();
    this.#ids = new Uint16Array(0);
  }
}

function isTooMany(values: number, index: number): boolean {
  return (index >= MIN_VALUES && values > index * MAX_DISTINCT_SHARE) || values > MAX_DISTINCT;
}

function numberOf(value: string | undefined): number {
  return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
}
