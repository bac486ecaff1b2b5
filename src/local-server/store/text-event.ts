import type { FieldLayout } from './field-layout.ts';

/** Where an event is in its text, and when it happened. */
export interface TextEvent {
  readonly shape: FieldLayout;
  /** Where the attributes begin. */
  readonly start: number;
  /** Where they end. */
  readonly end: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Nanoseconds below the millisecond. */
  readonly nanos: number;
  /** Where the text of the event begins, if it is not that of its attributes; else {@link NO_TEXT}. */
  readonly textStart: number;
  readonly textEnd: number;
}

export const NO_TEXT = -1;
