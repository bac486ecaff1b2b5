import type { StoredEvent } from './stored-event.ts';

export interface EventIds {
  readonly prefix: string;
  readonly first: number;
}

/** The text of a request, and what the server added to its events: enough to read them again. */
export interface KeptRequest {
  readonly text: string;
  readonly ids: EventIds;
  /** An event without the client's fields per combination of tags and time zone, in the order of the text. */
  readonly templates: readonly StoredEvent[];
}

/** The value of one field by event index; `undefined` if the event lacks it. */
export type ReadField = (index: number) => string | undefined;

/** Events that arrived together, in order of arrival. Immutable, and so are its rows. */
export interface EventBatch {
  readonly length: number;
  timestampAt(index: number): number;
  /** The size of an event for `maxBytes`: the length of its names and values. */
  weightAt(index: number): number;
  rowAt(index: number): StoredEvent;
  reader(name: string): ReadField;
  /**
   * Which events may contain a string, in `@rawstring` or another field that is not the server's own; `undefined` if a
   * test of `@rawstring` is as fast.
   */
  mayContain?(literal: string): ((index: number) => boolean) | undefined;
  /** Whether `@rawstring` contains, unescaped, the values of all fields whose names start with neither `@` nor `#`. */
  isInText(index: number): boolean;
  /** Whether `level` can be the label of a number, or another spelling of a word, in `@rawstring`. */
  readonly hasLabels?: boolean;
  /** The source of the events, if it is smaller than the events. */
  readonly request?: KeptRequest | undefined;
}
