import type { EventBatch } from './event-batch.ts';
import type { EventShape } from './event-shape.ts';
import { NumberList } from './number-list.ts';
import { RowBatch } from './row-batch.ts';
import { type EventEnvelope, type EventIds, TextBatch } from './text-batch.ts';

/** What a batch keeps of an event besides its positions. */
export interface TextEvent {
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

/** Puts together what a {@link TextBatch} knows of its text. */
export class TextBatchBuilder {
  /** As a batch has them: those of an event come before {@link add} is called for it. */
  readonly positions = new NumberList(Uint32Array);
  readonly #firsts = new NumberList(Uint32Array);
  readonly #shapes = new Kinds<EventShape>();
  readonly #envelopes = new Kinds<EventEnvelope>();
  readonly #timestamps = new NumberList(Float64Array);
  readonly #nanos = new NumberList(Uint32Array);
  readonly #weights = new NumberList(Uint32Array);
  #hasNanos = false;
  #first = 0;

  /** How many events there are. */
  get length(): number {
    return this.#firsts.length;
  }

  /** @returns false when the events are of more kinds than a batch can tell apart. */
  add({ shape, envelope, timestamp, nanos, length }: TextEvent): boolean {
    this.#firsts.push(this.#first);
    this.#first = this.positions.length;
    this.#timestamps.push(timestamp);
    this.#nanos.push(nanos);
    if (nanos !== 0) this.#hasNanos = true;
    this.#weights.push(envelope.weight + shape.nameLength + length + digitsOf(timestamp) + digitsOf(nanos));
    return this.#shapes.add(shape) && this.#envelopes.add(envelope);
  }

  build(text: string, ids: EventIds): EventBatch {
    const timestamps = this.#timestamps.taken();
    const weights = this.#weights.taken();
    for (let index = 0; index < weights.length; index++) {
      const seconds = Math.floor(timestamps[index]! / 1000);
      weights[index]! += ids.prefix.length + digitsOf(ids.first + index) + 1 + digitsOf(seconds);
    }
    const layout = {
      positions: this.positions.taken(),
      firsts: this.#firsts.taken(),
      shapes: this.#shapes.kinds,
      shapeOf: this.#shapes.taken(),
      envelopes: this.#envelopes.kinds,
      envelopeOf: this.#envelopes.taken(),
      timestamps,
      nanos: this.#hasNanos ? this.#nanos.taken() : undefined,
      weights,
    };
    const batch = new TextBatch(text, layout, ids);
    return batch.length < MIN_EVENTS ? inRows(batch) : batch;
  }
}

function inRows(batch: EventBatch): RowBatch {
  return new RowBatch(Array.from({ length: batch.length }, (_, index) => batch.rowAt(index)));
}

/** The few different things that many events have, and which of them each has. */
class Kinds<Kind> {
  readonly kinds: Kind[] = [];
  readonly #numbers = new Map<Kind, number>();
  readonly #kindOf = new NumberList(Uint16Array);
  #last: Kind | undefined;
  #lastNumber = 0;

  add(kind: Kind): boolean {
    if (kind !== this.#last) {
      this.#last = kind;
      this.#lastNumber = this.#numberOf(kind);
    }
    this.#kindOf.push(this.#lastNumber);
    return this.kinds.length <= MAX_KINDS;
  }

  taken(): Uint16Array {
    return this.#kindOf.taken();
  }

  #numberOf(kind: Kind): number {
    const known = this.#numbers.get(kind);
    if (known !== undefined) return known;
    const number = this.kinds.push(kind) - 1;
    this.#numbers.set(kind, number);
    return number;
  }
}

/** How many digits a whole number has, from 0 on. */
function digitsOf(number: number): number {
  let digits = 1;
  for (let bound = 10; number >= bound; bound *= 10) digits++;
  return digits;
}
