import { randomBytes } from 'node:crypto';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';

/**
 * JSON whose numbers keep their text. The service stores `7.0` as `7.0` and a 20-digit integer with its 20 digits,
 * but `JSON.parse` makes JavaScript numbers of them, and those print differently.
 *
 * Nearly every document has no such number, and then `JSON.parse` alone is right and fast. Otherwise each number
 * that would change is put into the tree as a string that begins with a mark, which nobody outside can know.
 */
const MARK = `number ${randomBytes(16).toString('hex')} `;

/**
 * Finds, fast and rather once too often, a number that `JSON.parse` would change: an exponent, a fraction that ends
 * in 0, one that begins with many zeros, more than 15 digits, or minus zero.
 */
const CHANGING_NUMBER =
  /[[:,]\s*-?(?:\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6}|\d{16}|[\d.]{17})|[[:,]\s*-0(?![.\d])|^\s*-?\d/;

const QUOTE = 0x22;
/** How many characters or strings are looked at between two yields. */
const CHARACTERS_PER_STEP = 8192;
/** Members of one object. `JSON.parse` takes most of a second for a million. */
const MAX_MEMBERS = 100_000;
/** Objects and arrays. `JSON.parse` takes more than a second for five million. */
const MAX_CONTAINERS = 1_000_000;

/** @throws SyntaxError as `JSON.parse` does. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return CHANGING_NUMBER.test(text) ? JSON.parse(finish(markNumbers(text))) : value;
}

/**
 * {@link parseExactJson} for text of many megabytes.
 *
 * @throws SyntaxError as `JSON.parse` does, if the text is nested deeper than `maxDepth`, if an object has more than
 *   100,000 members, or if there are more than 1,000,000 objects and arrays.
 */
export function* parseLongJson(text: string, maxDepth: number): SlicedWork<unknown> {
  yield* checkSize(text, maxDepth);
  let value: unknown = JSON.parse(text);
  yield;
  if (!CHANGING_NUMBER.test(text)) return value;
  const marked = yield* markNumbers(text);
  value = JSON.parse(marked);
  yield;
  return value;
}

/** The text of a number or of a string of such a tree. */
export function exactText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return isMarkedNumber(value) ? value.slice(MARK.length) : value;
}

export function isMarkedNumber(value: string): boolean {
  return value.length > MARK.length && value.startsWith(MARK);
}

/** The tree as JSON again, its numbers as they were written. */
export function renderExactJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replaceAll(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1') : text;
}

/** `JSON.parse` takes seconds for millions of brackets. */
function* checkSize(text: string, maxDepth: number): SlicedWork<void> {
  /** The commas in each open object, from the outermost one to the innermost; those in arrays don't count. */
  const commas: number[] = [];
  let containers = 0;
  for (let index = 0, step = 0; index < text.length; step++) {
    if (step % CHARACTERS_PER_STEP === 0) yield;
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    if (code === 0x5b || code === 0x7b) {
      commas.push(code === 0x7b ? 0 : Number.NEGATIVE_INFINITY);
      if (++containers > MAX_CONTAINERS)
        throw new SyntaxError(
          `The JSON has more than ${MAX_CONTAINERS.toLocaleString('en')} objects and arrays.`,
        );
    } else if (code === 0x5d || code === 0x7d) commas.pop();
    else if (code === 0x2c && ++commas[commas.length - 1]! >= MAX_MEMBERS)
      throw new SyntaxError(
        `An object of the JSON has more than ${MAX_MEMBERS.toLocaleString('en')} members.`,
      );
    if (commas.length > maxDepth) throw new SyntaxError(`The JSON is nested deeper than ${maxDepth} levels.`);
    index++;
  }
}

/** `text` is known to be JSON, so that a number ends where its characters end. */
function* markNumbers(text: string): SlicedWork<string> {
  const parts: string[] = [];
  let copied = 0;
  for (let index = 0, step = 0; index < text.length; step++) {
    if (step % CHARACTERS_PER_STEP === 0) yield;
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, index);
      const number = text.slice(index, end);
      if (String(Number(number)) !== number) {
        parts.push(text.slice(copied, index), '"', MARK, number, '"');
        copied = end;
      }
      index = end;
    } else {
      index++;
    }
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE)
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index + 1;
}

function endOfNumber(text: string, start: number): number {
  let index = start;
  while (index < text.length && '+-.0123456789eE'.includes(text[index]!)) index++;
  return index;
}
