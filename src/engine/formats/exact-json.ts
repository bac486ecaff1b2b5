import { stringEnd } from '../../core/json-text.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';

/**
 * JSON whose numbers keep their text. The service stores `7.0` as `7.0` and all digits of a 20-digit integer, which
 * `JSON.parse` would change.
 *
 * Few documents have such numbers; the others use plain `JSON.parse`. Numbers that would change become strings with
 * this random prefix.
 */
const MARK = `number ${crypto.getRandomValues(new Uint32Array(4)).join('-')} `;

/**
 * Matches numbers that `JSON.parse` may change: exponents, fractions that end in 0, many leading zeros, more than 15
 * digits, minus zero.
 */
const CHANGING_NUMBER =
  /[[:,]\s*-?(?:\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6}|\d{16}|[\d.]{17})|[[:,]\s*-0(?![.\d])|^\s*-?\d/;

const QUOTE = 0x22;
/** Characters or strings per slice. */
const CHARACTERS_PER_STEP = 8192;
/** Maximum members of one object: `JSON.parse` needs almost a second for a million. */
const MAX_MEMBERS = 100_000;
/** Maximum objects and arrays: `JSON.parse` needs over a second for five million. */
const MAX_CONTAINERS = 1_000_000;

/** @throws SyntaxError like `JSON.parse`. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return CHANGING_NUMBER.test(text) ? JSON.parse(finish(markNumbers(text))) : value;
}

/**
 * {@link parseExactJson} for text of many megabytes, in slices.
 *
 * @throws SyntaxError like `JSON.parse`, and for nesting deeper than `maxDepth`, more than 100,000 members in an
 * object, or more than 1,000,000 objects and arrays.
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

/** The text of a number or a string in the tree. */
export function exactText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return isMarkedNumber(value) ? value.slice(MARK.length) : value;
}

export function isMarkedNumber(value: string): boolean {
  return value.length > MARK.length && value.startsWith(MARK);
}

/** Serializes the tree; numbers keep their original text. */
export function renderExactJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replaceAll(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1') : text;
}

/** `JSON.parse` needs seconds for millions of brackets. */
function* checkSize(text: string, maxDepth: number): SlicedWork<void> {
  /** Commas in each open object, outermost first; commas in arrays are not counted. */
  const commas: number[] = [];
  let containers = 0;
  yield* outsideStrings(text, (code, index) => {
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
    return index + 1;
  });
}

/** Reads the characters outside of strings. `read` returns the place of the next one. */
function* outsideStrings(text: string, read: (code: number, index: number) => number): SlicedWork<void> {
  for (let index = 0, step = 0; index < text.length; step++) {
    if (step % CHARACTERS_PER_STEP === 0) yield;
    const code = text.charCodeAt(index);
    index = code === QUOTE ? stringEnd(text, index) : read(code, index);
  }
}

/** `text` must be valid JSON. */
function* markNumbers(text: string): SlicedWork<string> {
  const parts: string[] = [];
  let copied = 0;
  yield* outsideStrings(text, (code, index) => {
    if (code !== 0x2d && (code < 0x30 || code > 0x39)) return index + 1;
    let end = index;
    while (end < text.length && '+-.0123456789eE'.includes(text[end]!)) end++;
    const number = text.slice(index, end);
    if (String(Number(number)) !== number) {
      parts.push(text.slice(copied, index), '"', MARK, number, '"');
      copied = end;
    }
    return end;
  });
  parts.push(text.slice(copied));
  return parts.join('');
}
