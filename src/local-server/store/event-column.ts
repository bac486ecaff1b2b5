import { type Column, type DistinctTexts, parseNumber } from '../../query-engine/index.ts';
import type { ReadValue } from './event-batch.ts';

/** Beyond this share of different values, it is no use to keep them. */
const MAX_DISTINCT_SHARE = 0.75;
/** How many values are looked at before that is decided. */
const MIN_VALUES = 64;
/** Values are counted in 16 bits. */
const MAX_DISTINCT = 0x1_0000;

/**
 * One field of the events of a list. Its different values are found once: what a query wants to know of a value, it has
 * to find out once then, not for each event.
 */
export class EventColumn implements Column {
  readonly #read: ReadValue;
  #values: (string | undefined)[] = [];
  #ids = new Uint16Array(0);
  #numbers = new Float64Array(0);
  #length = 0;
  #isVaried = false;

  constructor(read: ReadValue) {
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

  #allNumbers(): Float64Array {
    const from = this.#numbers.length;
    if (from === this.#length) return this.#numbers;
    const numbers = new Float64Array(this.#length);
    numbers.set(this.#numbers);
    const read = this.#isVaried ? (index: number) => numberOf(this.#read(index)) : this.#numberReader();
    for (let index = from; index < this.#length; index++) numbers[index] = read(index);
    this.#numbers = numbers;
    return numbers;
  }

  /** Takes in the events that have followed, up to `length`. What was read from the column before stays as it is. */
  extend(length: number): void {
    if (length > this.#length && !this.#isVaried) this.#collect(length);
    this.#length = length;
  }

  #collect(length: number): void {
    const values = [...this.#values];
    const places = new Map(values.map((value, place) => [value, place]));
    const ids = new Uint16Array(length);
    ids.set(this.#ids);
    for (let index = this.#length; index < length; index++) {
      const value = this.#read(index);
      let place = places.get(value);
      if (place === undefined) {
        place = values.push(value) - 1;
        places.set(value, place);
        const isMuch = index >= MIN_VALUES && values.length > index * MAX_DISTINCT_SHARE;
        if (isMuch || values.length > MAX_DISTINCT) {
          this.#giveUp();
          return;
        }
      }
      ids[index] = place;
    }
    this.#values = values;
    this.#ids = ids;
  }

  #giveUp(): void {
    this.#isVaried = true;
    this.#values = [];
    this.#ids = new Uint16Array(0);
  }

  #numberReader(): (index: number) => number {
    const numbers = Float64Array.from(this.#values, numberOf);
    const ids = this.#ids;
    return (index) => numbers[ids[index]!]!;
  }
}

function numberOf(value: string | undefined): number {
  return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
}
