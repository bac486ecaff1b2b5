import { type Column, type DistinctTexts, parseNumber } from '../../engine/index.ts';
import type { ReadField } from './event-batch.ts';

/** With a larger share of distinct values, collecting them does not pay. */
const MAX_DISTINCT_SHARE = 0.75;
/** Number of values to read before that decision. */
const MIN_VALUES = 64;
/** Indices of values have 16 bits. */
const MAX_DISTINCT = 0x1_0000;

/** One field of the events of a list. Collects its distinct values, so that queries evaluate each of them once. */
export class EventColumn implements Column {
  readonly mayContain: Column['mayContain'];
  readonly #read: ReadField;
  /** The distinct values. Queries keep using this array, so it only grows. */
  #values: (string | undefined)[] = [];
  #idOf = new Map<string | undefined, number>();
  /** The index of each event's value. */
  #ids = new Uint16Array(0);
  #numbers = new Float64Array(0);
  #length = 0;
  #isVaried = false;

  constructor(read: ReadField, mayContain?: Column['mayContain']) {
    this.#read = read;
    this.mayContain = mayContain;
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

  /** Reads the events added to the list, up to `length`. */
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
        const isVaried = index >= MIN_VALUES && id + 1 > index * MAX_DISTINCT_SHARE;
        if (isVaried || id + 1 > MAX_DISTINCT) return void this.#giveUp();
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

function numberOf(value: string | undefined): number {
  return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
}
