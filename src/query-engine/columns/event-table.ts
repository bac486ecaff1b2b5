import type { Fields } from '../event.ts';

/** Takes the event at an index of a table. */
export type TakeEvent = (index: number) => void;

/** One field of many events. */
export interface Column {
  /** The value of an event; `undefined` when the field is missing. */
  at(index: number): string | undefined;
  /** The values as numbers, as `parseNumber` reads them; `NaN` for those that are none. */
  readonly numbers: Float64Array;
  /** The different values; `undefined` where many events have a value of their own. */
  readonly distinct: DistinctTexts | undefined;
}

/** The different values of a field, `undefined` among them where it is missing, and which of them each event has. */
export interface DistinctTexts {
  readonly values: readonly (string | undefined)[];
  readonly ids: Uint16Array;
}

/**
 * Events in ascending order of time, side by side. They never change, but others may follow at the end.
 *
 * Whoever needs only some fields reads columns: a row is made anew whenever it is asked for.
 */
export interface EventTable {
  readonly length: number;
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
