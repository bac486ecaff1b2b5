import type { FieldLayout } from './field-layout.ts';
import type { StoredEvent } from './stored-event.ts';

/** What the server adds to the events of a batch that have the same tags and time zone. */
export interface EventDefaults {
  /** An event without fields of its own, with all its properties in place. */
  readonly template: StoredEvent;
  /** Length of its names and values, excluding those that differ: the time, the id and the text. */
  readonly weight: number;
}

/** The numbers kept for each event of a text. Places in the text are doubled, which leaves a bit for a flag. */
export interface TextColumns {
  /** Where the attributes begin (odd: they contain escapes). */
  readonly starts: Uint32Array;
  /** Where `@rawstring` begins (odd: it has escapes); the same as above if it is the text of the attributes. */
  readonly textStarts: Uint32Array;
  /** Where `@rawstring` ends; not doubled. */
  readonly textEnds: Uint32Array;
  /** Index of the layout of an event. */
  readonly shapeOf: Uint16Array;
  /** Index of its defaults. */
  readonly envelopeOf: Uint16Array;
  /** Epoch milliseconds. */
  readonly timestamps: Float64Array;
  /** Nanoseconds below the millisecond. */
  readonly nanos: Uint32Array;
  readonly weights: Uint32Array;
}

/** What is known of the events of a text. */
export interface BatchIndex extends TextColumns {
  readonly shapes: readonly FieldLayout[];
  readonly envelopes: readonly EventDefaults[];
}

/** A place in a text, with its flag. */
export function flagged(place: number, flag: boolean): number {
  return place * 2 + (flag ? 1 : 0);
}

/** The part of a JSON text from a flagged place on. */
export function cut(text: string, flaggedStart: number, end: number): string {
  const part = text.slice(flaggedStart >>> 1, end);
  return (flaggedStart & 1) === 0 ? part : (JSON.parse(`"${part}"`) as string);
}
