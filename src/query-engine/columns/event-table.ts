import type { Fields } from '../event.ts';
import type { Value } from '../value.ts';

/** Takes the event at an index of a table. */
export type TakeEvent = (index: number) => void;

/** One value for each event of a table: a field, or what an expression makes of fields. */
export interface Values {
  at(index: number): Value;
  /** Reads the values as numbers, as `toNumber` does; `NaN` for those that are none. */
  numberReader(): (index: number) => number;
}

/** One field of many events. */
export interface Column extends Values {
  /** The value of an event; `undefined` when the field is missing. */
  at(index: number): string | undefined;
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
 * Events side by side. They are read by column; a row is made anew whenever one is requested.
 *
 * A table of the store has events in ascending order of time, which never change; others may follow at the end. Rows
 * that come one by one are a table, too, in which every index stands for the current row.
 */
export interface EventTable {
  readonly length: number;
  /** Whether an event can still be read after others have been taken. If not, keep its row instead of its index. */
  readonly isStable: boolean;
  /** The events as they were stored, where this is what a query has made of them; else the table itself. */
  readonly stored: EventTable;
  /** The events have this field as far as `length` says now. */
  column(name: string): Column;
  /** The time of an event in epoch milliseconds; `NaN` when it has none. */
  timeAt(index: number): number;
  /** An event with all its fields. It may be shared, so it must not be changed. */
  row(index: number): Fields;
  /** Whether `@rawstring` contains, unescaped, every value whose field name begins with neither `@` nor `#`. */
  isInText?(index: number): boolean;
}

/** Takes the events of tables: a step of a query, or what collects its result. */
export interface Sink {
  /** Opens a table. Its events are then taken in ascending order; `undefined` when none of them is of interest. */
  from(table: EventTable): TakeEvent | undefined;
}
