import type { StoredEvent } from './stored-event.ts';

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
  /** One field of an event; `undefined` when it is missing. */
  valueAt(index: number, name: string): string | undefined;
  /**
   * Whether the value of every field whose name begins with neither `@` nor `#` stands in `@rawstring`, letter for
   * letter.
   */
  isInText(index: number): boolean;
}
