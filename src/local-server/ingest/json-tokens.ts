/**
 * How `JSON.stringify` writes strings and other values, as parts of regular expressions: the engine makes machine code
 * of those, which looks at a character in half the time that a loop takes.
 */

/** More escapes in one string are for somebody else: what the engine remembers of each has to fit on its stack. */
const MAX_ESCAPES = 10_000;

const PLAIN = '[^"\\\\\\x00-\\x1f]*';
const ESCAPE = '\\\\(?:["\\\\bfnrt]|u00(?:0[0-7be-f]|1[\\da-f]))';

/** The characters of a string, without its quotation marks. */
export const CHARACTERS = `${PLAIN}(?:${ESCAPE}${PLAIN}){0,${MAX_ESCAPES}}`;

/** A number, `true`, `false` or `null`. */
export const LITERAL = '(?:-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)';

/** A whole number above 0 of so few digits that it is exact. */
export const SHORT_INTEGER = '[1-9]\\d{0,14}';

/** What a search gives when the text is no JSON, or JSON that `JSON.stringify` would write in another way. */
export const UNUSUAL = -1;

const LITERAL_STARTS: ReadonlySet<number> = new Set([...'-0123456789tfn'].map((sign) => sign.charCodeAt(0)));

const characters = new RegExp(`${CHARACTERS}"`, 'y');
const literal = new RegExp(LITERAL, 'y');

/** The index of the quotation mark that ends the string whose first character is at `start`, or {@link UNUSUAL}. */
export function endOfString(text: string, start: number): number {
  const end = endOf(characters, text, start);
  return end === UNUSUAL ? UNUSUAL : end - 1;
}

/** The end of the number, of the `true`, `false` or `null` at `start`, or {@link UNUSUAL}. */
export function endOfLiteral(text: string, start: number): number {
  return endOf(literal, text, start);
}

/** Whether a number, `true`, `false` or `null` begins at a place, if anything that is JSON does. */
export function startsLiteral(text: string, start: number): boolean {
  return LITERAL_STARTS.has(text.charCodeAt(start));
}

/** @param pattern a sticky one. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : UNUSUAL;
}
