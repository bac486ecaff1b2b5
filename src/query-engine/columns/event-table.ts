import type { Fields } from '../event.ts';

/** Takes the event at an index of a table. */
export type TakeEvent = (index: number) => void;

/** One field of many events. */
export interface Column {
  /** The value of an event; `undefined` when the field is missing. */
  at(index: number): string | undefined;
  /** Reads the values as numbers, as `parseNumber` does; `NaN` for those that are none. */
  numberReader(): (index: number) => number;
  /** Tells the different values apart; `undefined` where many events have a value of their own. */
  readonly distinct: DistinctTexts | undefined;
}

/** Small numbers for the values of a field: events with the same number have the same value, or all lack the field. */
export interface DistinctTexts {
  /** All numbers are below this. */
  readonly count: number;
  idAt(index: number): number;
  /** The value of each number, where they are there already, `undefined` for a field that is missing. */
  readonly values?: readonly (string | undefined)[];
}

/**
 * Events in ascending order of time, side by side. They never change, but others may follow at the end.
 *
 * Whoever needs only some fields reads columns: a row is made anew whenever it is asked for.
 */
export interface EventTable {
  readonly length: number;
  /** The events as they were stored, where this is what a query has made of them; else the table itself. */
  readonly stored: EventTable;
  /** The events have this field as far as `length` says now. */
  column(name: string): Column;
  /** The time of an event, epoch milliseconds. */
  timeAt(index: number): number;
  /** An event with all its fields. It may be shared, so it must not be changed. */
  row(index: number): Fields;
  /**
   * Whether the value of every field whose name begins with neither `@` nor `#` stands in `@rawstring`, letter for
   * letter.
   */
  isInText(index: number): boolean;
}
