import { CutField, cut } from './cut-field.ts';
import type { EventBatch, FieldReader } from './event-batch.ts';
import type { EventShape } from './event-shape.ts';
import { TextReader } from './field-reader.ts';
import type { StoredEvent } from './stored-event.ts';

/** What the server says of the events of a batch that have their tags and their time zone in common. */
export interface EventEnvelope {
  /** An event without fields of its own, all its properties in place. */
  readonly template: StoredEvent;
  /** What its names and values weigh without those that differ: the time, the id and the text. */
  readonly weight: number;
}

/**
 * Where the parts of each event are in the text. A position counts twice, so that there is room for a flag.
 *
 * For each event: the start of `@rawstring` (odd: it has escapes), its end (odd: the values of the fields stand in it
 * as they are), the start of each value (odd: it has escapes), and the end of the attributes.
 */
export interface TextLayout {
  readonly positions: Uint32Array;
  /** Where the positions of an event begin. */
  readonly firsts: Uint32Array;
  readonly shapes: readonly EventShape[];
  /** Which of the shapes an event has. */
  readonly shapeOf: Uint16Array;
  readonly envelopes: readonly EventEnvelope[];
  readonly envelopeOf: Uint16Array;
  /** Epoch milliseconds. */
  readonly timestamps: Float64Array;
  /** Nanoseconds below the millisecond; `undefined` when all are 0. */
  readonly nanos: Uint32Array | undefined;
  readonly weights: Uint32Array;
}

/** The id of an event: a prefix, its number, and its second. */
export interface EventIds {
  readonly prefix: string;
  /** The number of the first event. */
  readonly first: number;
}

/** How many positions an event has besides those of its values. */
export const OWN_POSITIONS = 3;

/** Events that are kept as the text in which they came. What a query asks for is cut out when it asks. */
export class TextBatch implements EventBatch {
  readonly #text: string;
  readonly #layout: TextLayout;
  readonly #ids: EventIds;
  /** That of the row that was made last. */
  #template: { row: StoredEvent; shape: EventShape; envelope: EventEnvelope } | undefined;

  constructor(text: string, layout: TextLayout, ids: EventIds) {
    this.#text = text;
    this.#layout = layout;
    this.#ids = ids;
  }

  get length(): number {
    return this.#layout.firsts.length;
  }

  timestampAt(index: number): number {
    return this.#layout.timestamps[index]!;
  }

  weightAt(index: number): number {
    return this.#layout.weights[index]!;
  }

  isInText(index: number): boolean {
    return (this.#layout.positions[this.#layout.firsts[index]! + 1]! & 1) === 1;
  }

  rowAt(index: number): StoredEvent {
    const shape = this.#shapeOf(index);
    const row = { ...this.#templateOf(index, shape) };
    row['@timestamp'] = String(this.#layout.timestamps[index]!);
    row['@timestamp.nanos'] = this.#nanosAt(index);
    row['@id'] = this.#idAt(index);
    row['@rawstring'] = this.#rawstringAt(index);
    for (let place = 0; place < shape.names.length; place++) {
      row[shape.names[place]!] = this.#fieldAt(index, shape, place);
    }
    return row;
  }

  reader(name: string): FieldReader {
    switch (name) {
      case '@rawstring':
        return new TextReader((index) => this.#rawstringAt(index));
      case '@timestamp':
        return new TextReader((index) => String(this.#layout.timestamps[index]!));
      case '@timestamp.nanos':
        return new TextReader((index) => this.#nanosAt(index));
      case '@id':
        return new TextReader((index) => this.#idAt(index));
      default:
        return new CutField(this.#text, this.#layout, name);
    }
  }

  #shapeOf(index: number): EventShape {
    return this.#layout.shapes[this.#layout.shapeOf[index]!]!;
  }

  #envelopeOf(index: number): EventEnvelope {
    return this.#layout.envelopes[this.#layout.envelopeOf[index]!]!;
  }

  /**
   * A row with all properties in place: to make another one of the same form is several times faster than to give it
   * the properties one by one.
   */
  #templateOf(index: number, shape: EventShape): StoredEvent {
    const envelope = this.#envelopeOf(index);
    if (this.#template?.shape !== shape || this.#template.envelope !== envelope) {
      const row: StoredEvent = Object.assign({}, envelope.template);
      for (const name of shape.names) row[name] = '';
      this.#template = { row, shape, envelope };
    }
    return this.#template.row;
  }

  #nanosAt(index: number): string {
    return String(this.#layout.nanos?.[index] ?? 0);
  }

  #idAt(index: number): string {
    const seconds = Math.floor(this.#layout.timestamps[index]! / 1000);
    return `${this.#ids.prefix}${this.#ids.first + index}_${seconds}`;
  }

  #rawstringAt(index: number): string {
    const { positions, firsts } = this.#layout;
    const first = firsts[index]!;
    const start = positions[first]!;
    return this.#cut(start, positions[first + 1]! >>> 1);
  }

  #fieldAt(index: number, shape: EventShape, place: number): string {
    const { positions, firsts } = this.#layout;
    const at = firsts[index]! + 2 + place;
    return this.#cut(positions[at]!, (positions[at + 1]! >>> 1) - shape.gaps[place]!);
  }

  #cut(flaggedStart: number, end: number): string {
    return cut(this.#text, flaggedStart, end);
  }
}
