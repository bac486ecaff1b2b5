import { readField } from '../../query-engine/index.ts';
import { type BatchIndex, cut } from './batch-index.ts';
import type { FieldReader } from './event-batch.ts';
import type { FieldLayout } from './field-layout.ts';
import { numberOf, plainNumberAt } from './field-reader.ts';
import type { ValueDictionary } from './value-dictionary.ts';
import type { ValuePlaces } from './value-places.ts';

/** One field of events that are kept as text. A value is only cut out when somebody asks for it as a text. */
export class CutField implements FieldReader {
  readonly #text: string;
  readonly #layout: BatchIndex;
  readonly #places: ValuePlaces;
  readonly #name: string;
  /** The shape of the last event, and the place of the field in it; -1 when the event has no such value of its own. */
  #shape: FieldLayout | undefined;
  #place = -1;

  constructor(text: string, layout: BatchIndex, places: ValuePlaces, name: string) {
    this.#text = text;
    this.#layout = layout;
    this.#places = places;
    this.#name = name;
  }

  valueAt(index: number): string | undefined {
    const shape = this.#shapeOf(index);
    if (this.#place === -1) return this.#givenAt(index);
    return cut(this.#text, this.#startOf(index), this.#endOf(index, shape));
  }

  numberAt(index: number): number {
    const shape = this.#shapeOf(index);
    if (this.#place === -1) return numberOf(this.#givenAt(index));
    const number = plainNumberAt(this.#text, this.#startOf(index) >>> 1, this.#endOf(index, shape));
    return number ?? numberOf(this.valueAt(index));
  }

  idAt(index: number, dictionary: ValueDictionary): number {
    const shape = this.#shapeOf(index);
    if (this.#place === -1) return dictionary.idOf(this.#givenAt(index));
    const start = this.#startOf(index);
    if ((start & 1) === 1) return dictionary.idOf(this.valueAt(index));
    return dictionary.idAt(this.#text, start >>> 1, this.#endOf(index, shape));
  }

  #shapeOf(index: number): FieldLayout {
    const { shapes, shapeOf } = this.#layout;
    const shape = shapes[shapeOf[index]!]!;
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#place = shape.placeOf(this.#name) ?? -1;
    }
    return shape;
  }

  #startOf(index: number): number {
    return this.#places.startOf(index, this.#place);
  }

  #endOf(index: number, shape: FieldLayout): number {
    return this.#places.endOf(index, this.#place, shape);
  }

  #givenAt(index: number): string | undefined {
    const { envelopes, envelopeOf } = this.#layout;
    return readField(envelopes[envelopeOf[index]!]!.template, this.#name);
  }
}
