const LONG_ESCAPE = 'u';
const LONG_ESCAPE_LENGTH = 6;
const SHORT_ESCAPE_LENGTH = 2;

/** Finds the escapes in a text of JSON. Most of it has none, and to know that takes one fast search for the next. */
export class Escapes {
  readonly #text: string;
  /** There is none from here up to the next one. */
  #from = 0;
  #next = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether there are any in a part of the text. */
  areIn(start: number, end: number): boolean {
    return this.#after(start) < end;
  }

  /** How many characters a part of the text has once its escapes are undone. */
  lengthWithout(start: number, end: number): number {
    let length = end - start;
    for (let at = this.#after(start); at < end; at = this.#after(at)) {
      const written = this.#text[at + 1] === LONG_ESCAPE ? LONG_ESCAPE_LENGTH : SHORT_ESCAPE_LENGTH;
      length -= written - 1;
      at += written;
    }
    return length;
  }

  /** The place of the first one that does not begin before `start`. */
  #after(start: number): number {
    if (start < this.#from || start > this.#next) {
      const found = this.#text.indexOf('\\', start);
      this.#from = start;
      this.#next = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#next;
  }
}
