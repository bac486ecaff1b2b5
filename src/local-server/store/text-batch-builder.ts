import { digitCounter } from './digit-counter.ts';
import type { EventBatch } from './event-batch.ts';
import type { EventShape } from './event-shape.ts';
import { RowBatch } from './row-batch.ts';
import { type EventIds, TextBatch } from './text-batch.ts';
import { resized, textColumns } from './text-columns.ts';
import type { EventEnvelope, TextLayout } from './text-layout.ts';

/** What a batch keeps of an event. Its places are flagged as in a layout. */
export interface TextEvent {
  readonly start: number;
  readonly textStart: number;
  readonly textEnd: number;
  readonly shape: EventShape;
  readonly envelope: EventEnvelope;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Nanoseconds below the millisecond. */
  readonly nanos: number;
  /** The length of the text and of all values of the event's own. */
  readonly length: number;
}

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
  readonly #shapes = new Kinds<EventShape>();
  readonly #envelopes = new Kinds<EventEnvelope>();
  readonly #digitsOfTime = digitCounter();
  readonly #digitsOfNanos = digitCounter();
  #columns;
  #length = 0;
  #hasNanos = false;

  constructor(text: string) {
    this.#text = text;
    this.#columns = textColumns(FIRST_ROOM + Math.ceil(text.length / USUAL_LENGTH));
  }

  /** How many events there are. */
  get length(): number {
    return this.#length;
  }

  /** @returns false when the events are of more kinds than a batch can tell apart. */
  add(event: TextEvent): boolean {
    const { shape, envelope, timestamp, nanos } = event;
    const index = this.#length;
    if (index === this.#columns.starts.length) this.#columns = resized(this.#columns, index, 2 * index);
    const columns = this.#columns;
    columns.starts[index] = event.start;
    columns.textStarts[index] = event.textStart;
    columns.textEnds[index] = event.textEnd;
    columns.shapeOf[index] = this.#shapes.numberOf(shape);
    columns.envelopeOf[index] = this.#envelopes.numberOf(envelope);
    columns.timestamps[index] = timestamp;
    columns.nanos[index] = nanos;
    const digits = this.#digitsOfTime(timestamp) + this.#digitsOfNanos(nanos);
    columns.weights[index] = envelope.weight + shape.nameLength + event.length + digits;
    if (nanos !== 0) this.#hasNanos = true;
    this.#length++;
    return this.#shapes.kinds.length <= MAX_KINDS && this.#envelopes.kinds.length <= MAX_KINDS;
  }

  build(ids: EventIds): EventBatch {
    const columns = resized(this.#columns, this.#length);
    addIds(columns, ids);
    const layout: TextLayout = {
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
