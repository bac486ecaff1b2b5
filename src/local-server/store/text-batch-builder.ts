import { type BatchIndex, type EventDefaults, flagged } from './batch-index.ts';
import { digitCounter } from './digit-counter.ts';
import { Escapes } from './escapes.ts';
import type { EventBatch } from './event-batch.ts';
import type { EventIds } from './event-ids.ts';
import type { FieldLayout } from './field-layout.ts';
import { RowBatch } from './row-batch.ts';
import { TextBatch } from './text-batch.ts';
import { resized, textColumns } from './text-columns.ts';
import { NO_TEXT, type TextEvent } from './text-event.ts';

/** Shapes and envelopes are counted in 16 bits. */
const MAX_KINDS = 0x1_0000;

/** What a text is kept with takes more memory than so few events. */
const MIN_EVENTS = 32;

/** As many events as a text of this length has when they are of the usual length. */
const FIRST_ROOM = 32;
const USUAL_LENGTH = 256;

/** Puts together what a {@link TextBatch} knows of its text. */
export class TextBatchBuilder {
  readonly #text: string;
  readonly #escapes: Escapes;
  readonly #shapes = new Kinds<FieldLayout>();
  readonly #envelopes = new Kinds<EventDefaults>();
  readonly #digitsOfTime = digitCounter();
  readonly #digitsOfNanos = digitCounter();
  #columns;
  #length = 0;
  #hasNanos = false;

  constructor(text: string) {
    this.#text = text;
    this.#escapes = new Escapes(text);
    this.#columns = textColumns(FIRST_ROOM + Math.ceil(text.length / USUAL_LENGTH));
  }

  /** How many events there are. */
  get length(): number {
    return this.#length;
  }

  /** @returns what the event weighs without its id; `undefined` when there are more kinds than a batch can tell apart. */
  add(event: TextEvent, envelope: EventDefaults): number | undefined {
    const index = this.#length++;
    if (index === this.#columns.starts.length) this.#columns = resized(this.#columns, index, 2 * index);
    const { shape, timestamp, nanos } = event;
    const weight =
      envelope.weight +
      shape.nameLength +
      this.#addPlaces(event, index) +
      this.#digitsOfTime(timestamp) +
      this.#digitsOfNanos(nanos);
    const columns = this.#columns;
    columns.shapeOf[index] = this.#shapes.numberOf(shape);
    columns.envelopeOf[index] = this.#envelopes.numberOf(envelope);
    columns.timestamps[index] = timestamp;
    columns.nanos[index] = nanos;
    columns.weights[index] = weight;
    if (nanos !== 0) this.#hasNanos = true;
    return Math.max(this.#shapes.kinds.length, this.#envelopes.kinds.length) > MAX_KINDS ? undefined : weight;
  }

  /** @returns the length of the event's values and of its text. */
  #addPlaces({ shape, start, end, textStart, textEnd }: TextEvent, index: number): number {
    const escapes = this.#escapes;
    const columns = this.#columns;
    columns.starts[index] = flagged(start, escapes.areIn(start, end));
    const valueLength = escapes.lengthWithout(start, end) - shape.pieceLength;
    if (textStart === NO_TEXT) {
      columns.textStarts[index] = flagged(start, false);
      columns.textEnds[index] = end;
      return valueLength + end - start;
    }
    columns.textStarts[index] = flagged(textStart, escapes.areIn(textStart, textEnd));
    columns.textEnds[index] = textEnd;
    return valueLength + escapes.lengthWithout(textStart, textEnd);
  }

  build(ids: EventIds): EventBatch {
    const columns = resized(this.#columns, this.#length);
    addIds(columns, ids);
    // Spelled out: the engine makes an object that others are spread into of a kind of its own each time.
    const layout: BatchIndex = {
      starts: columns.starts,
      textStarts: columns.textStarts,
      textEnds: columns.textEnds,
      shapes: this.#shapes.kinds,
      shapeOf: columns.shapeOf,
      envelopes: this.#envelopes.kinds,
      envelopeOf: columns.envelopeOf,
      timestamps: columns.timestamps,
      nanos: this.#hasNanos ? columns.nanos : undefined,
      weights: columns.weights,
    };
    const batch = new TextBatch(this.#text, layout, ids);
    return batch.length < MIN_EVENTS ? inRows(batch) : batch;
  }
}

/** Adds what the ids weigh. */
function addIds(
  { timestamps, weights }: { timestamps: Float64Array; weights: Uint32Array },
  ids: EventIds,
): void {
  const digitsOfNumber = digitCounter();
  const digitsOfSecond = digitCounter();
  for (let index = 0; index < weights.length; index++) {
    const second = Math.floor(timestamps[index]! / 1000);
    weights[index]! += ids.prefix.length + digitsOfNumber(ids.first + index) + 1 + digitsOfSecond(second);
  }
}

function inRows(batch: EventBatch): RowBatch {
  return new RowBatch(Array.from({ length: batch.length }, (_, index) => batch.rowAt(index)));
}

/** The few different things that many events have, and which of them each has. */
class Kinds<Kind> {
  readonly kinds: Kind[] = [];
  readonly #numbers = new Map<Kind, number>();
  #last: Kind | undefined;
  #lastNumber = 0;

  numberOf(kind: Kind): number {
    if (kind !== this.#last) {
      this.#last = kind;
      this.#lastNumber = this.#numbers.get(kind) ?? this.#add(kind);
    }
    return this.#lastNumber;
  }

  #add(kind: Kind): number {
    const number = this.kinds.push(kind) - 1;
    this.#numbers.set(kind, number);
    return number;
  }
}
