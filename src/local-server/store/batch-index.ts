import type { FieldLayout } from './field-layout.ts';
import type { StoredEvent } from './stored-event.ts';

/** What the server says of the events of a batch that have their tags and their time zone in common. */
export interface EventDefaults {
  /** An event without fields of its own, all its properties in place. */
  readonly template: StoredEvent;
  /** What its names and values weigh without those that differ: the time, the id and the text. */
  readonly weight: number;
}

/** What is known of each event of a text. A place in the text counts twice, so that there is room for a flag. */
export interface BatchIndex {
  /** Where the attributes begin (odd: there are escapes in them). */
  readonly starts: Uint32Array;
  /** Where `@rawstring` begins (odd: it has escapes); the same as above where the attributes are the text. */
  readonly textStarts: Uint32Array;
  /** Where `@rawstring` ends; not twice. */
  readonly textEnds: Uint32Array;
  readonly shapes: readonly FieldLayout[];
  /** Which of the shapes an event has. */
  readonly shapeOf: Uint16Array;
  readonly envelopes: readonly EventDefaults[];
  readonly envelopeOf: Uint16Array;
  /** Epoch milliseconds. */
  readonly timestamps: Float64Array;
  /** Nanoseconds below the millisecond; `undefined` when all are 0. */
  readonly nanos: Uint32Array | undefined;
  readonly weights: Uint32Array;
}

/** A place in a text, with its flag. */
export function flagged(place: number, flag: boolean): number {
  return place * 2 + (flag ? 1 : 0);
}

/** The part of a text of JSON from a flagged place on. */
export function cut(text: string, flaggedStart: number, end: number): string {
  const part = text.slice(flaggedStart >>> 1, end);
  return (flaggedStart & 1) === 0 ? part : (JSON.parse(`"${part}"`) as string);
}
