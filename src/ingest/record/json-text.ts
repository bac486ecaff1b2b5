import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-characters.ts';

/**
 * Steps over JSON text without parsing it, for work that must leave every number and every character as it stands. The
 * text has to be valid; in text that isn't, these functions stop somewhere, and neither throw nor turn for ever.
 */

export function isOpening(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

export function isClosing(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

/** @param at where whitespace may be. @returns the place of what follows it. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next++;
  return next;
}

/** @param start the place of the opening quote. @returns the place behind the closing one. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/**
 * @param start the place of the first character of a value.
 * @returns the place behind the last one; `limit` for a value that goes on there.
 */
export function valueEnd(text: string, start: number, limit = text.length): number {
  let depth = 0;
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (isOpening(code)) depth++;
    else if (code === COMMA || isClosing(code)) {
      if (depth === 0) return at; // It ended before this.
      if (code !== COMMA) depth--;
    } else continue;
    if (depth === 0) return at + 1;
  }
  return limit;
}

/** A member of an object, as JSON text. */
export interface JsonMember {
  /** With its quotes. */
  readonly name: string;
  readonly value: string;
}

/** A member and its places in the text of the object. */
export interface PlacedMember extends JsonMember {
  readonly nameStart: number;
  readonly valueStart: number;
}

/** The members of an object, in their order; also those whose name comes again. */
export function* membersOf(text: string): Iterable<PlacedMember> {
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && !isClosing(text.charCodeAt(at))) {
    const nameEnd = stringEnd(text, at);
    const name = text.slice(at, nameEnd);
    const start = valueStart(text, nameEnd);
    const end = valueEnd(text, start);
    yield { name, value: text.slice(start, end), nameStart: at, valueStart: start };
    at = nextItem(text, end);
  }
}

/** @param nameEnd the place behind a member's name. @returns the place of its value. */
export function valueStart(text: string, nameEnd: number): number {
  return skipSpace(text, skipSpace(text, nameEnd) + 1);
}

/** @param end the place behind a value. @returns the place of the next item, or of the bracket that closes. */
export function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}
