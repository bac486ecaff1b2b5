import { readField } from '../../engine/index.ts';
import { type BatchIndex, cut, type EventDefaults } from './batch-index.ts';
import type { EventBatch, EventIds, KeptRequest, ReadField } from './event-batch.ts';
import type { FieldLayout } from './field-layout.ts';
import type { StoredEvent } from './stored-event.ts';
import { ValuePlaces } from './value-places.ts';

/** Events stored as the text of their request. Values are cut out on demand. */
export class TextBatch implements EventBatch {
  readonly #text: string;
  readonly #layout: BatchIndex;
  readonly #ids: EventIds;
  readonly #places: ValuePlaces;
  /** The template of the previous row. */
  #template: { row: StoredEvent; shape: FieldLayout; envelope: EventDefaults } | undefined;

  constructor(text: string, layout: BatchIndex, ids: EventIds) {
    this.#text = text;
    this.#layout = layout;
    this.#ids = ids;
    this.#places = new ValuePlaces(text, layout);
  }

  get request(): KeptRequest {
    const envelopes = this.#layout.envelopes.map(({ template }) => template);
    return { text: this.#text, ids: this.#ids, envelopes };
  }

  get length(): number {
    return this.#layout.starts.length;
  }

  timestampAt(index: number): number {
    return this.#layout.timestamps[index]!;
  }

  weightAt(index: number): number {
    return this.#layout.weights[index]!;
  }

  isInText(index: number): boolean {
    const { starts, textStarts } = this.#layout;
    return textStarts[index] === starts[index] && (starts[index]! & 1) === 0;
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

  reader(name: string): ReadField {
    switch (name) {
      case '@rawstring':
        return (index) => this.#rawstringAt(index);
      case '@timestamp':
        return (index) => String(this.#layout.timestamps[index]!);
      case '@timestamp.nanos':
        return (index) => this.#nanosAt(index);
      case '@id':
        return (index) => this.#idAt(index);
      default:
        return this.#fieldReader(name);
    }
  }

  #fieldReader(name: string): ReadField {
    let shape: FieldLayout | undefined;
    let place: number | undefined;
    return (index) => {
      const current = this.#shapeOf(index);
      if (current !== shape) {
        shape = current;
        place = current.placeOf(name);
      }
      if (place === undefined) return readField(this.#envelopeOf(index).template, name);
      return this.#fieldAt(index, current, place);
    };
  }

  #shapeOf(index: number): FieldLayout {
    return this.#layout.shapes[this.#layout.shapeOf[index]!]!;
  }

  #envelopeOf(index: number): EventDefaults {
    return this.#layout.envelopes[this.#layout.envelopeOf[index]!]!;
  }

  /**
   * A row with all properties in place: copying another row of the same layout is several times faster than adding
   * properties one by one.
   */
  #templateOf(index: number, shape: FieldLayout): StoredEvent {
    const envelope = this.#envelopeOf(index);
    if (this.#template?.shape !== shape || this.#template.envelope !== envelope) {
      const row: StoredEvent = Object.assign({}, envelope.template);
      for (const name of shape.names) row[name] = '';
      this.#template = { row, shape, envelope };
    }
    return this.#template.row;
  }

  #nanosAt(index: number): string {
    return String(this.#layout.nanos[index]!);
  }

  #idAt(index: number): string {
    const seconds = Math.floor(this.#layout.timestamps[index]! / 1000);
    return `${this.#ids.prefix}${this.#ids.first + index}_${seconds}`;
  }

  #rawstringAt(index: number): string {
    const { textStarts, textEnds } = this.#layout;
    return cut(this.#text, textStarts[index]!, textEnds[index]!);
  }

  #fieldAt(index: number, shape: FieldLayout, place: number): string {
    const start = this.#places.startOf(index, place);
    return cut(this.#text, start, this.#places.endOf(index, place, shape));
  }
}
