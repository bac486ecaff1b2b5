import { type CodeUnits, scanLiteral, scanString, UNUSUAL } from './json-scan.ts';

/** The text is not as most texts are: somebody else has to read it. */
export class UnusualTextError extends Error {}

/** Thrown often and looked at never: one for all needs no stack. */
const unusual = new UnusualTextError();

/** What is thrown, as an expression. */
export function refuse(): never {
  throw unusual;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const END_OBJECT = 0x7d;
const ZERO = 0x30;
/** Whole numbers of so many digits are exact. */
const MAX_DIGITS = 15;

/** A place in a text of JSON that moves on as it is read. All that it meets unexpectedly is unusual. */
export class JsonCursor {
  readonly text: string;
  readonly codes: CodeUnits;
  at = 0;

  constructor(text: string, codes: CodeUnits) {
    this.text = text;
    this.codes = codes;
  }

  get isAtEnd(): boolean {
    return this.at === this.codes.length;
  }

  /** Whether the text goes on with a word; if so, the cursor is behind it. */
  takes(word: Uint8Array): boolean {
    for (let index = 0; index < word.length; index++) {
      if (this.codes[this.at + index] !== word[index]) return false;
    }
    this.at += word.length;
    return true;
  }

  expect(word: Uint8Array): void {
    if (!this.takes(word)) refuse();
  }

  get isAtString(): boolean {
    return this.codes[this.at] === QUOTE;
  }

  /** @returns the end of the string's characters; its complement when there are escapes among them. */
  skipString(): number {
    if (!this.isAtString) refuse();
    const found = scanString(this.codes, this.at + 1);
    if (found === UNUSUAL) refuse();
    this.at = (found < 0 ? ~found : found) + 1;
    return found;
  }

  readString(): string {
    const start = this.at;
    const found = this.skipString();
    return found < 0
      ? (JSON.parse(this.text.slice(start, this.at)) as string)
      : this.text.slice(start + 1, found);
  }

  /** A whole number of few digits, as most numbers are; `undefined`, and no step on, for any other. */
  readShortInteger(): number | undefined {
    let value = 0;
    let index = this.at;
    for (; index < this.codes.length; index++) {
      const digit = this.codes[index]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = index - this.at;
    const isWhole = this.codes[index] === COMMA || this.codes[index] === END_OBJECT;
    if (!isWhole || digits === 0 || digits > MAX_DIGITS || this.codes[this.at] === ZERO) return undefined;
    this.at = index;
    return value;
  }

  /** The text of a number. */
  readNumber(): string {
    const start = this.at;
    const end = scanLiteral(this.codes, start);
    if (end === UNUSUAL) refuse();
    this.at = end;
    return this.text.slice(start, end);
  }
}
