import type { FieldLayout } from './field-layout.ts';
import type { StoredEvent } from './stored-event.ts';

/** What the server adds to the events of a batch with the same tags and time zone. */
export interface EventDefaults {
  /** An event without the client's fields, with all properties in place. */
  readonly template: StoredEvent;
  /** Length of its names and values, except those that differ: the time, the ID and the text. */
  readonly weight: number;
}

/** Numbers for each event of a batch. Offsets are doubled, with a flag in the lowest bit. */
export interface TextColumns {
  /** Start of the attributes (odd: they contain escapes). */
  readonly starts: Uint32Array;
  /** Start of `@rawstring` (odd: it contains escapes); the same as above if it is the text of the attributes. */
  readonly textStarts: Uint32Array;
  /** End of `@rawstring`; not doubled. */
  readonly textEnds: Uint32Array;
  /** Index of the event's layout. */
  readonly layoutIds: Uint16Array;
  /** Index of its defaults. */
  readonly defaultsIds: Uint16Array;
  /** Epoch milliseconds. */
  readonly timestamps: Float64Array;
  /** Nanoseconds of the millisecond. */
  readonly nanos: Uint32Array;
  readonly weights: Uint32Array;
}

/** The index of the events in the text of a batch. */
export interface BatchIndex extends TextColumns {
  readonly layouts: readonly FieldLayout[];
  readonly defaults: readonly EventDefaults[];
}

/** An offset with its flag. */
export function flagged(place: number, flag: boolean): number {
  return place * 2 + (flag ? 1 : 0);
}

/** The part of a JSON text that starts at a flagged offset. */
export function cut(text: string, flaggedStart: number, end: number): string {
  const part = text.slice(flaggedStart >>> 1, end);
  return (flaggedStart & 1) === 0 ? part : (JSON.parse(`"${part}"`) as string);
}
