import { endOfLiteral, endOfString, UNUSUAL } from './json-tokens.ts';

/** The text is not as most texts are: somebody else has to read it. */
export class UnusualTextError extends Error {}

/** Thrown often and looked at never: one for all needs no stack. */
const unusual = new UnusualTextError();

/** What is thrown, as an expression. */
export function refuse(): never {
  throw unusual;
}

const QUOTE = 0x22;
const ZERO = 0x30;
const SPACES: ReadonlySet<number> = new Set([...' \n\r\t'].map((space) => space.charCodeAt(0)));
const LAST_SPACE = 0x20;

/** A place in a text of JSON that moves on as it is read. All that it meets unexpectedly is unusual. */
export class JsonCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** Whether the text goes on with a word; if so, the cursor is behind it. */
  takes(word: string): boolean {
    const { text, at } = this;
    for (let index = 0; index < word.length; index++) {
      if (text.charCodeAt(at + index) !== word.charCodeAt(index)) return false;
    }
    this.at = at + word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.takes(word)) refuse();
  }

  /** Steps over whitespace. */
  skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      // Nearly always there is none; `NaN` at the end is not in the set.
      if (code > LAST_SPACE || !SPACES.has(code)) return;
      this.at++;
    }
  }

  get isAtString(): boolean {
    return this.text.charCodeAt(this.at) === QUOTE;
  }

  /** @returns the end of the string's characters. */
  skipString(): number {
    if (!this.isAtString) refuse();
    const end = endOfString(this.text, this.at + 1);
    if (end === UNUSUAL) refuse();
    this.at = end + 1;
    return end;
  }

  readString(): string {
    const start = this.at;
    this.skipString();
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  /** A short integer that is known to be there. */
  readDigits(): number {
    const { text } = this;
    let number = 0;
    for (; ; this.at++) {
      const digit = text.charCodeAt(this.at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) return number;
      number = number * 10 + digit;
    }
  }

  /** A number; `NaN` for `true`, `false` and `null`. */
  readNumber(): number {
    const start = this.at;
    this.at = endOfLiteral(this.text, start);
    if (this.at === UNUSUAL) refuse();
    return Number(this.text.slice(start, this.at));
  }
}
