import type { StoredEvent } from './stored-event.ts';

export interface EventIds {
  readonly prefix: string;
  readonly first: number;
}

/** The text of a request, and what the server added to its events: enough to read them again as they were. */
export interface KeptRequest {
  readonly text: string;
  readonly ids: EventIds;
  /** An event without fields of its own for each combination of tags and time zone, in the order of the text. */
  readonly envelopes: readonly StoredEvent[];
}

/** The value of one field by the index of the event; `undefined` where the field is missing. */
export type ReadField = (index: number) => string | undefined;

/**
 * Events that came in together, in the order in which they came. However a batch keeps them: it is never changed, and
 * what it gives as a row must not be changed either.
 */
export interface EventBatch {
  readonly length: number;
  timestampAt(index: number): number;
  /** What the event weighs against `maxBytes`: its names and values as text. */
  weightAt(index: number): number;
  rowAt(index: number): StoredEvent;
  reader(name: string): ReadField;
  /**
   * Whether the value of every field whose name begins with neither `@` nor `#` stands in `@rawstring`, letter for
   * letter.
   */
  isInText(index: number): boolean;
  /** What the events can be made of again, where that is less than all of them. */
  readonly request?: KeptRequest;
}
