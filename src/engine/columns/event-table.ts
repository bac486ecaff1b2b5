import type { Fields } from '../event.ts';
import type { Value } from '../value.ts';

/** Processes the event at an index of a table, or tests it. */
export interface OfEvent<Result> {
  (index: number): Result;
  /** The first event from an index on that may matter; the number of events if none does. Default: the index. */
  readonly next?: ((index: number) => number) | undefined;
}

export type TakeEvent = OfEvent<void>;

/** One value per event of a table: a field, or the result of an expression. */
export interface Values {
  at(index: number): Value;
  /** Reads the values as numbers, like `toNumber`; `NaN` if a value is not a number. */
  numberReader(): (index: number) => number;
  /** `undefined` if there are many distinct values, or their number is unknown. */
  readonly distinct?: DistinctTexts | undefined;
}

/** One field of many events. */
export interface Column extends Values {
  /** `undefined` if the event lacks the field. */
  at(index: number): string | undefined;
  /** Like `at`, for a caller that doesn't keep the value, which may be part of a longer string. */
  readonly glance?: (index: number) => string | undefined;
  /**
   * Whether values may contain a string: false only if they don't, known without reading them. For `@rawstring`, also the
   * values of all fields that free text searches, except those that the text of the event doesn't have.
   */
  readonly mayContain?: ((literal: string) => OfEvent<boolean> | undefined) | undefined;
}

/**
 * Small integers for the values of a field: events with the same integer have the same value, or all lack the field.
 */
export interface DistinctTexts {
  /** Upper bound, exclusive. */
  readonly count: number;
  idAt(index: number): number;
  /** The value for each integer, if known; `undefined` for a missing field. */
  readonly values?: readonly (string | undefined)[];
}

/**
 * Events in columns. A row is created each time it is requested.
 *
 * Tables of the store are ordered by time and only grow at the end. Rows that arrive one at a time are a table whose
 * indices all refer to the current row.
 */
export interface EventTable {
  readonly length: number;
  /** Whether events can be read later. If not, keep the row instead of the index. */
  readonly isStable: boolean;
  /** The events as stored, before any step changed them; the table itself if no step did. */
  readonly stored: EventTable;
  /** The field for all events up to the current `length`. */
  column(name: string): Column;
  /** Epoch milliseconds; `NaN` without a time. */
  timeAt(index: number): number;
  /** An event with all its fields. Rows are shared, so don't modify them. */
  row(index: number): Fields;
  /** Whether `@rawstring` contains, unescaped, all values of fields whose names start with neither `@` nor `#`. */
  isInText?(index: number): boolean;
  /** A field that may also have one of these values although they are not in `@rawstring`. */
  readonly besideText?: { readonly field: string; readonly values: readonly string[] } | undefined;
}

/** Consumes the events of tables: a step of a query, or the collector of its result. */
export interface Sink {
  /** Opens a table, whose events are then passed in ascending order; `undefined` if the sink needs none of them. */
  from(table: EventTable): TakeEvent | undefined;
}
