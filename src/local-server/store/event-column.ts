import type { Column, DistinctTexts } from '../../query-engine/index.ts';
import type { FieldReader } from './event-batch.ts';
import { numberOf } from './field-reader.ts';
import { ValueDictionary } from './value-dictionary.ts';

/** Beyond this share of different values, it is no use to keep them. */
const MAX_DISTINCT_SHARE = 0.75;
/** How many values are looked at before that is decided. */
const MIN_VALUES = 64;
/** Values are counted in 16 bits. */
const MAX_DISTINCT = 0x1_0000;
/** Beyond this, values are likely to be made for their hashes to collide. */
const MAX_COLLISIONS = 1000;

/**
 * One field of the events of a list. Its different values are found once: what a query wants to know of a value, it has
 * to find out once then, not for each event.
 */
export class EventColumn implements Column {
  readonly #reader: FieldReader;
  /** Readers hold on to what was there when they came: values and their numbers only ever become more. */
  #dictionary = new ValueDictionary();
  #ids = new Uint16Array(0);
  #numbers = new Float64Array(0);
  #length = 0;
  #isVaried = false;

  constructor(reader: FieldReader) {
    this.#reader = reader;
  }

  get distinct(): DistinctTexts | undefined {
    if (this.#isVaried) return undefined;
    const { values } = this.#dictionary;
    const ids = this.#ids;
    return { count: values.length, idAt: (index) => ids[index]!, values };
  }

  at(index: number): string | undefined {
    return this.#isVaried ? this.#reader.valueAt(index) : this.#dictionary.values[this.#ids[index]!];
  }

  numberReader(): (index: number) => number {
    const numbers = this.#allNumbers();
    return (index) => numbers[index]!;
  }

  /** Takes in the events that have followed, up to `length`. What was read from the column before stays as it is. */
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
      for (let index = from; index < this.#length; index++) numbers[index] = this.#reader.numberAt(index);
    } else {
      const ids = this.#ids;
      const numberOfId = Float64Array.from(this.#dictionary.values, numberOf);
      for (let index = from; index < this.#length; index++) numbers[index] = numberOfId[ids[index]!]!;
    }
    this.#numbers = numbers;
    return numbers;
  }

  #collect(length: number): void {
    const dictionary = this.#dictionary;
    const ids = new Uint16Array(length);
    ids.set(this.#ids);
    for (let index = this.#length; index < length; index++) {
      const before = dictionary.values.length;
      const id = this.#reader.idAt(index, dictionary);
      if (id === before && this.#isTooMany(id + 1, index)) {
        this.#giveUp();
        return;
      }
      ids[index] = id;
    }
    this.#ids = ids;
  }

  #isTooMany(values: number, index: number): boolean {
    if (values > MAX_DISTINCT || this.#dictionary.collisions > MAX_COLLISIONS) return true;
    return index >= MIN_VALUES && values > index * MAX_DISTINCT_SHARE;
  }

  #giveUp(): void {
    this.#isVaried = true;
    this.#dictionary = new ValueDictionary();
    this.#ids = new Uint16Array(0);
  }
}
