import { readField } from '../../query-engine/index.ts';
import type { FieldReader } from './event-batch.ts';
import type { EventShape } from './event-shape.ts';
import { numberOf } from './field-reader.ts';
import { plainNumberAt } from './plain-number.ts';
import type { TextLayout } from './text-batch.ts';
import type { ValueDictionary } from './value-dictionary.ts';

/** One field of events that are kept as text. A value is only cut out when somebody asks for it as a text. */
export class CutField implements FieldReader {
  readonly #text: string;
  readonly #layout: TextLayout;
  readonly #name: string;
  /** The shape of the last event, and the place of the field in it. */
  #shape: EventShape | undefined;
  #place = -1;
  #gap = 0;

  constructor(text: string, layout: TextLayout, name: string) {
    this.#text = text;
    this.#layout = layout;
    this.#name = name;
  }

  valueAt(index: number): string | undefined {
    const at = this.#positionOf(index);
    if (at === -1) return this.#givenAt(index);
    const { positions } = this.#layout;
    return cut(this.#text, positions[at]!, (positions[at + 1]! >>> 1) - this.#gap);
  }

  numberAt(index: number): number {
    const at = this.#positionOf(index);
    if (at === -1) return numberOf(this.#givenAt(index));
    const { positions } = this.#layout;
    const number = plainNumberAt(this.#text, positions[at]! >>> 1, (positions[at + 1]! >>> 1) - this.#gap);
    return number ?? numberOf(this.valueAt(index));
  }

  idAt(index: number, dictionary: ValueDictionary): number {
    const at = this.#positionOf(index);
    if (at === -1) return dictionary.idOf(this.#givenAt(index));
    const { positions } = this.#layout;
    const start = positions[at]!;
    if ((start & 1) === 1) return dictionary.idOf(this.valueAt(index));
    return dictionary.idAt(this.#text, start >>> 1, (positions[at + 1]! >>> 1) - this.#gap);
  }

  /** Where the position of the value is among all positions; -1 when the event has no such value of its own. */
  #positionOf(index: number): number {
    const { shapes, shapeOf, firsts } = this.#layout;
    const shape = shapes[shapeOf[index]!]!;
    if (shape !== this.#shape) this.#enter(shape);
    return this.#place === -1 ? -1 : firsts[index]! + 2 + this.#place;
  }

  #enter(shape: EventShape): void {
    this.#shape = shape;
    this.#place = shape.placeOf(this.#name) ?? -1;
    this.#gap = shape.gaps[this.#place] ?? 0;
  }

  /** What the server says of the event. */
  #givenAt(index: number): string | undefined {
    const { envelopes, envelopeOf } = this.#layout;
    return readField(envelopes[envelopeOf[index]!]!.template, this.#name);
  }
}

/** The text from a position, which is odd when it has escapes, up to another place. */
export function cut(text: string, flaggedStart: number, end: number): string {
  const part = text.slice(flaggedStart >>> 1, end);
  return (flaggedStart & 1) === 0 ? part : (JSON.parse(`"${part}"`) as string);
}
