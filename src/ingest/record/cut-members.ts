import { QUOTE } from './json-characters.ts';
import { isClosing, isOpening, nextItem, skipSpace, stringEnd, valueEnd, valueStart } from './json-text.ts';

/** Room for the brackets and for the longest note there can be. */
const FRAME_BYTES = 50;

/** Deeper values are left out where something has to be. */
const MAX_DEPTH = 24;

/** Objects and arrays up to this many characters are kept or left out as a whole. */
const SMALL_LENGTH = 1_000;

/** What makes sense of an event, wherever it stands. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['"level"', '"message"', '"msg"']);

interface Piece {
  readonly text: string;
  readonly byteLength: number;
  /** The place behind it in the original. */
  readonly end: number;
}

/**
 * Shortens the JSON text of an object or array to at most `maxBytes` by leaving out what does not fit any more. A large
 * object or array in it leaves room for what follows it: at least half of it, or all that is needed. Objects get a
 * member `_cut`, arrays an element, that says how many are missing.
 *
 * @param keptBytes what is set aside for level and message, which may come last.
 */
export function cutMembers(
  text: string,
  { maxBytes, keptBytes }: { maxBytes: number; keptBytes: number },
): string {
  return maxBytes < FRAME_BYTES ? '{}' : cutContainer(text, skipSpace(text, 0), maxBytes, keptBytes, 0).text;
}

function cutContainer(
  text: string,
  start: number,
  maxBytes: number,
  keptBytes: number,
  depth: number,
): Piece {
  const isArray = text[start] === '[';
  let left = maxBytes - FRAME_BYTES;
  let missing = 0;
  let items = '';
  let at = skipSpace(text, start + 1);
  while (at < text.length && !isClosing(text.charCodeAt(at))) {
    const name = isArray ? '' : text.slice(at, stringEnd(text, at));
    const prefix = `${items === '' ? '' : ','}${name}${isArray ? '' : ':'}`;
    const prefixBytes = prefix.length <= 1 ? prefix.length : Buffer.byteLength(prefix);
    const room = left - prefixBytes - (KEPT_NAMES.has(name) ? 0 : keptBytes);
    const part = takeValue(text, isArray ? at : valueStart(text, at + name.length), room, depth);
    if (part.byteLength <= room) {
      items += prefix + part.text;
      left -= prefixBytes + part.byteLength;
    } else missing++;
    at = nextItem(text, part.end);
  }
  const whole = isArray ? `[${items}${noteInArray(items, missing)}]` : `{${items}${note(items, missing)}}`;
  return { text: whole, byteLength: Buffer.byteLength(whole), end: at + 1 };
}

/** @returns a value that may be too long, when there is no room for it. */
function takeValue(text: string, start: number, room: number, depth: number): Piece {
  const first = text.charCodeAt(start);
  const isLarge = isOpening(first) && valueEnd(text, start, start + SMALL_LENGTH) >= start + SMALL_LENGTH;
  if (isLarge && room >= 2 * FRAME_BYTES && depth < MAX_DEPTH) {
    return cutContainer(text, start, share(text, start, room, depth), 0, depth + 1);
  }
  const end = valueEnd(text, start);
  // Nothing is shorter in bytes than in characters.
  if (end - start > room) return { text: '', byteLength: Number.POSITIVE_INFINITY, end };
  const value = text.slice(start, end);
  const isAscii = first !== QUOTE && !isOpening(first);
  return { text: value, byteLength: isAscii ? value.length : Buffer.byteLength(value), end };
}

/** Half of the room, or more where little follows, for a container. */
function share(text: string, start: number, room: number, depth: number): number {
  const half = Math.floor(room / 2);
  // Further down, looking ahead again and again would cost too much.
  return depth === 0 ? Math.max(half, room - FRAME_BYTES - 3 * (text.length - valueEnd(text, start))) : half;
}

function note(items: string, missing: number): string {
  return missing === 0 ? '' : `${items === '' ? '' : ','}"_cut":"[cut, ${missing} more members]"`;
}

function noteInArray(items: string, missing: number): string {
  return missing === 0 ? '' : `${items === '' ? '' : ','}"[cut, ${missing} more]"`;
}
