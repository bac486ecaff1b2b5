import type { EventShape } from '../store/event-shape.ts';
import { type JsonCursor, refuse } from './json-cursor.ts';
import type { JsonStructure } from './json-structure.ts';
import { endOfLiteral, endOfString, UNUSUAL } from './json-tokens.ts';

/** Reads the object at the cursor, value by value. */
export function readAttributes(cursor: JsonCursor, structure: JsonStructure): EventShape {
  const { text } = cursor;
  let { at } = cursor;
  for (let place = structure.start(); ; ) {
    place = structure.after(place, text, at) ?? refuse();
    at += place.piece.length;
    if (place.shape !== undefined) {
      cursor.at = at;
      return place.shape;
    }
    at = place.isString ? endOfString(text, at) : endOfLiteral(text, at);
    if (at === UNUSUAL) refuse();
  }
}
