import * as ascii from './ascii.ts';
import { tryOr } from './try-or.ts';

/**
 * Walks JSON text without parsing it, so that every number and every character stays unchanged. In invalid JSON, results
 * are arbitrary, but the functions neither throw nor loop forever.
 */

export function isOpening(code: number): boolean {
  return code === ascii.OPEN_BRACE || code === ascii.OPEN_BRACKET;
}

export function isClosing(code: number): boolean {
  return code === ascii.CLOSE_BRACE || code === ascii.CLOSE_BRACKET;
}

/** @returns the index of the first character at or after `at` that is not whitespace. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next++;
  return next;
}

/** @param start index of the opening quote. @returns the index after the closing quote. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** @returns the index after a value, or the end of the text. */
export function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === ascii.QUOTE) at = stringEnd(text, at) - 1;
    else if (isOpening(code)) depth++;
    else if (code === ascii.COMMA || isClosing(code)) {
      if (depth === 0) return at; // The end of a number or literal.
      if (code !== ascii.COMMA) depth--;
    } else continue;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** A member of an object as JSON, and its indexes in the text of the object. */
export interface JsonMember {
  /** Includes the quotes. */
  readonly name: string;
  readonly value: string;
  readonly nameStart: number;
  readonly valueStart: number;
}

/**
 * Walks the items of an object or array.
 *
 * @param visit called with the index of each value, and the place of the name of a member, which includes the quotes.
 * Returns the index after the value.
 * @returns the index after the object or array.
 */
export function eachItem(
  text: string,
  start: number,
  visit: (valueStart: number, nameStart: number, nameEnd: number) => number,
): number {
  const isArray = text[start] === '[';
  let at = skipSpace(text, start + 1);
  while (at < text.length && !isClosing(text.charCodeAt(at))) {
    const nameEnd = isArray ? at : stringEnd(text, at);
    at = nextItem(text, visit(isArray ? at : valueStart(text, nameEnd), at, nameEnd));
  }
  return at + 1;
}

/** Members of an object in order, including repeated names. */
export function membersOf(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  eachItem(text, skipSpace(text, 0), (valueStart, nameStart, nameEnd) => {
    const name = text.slice(nameStart, nameEnd);
    const end = valueEnd(text, valueStart);
    members.push({ name, value: text.slice(valueStart, end), nameStart, valueStart });
    return end;
  });
  return members;
}

/** Replaces the value of each member with this name. Everything else stays unchanged. */
export function replaceMembers(text: string, name: string, change: (value: string) => string): string {
  let result = '';
  let from = 0;
  for (const member of membersOf(text)) {
    if (memberName(member) !== name) continue;
    result += text.slice(from, member.valueStart) + change(member.value);
    from = member.valueStart + member.value.length;
  }
  return result + text.slice(from);
}

export function objectOf(members: readonly Pick<JsonMember, 'name' | 'value'>[]): string {
  return `{${members.map(({ name, value }) => `${name}:${value}`).join()}}`;
}

const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/gs;

/** JSON without whitespace between its values. */
export function onOneLine(text: string): string {
  return text.replaceAll(STRING_OR_SPACE, '$1');
}

/** The name of a member without quotes and escapes. Empty if it is not valid JSON. */
export function memberName({ name }: JsonMember): string {
  return name.includes('\\') ? tryOr('', () => JSON.parse(name)) : name.slice(1, -1);
}

/** @param nameEnd index after a member's name. @returns the index of its value. */
export function valueStart(text: string, nameEnd: number): number {
  return skipSpace(text, skipSpace(text, nameEnd) + 1);
}

/** @param end index after a value. @returns the index of the next item, or of the closing bracket. */
export function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === ascii.COMMA ? skipSpace(text, at + 1) : at;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === ascii.BACKSLASH) start--;
  return (at - start) % 2 === 1;
}
