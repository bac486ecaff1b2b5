import type { TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField, readNumber, writeField } from '../event.ts';
import type { AggregateStep, WindowAccumulator } from '../operators/operator.ts';
import { formatNumber } from '../value.ts';

/** `count(as=…)`, the default aggregate of several functions. */
export function countStep(as = '_count'): AggregateStep {
  const open = (): WindowAccumulator => new EventCount(as);
  const feed = { take: (count: EventCount) => count.add() };
  return { columns: () => [as], open, openWindow: open, feed: () => feed };
}

class EventCount implements WindowAccumulator {
  readonly #as: string;
  #count = 0;

  constructor(as: string) {
    this.#as = as;
  }

  add(): void {
    this.#count += 1;
  }

  from(): TakeEvent {
    return () => this.add();
  }

  forget(): TakeEvent {
    return () => {
      this.#count -= 1;
    };
  }

  rows(): readonly Fields[] {
    return singleField(this.#as, formatNumber(this.#count));
  }
}

/** The sum of all numbers in the given columns, for ranking groups and series. */
export function numericTotal(rows: readonly Fields[], columns: readonly string[] | undefined): number {
  let total = 0;
  for (const row of rows) {
    for (const name of columns ?? Object.keys(row)) total += readNumber(row, name) ?? 0;
  }
  return total;
}

export function hasAllFields(row: Fields, names: readonly string[]): boolean {
  return names.every((name) => readField(row, name) !== undefined);
}

/** A row of fields with these names and values. Missing values are omitted. */
export function rowOfValues(names: readonly string[], values: readonly (string | undefined)[]): Fields {
  const row: Fields = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== undefined) writeField(row, name, value);
  }
  return row;
}

/** A new row with the given fields in the given order. Missing fields are omitted. */
export function pickFields(row: Fields, names: readonly string[]): Fields {
  return rowOfValues(
    names,
    names.map((name) => readField(row, name)),
  );
}

/** A result of one row with one field; no row without a value. */
export function singleField(name: string, value: string | undefined): readonly Fields[] {
  if (value === undefined) return [];
  const row: Fields = {};
  writeField(row, name, value);
  return [row];
}
