import type { KeptRequest } from './kept-request.ts';
import type { StoredEvent } from './stored-event.ts';

/** Reads a field of the event at an index. */
export type ReadValue = (index: number) => string | undefined;

/**
 * Events that came in together, in the order in which they came. However a batch keeps them: it is never changed, and
 * what it gives as a row must not be changed either.
 */
export interface EventBatch {
  readonly length: number;
  /** Epoch milliseconds. */
  timestampAt(index: number): number;
  /** What the event weighs against `maxBytes`: its names and values as text. */
  weightAt(index: number): number;
  /** The event with all its fields. */
  rowAt(index: number): StoredEvent;
  /** What reads one field of the events: it gives `undefined` where the field is missing. */
  reader(name: string): ReadValue;
  /**
   * Whether the value of every field whose name begins with neither `@` nor `#` stands in `@rawstring`, letter for
   * letter.
   */
  isInText(index: number): boolean;
  /** What the events can be made of again, where that is less than all of them. */
  readonly request?: KeptRequest;
}
