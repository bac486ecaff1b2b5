import { limitedText } from '../text/text-limit.ts';
import { toText, type Value } from '../value.ts';
import type { Column } from './event-table.ts';

/** A field that has been set to the values of an expression, where it has any. */
export class AssignedColumn implements Column {
  readonly distinct = undefined;
  readonly #before: Column;
  readonly #valueAt: (index: number) => Value;
  readonly #readNumbers: () => (index: number) => number;

  constructor(
    before: Column,
    valueAt: (index: number) => Value,
    readNumbers: () => (index: number) => number,
  ) {
    this.#before = before;
    this.#valueAt = valueAt;
    this.#readNumbers = readNumbers;
  }

  at(index: number): string | undefined {
    const text = toText(this.#valueAt(index));
    return text === undefined ? this.#before.at(index) : limitedText(text);
  }

  numberReader(): (index: number) => number {
    const assignedAt = this.#readNumbers();
    const beforeAt = this.#before.numberReader();
    return (index) => {
      const number = assignedAt(index);
      if (!Number.isNaN(number)) return number === 0 ? 0 : number;
      // What is no number may still be a text, which is no number either.
      return this.#valueAt(index) === undefined ? beforeAt(index) : Number.NaN;
    };
  }
}
