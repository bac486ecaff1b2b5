import type { FieldLayout } from '../store/field-layout.ts';
import { type JsonCursor, refuse } from './json-cursor.ts';
import { endOfLiteral, endOfString, UNUSUAL } from './json-tokens.ts';
import type { ShapeTrie } from './shape-trie.ts';

/** Reads the object at the cursor, value by value. */
export function readAttributes(cursor: JsonCursor, structure: ShapeTrie): FieldLayout {
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
