import type { FieldLayout } from '../store/field-layout.ts';
import { CHARACTERS, LITERAL, SHORT_INTEGER } from './json-tokens.ts';
import { ownText } from './own-text.ts';

/** The beginning of an event whose time is a number, as nearly all are. */
export const TIMED_EVENT = '{"timestamp":';

/** How an event is written from its beginning to the end of its attributes, but for the time and the values. */
export class EventPattern {
  /** What stands between the time and the attributes. */
  readonly middle: string;
  readonly timezone: string | undefined;
  readonly shape: FieldLayout;
  readonly #pattern: RegExp;

  constructor({ middle, timezone, shape }: Pick<EventPattern, 'middle' | 'timezone' | 'shape'>) {
    this.middle = ownText(middle);
    this.timezone = timezone;
    this.shape = shape;
    const head = `${escaped(TIMED_EVENT)}${SHORT_INTEGER}${escaped(this.middle)}`;
    this.#pattern = new RegExp(head + attributesPattern(shape), 'y');
  }

  /** The end of the attributes of the event at `start`; `undefined` when it is not of this form. */
  endIn(text: string, start: number): number | undefined {
    this.#pattern.lastIndex = start;
    return this.#pattern.test(text) ? this.#pattern.lastIndex : undefined;
  }
}

function attributesPattern({ pieces, isString }: FieldLayout): string {
  const values = [...isString.map((isText) => (isText ? CHARACTERS : LITERAL)), ''];
  return pieces.map((piece, place) => escaped(piece) + values[place]!).join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
