import { type BatchIndex, type EventDefaults, flagged, type TextColumns } from './batch-index.ts';
import type { EventBatch, EventIds } from './event-batch.ts';
import { type FieldLayout, unescapedLength } from './field-layout.ts';
import { RowBatch } from './row-batch.ts';
import { type ReadLine, TextBatch } from './text-batch.ts';

/** Indices of layouts and defaults have 16 bits. */
const MAX_KINDS = 0x1_0000;

/** With fewer events, the text and its index need more memory than rows. */
const MIN_EVENTS = 32;

/** The usual length of an event. */
const USUAL_LENGTH = 256;

/** Position and time of an event in its text. */
export interface TextEvent {
  readonly layout: FieldLayout;
  /** Start and end of the attributes. */
  readonly start: number;
  readonly end: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Nanoseconds of the millisecond. */
  readonly nanos: number;
  readonly timezone?: string | undefined;
  /** Start of `@rawstring`. Default: {@link NO_TEXT}, if it is the text of the attributes */
  readonly textStart?: number;
  readonly textEnd?: number;
  /** Size for `maxBytes`. Default: the length of names and values */
  readonly weight?: number;
}

export const NO_TEXT = -1;

/** Builds the index of a {@link TextBatch}. */
export class TextBatchBuilder {
  readonly #text: string;
  readonly #layouts = new Kinds<FieldLayout>();
  readonly #defaults = new Kinds<EventDefaults>();
  #columns: TextColumns;
  length = 0;
  /** The next backslash: most batches have none, which one search shows. */
  #backslash = -1;

  /** @param capacity number of events, if it is known */
  constructor(text: string, capacity = MIN_EVENTS + Math.ceil(text.length / USUAL_LENGTH)) {
    this.#text = text;
    this.#columns = textColumns(capacity);
  }

  /** @returns the size of the event without its ID; `undefined` if the batch has too many kinds of events */
  add(event: TextEvent, defaults: EventDefaults): number | undefined {
    const index = this.length++;
    if (index === this.#columns.starts.length) this.#columns = resized(this.#columns, index, 2 * index);
    const { layout, timestamp, nanos } = event;
    const columns = this.#columns;
    const length = this.#addPlaces(event, index);
    const weight =
      event.weight ?? defaults.weight + layout.nameLength + length + digits(timestamp) + digits(nanos);
    columns.layoutIds[index] = this.#layouts.numberOf(layout);
    columns.defaultsIds[index] = this.#defaults.numberOf(defaults);
    columns.timestamps[index] = timestamp;
    columns.nanos[index] = nanos;
    columns.weights[index] = weight;
    return Math.max(this.#layouts.kinds.length, this.#defaults.kinds.length) > MAX_KINDS ? undefined : weight;
  }

  /** @param readLine parses events without a layout, whose text is a line */
  build(ids: EventIds, readLine?: ReadLine): EventBatch {
    const isFull = this.length === this.#columns.starts.length;
    const columns = isFull ? this.#columns : resized(this.#columns, this.length);
    if (readLine === undefined) addIds(columns, ids);
    const index: BatchIndex = Object.assign(columns, {
      layouts: this.#layouts.kinds,
      defaults: this.#defaults.kinds,
    });
    const batch = new TextBatch(this.#text, index, ids, readLine);
    if (batch.length >= MIN_EVENTS) return batch;
    return new RowBatch(Array.from({ length: batch.length }, (_, place) => batch.rowAt(place)));
  }

  /** @returns the length of the event's values and of its text */
  #addPlaces(event: TextEvent, index: number): number {
    const { layout, start, end, textStart = NO_TEXT, textEnd = NO_TEXT } = event;
    const columns = this.#columns;
    // The search for backslashes only moves forward.
    const isTextFirst = textStart !== NO_TEXT && textStart < start;
    const textLength = isTextFirst ? this.#addText(textStart, textEnd, index) : 0;
    columns.starts[index] = flagged(start, this.#hasEscapes(start, end));
    const valueLength = this.#unescapedLength(start, end) - layout.pieceLength;
    if (isTextFirst) return textLength + valueLength;
    if (textStart !== NO_TEXT) return valueLength + this.#addText(textStart, textEnd, index);
    columns.textStarts[index] = flagged(start, false);
    columns.textEnds[index] = end;
    return valueLength + end - start;
  }

  #addText(start: number, end: number, index: number): number {
    this.#columns.textStarts[index] = flagged(start, this.#hasEscapes(start, end));
    this.#columns.textEnds[index] = end;
    return this.#unescapedLength(start, end);
  }

  #hasEscapes(start: number, end: number): boolean {
    if (this.#backslash < start) {
      const backslash = this.#text.indexOf('\\', start);
      this.#backslash = backslash === -1 ? this.#text.length : backslash;
    }
    return this.#backslash < end;
  }

  #unescapedLength(start: number, end: number): number {
    return this.#hasEscapes(start, end) ? unescapedLength(this.#text.slice(start, end)) : end - start;
  }
}

function textColumns(capacity: number): TextColumns {
  return {
    starts: new Uint32Array(capacity),
    textStarts: new Uint32Array(capacity),
    textEnds: new Uint32Array(capacity),
    layoutIds: new Uint16Array(capacity),
    defaultsIds: new Uint16Array(capacity),
    timestamps: new Float64Array(capacity),
    nanos: new Uint32Array(capacity),
    weights: new Uint32Array(capacity),
  };
}

function resized(columns: TextColumns, length: number, capacity = length): TextColumns {
  const copy = textColumns(capacity);
  for (const name of Object.keys(copy) as (keyof TextColumns)[]) {
    copy[name].set(columns[name].subarray(0, length));
  }
  return copy;
}

function addIds({ timestamps, weights }: TextColumns, { prefix, first }: EventIds): void {
  for (let index = 0; index < weights.length; index++) {
    const second = Math.floor(timestamps[index]! / 1000);
    weights[index]! += prefix.length + digits(first + index) + 1 + digits(second);
  }
}

function digits(number: number): number {
  let count = 1;
  for (let bound = 10; number >= bound; bound *= 10) count++;
  return count;
}

/** Distinct values that many events share, and which of them each event has. */
class Kinds<Kind> {
  readonly kinds: Kind[] = [];
  readonly #numbers = new Map<Kind, number>();
  #last: Kind | undefined;
  #lastNumber = 0;

  numberOf(kind: Kind): number {
    if (kind !== this.#last) {
      this.#last = kind;
      this.#lastNumber = this.#numbers.get(kind) ?? this.kinds.push(kind) - 1;
      this.#numbers.set(kind, this.#lastNumber);
    }
    return this.#lastNumber;
  }
}
