import type { EventShape } from '../store/event-shape.ts';
import { type JsonCursor, refuse } from './json-cursor.ts';
import { scanLiteral, scanString, UNUSUAL } from './json-scan.ts';
import type { JsonStructure } from './json-structure.ts';

/** What is known of the attributes of an event besides the positions of their values. */
export interface Attributes {
  readonly shape: EventShape;
  /** The length of their text. */
  readonly textLength: number;
  /** The length of their values. */
  readonly valueLength: number;
}

/** Where a string is in the text, without its quotation marks. */
export interface Span {
  /** Twice the index of its first character; one more when it has escapes. */
  readonly flaggedStart: number;
  readonly end: number;
  /** Without escapes. */
  readonly length: number;
}

/** Reads the string at the cursor. */
export function readSpan(cursor: JsonCursor): Span {
  const start = cursor.at + 1;
  const found = cursor.skipString();
  const isEscaped = found < 0;
  const end = isEscaped ? ~found : found;
  const length = lengthOf(cursor.text, start, end, isEscaped);
  return { flaggedStart: flagged(start, isEscaped), end, length };
}

/**
 * Reads the object at the cursor.
 *
 * @param positions gets those of the event, as a batch has them, from its beginning on.
 */
export function readAttributes(
  cursor: JsonCursor,
  structure: JsonStructure,
  positions: Uint32Array,
): Attributes {
  const { codes, text, at: start } = cursor;
  let count = 2;
  let isVerbatim = true;
  let valueLength = 0;
  let at = start;
  for (let place = structure.start(); ; ) {
    place = structure.after(place, codes, at) ?? refuse();
    at += place.piece.length;
    const { shape } = place;
    if (shape !== undefined) {
      positions[0] = start * 2;
      positions[1] = flagged(at, isVerbatim);
      positions[count] = at * 2;
      cursor.at = at;
      return { shape, valueLength, textLength: at - start };
    }
    const found = place.isString ? scanString(codes, at) : scanLiteral(codes, at);
    if (found === UNUSUAL) refuse();
    const isEscaped = found < 0;
    const end = isEscaped ? ~found : found;
    if (isEscaped) isVerbatim = false;
    positions[count++] = flagged(at, isEscaped);
    valueLength += lengthOf(text, at, end, isEscaped);
    at = end;
  }
}

function flagged(position: number, flag: boolean): number {
  return position * 2 + (flag ? 1 : 0);
}

function lengthOf(text: string, start: number, end: number, isEscaped: boolean): number {
  if (!isEscaped) return end - start;
  return (JSON.parse(`"${text.slice(start, end)}"`) as string).length;
}
