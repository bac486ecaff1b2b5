import { eachItem, isOpening, membersOf, objectOf, skipSpace, valueEnd } from '../../core/json-text.ts';
import { cutStrings } from './cut-strings.ts';

/** Size of the brackets and the longest possible note. */
const FRAME_BYTES = 50;

/** Deeper containers are kept or omitted as a whole. */
const MAX_DEPTH = 24;

/** Containers up to this many characters are kept or omitted as a whole. */
const SMALL_LENGTH = 1_000;

/** Members that are kept if at all possible, in any position. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['"level"', '"message"', '"msg"']);

interface Piece {
  readonly text: string;
  readonly byteLength: number;
  /** Index after it in the original. */
  readonly end: number;
}

/**
 * Shortens an event to the maximum size that the service accepts. The service discards all fields of a larger event.
 *
 * First, the longest strings are cut, each with a note at its end: `… [cut, 3145728 bytes in all]`. If that is not enough,
 * members of large objects and arrays are omitted, with a note `_cut`. Level, message and timestamp are kept, and numbers
 * keep their digits.
 *
 * @param eventText JSON of the event.
 * @param maxBytes maximum size of the result in UTF-8, at least 1024.
 */
export function shortenEvent(eventText: string, maxBytes: number): string {
  if (Buffer.byteLength(eventText) <= maxBytes) return eventText;
  const minBytes = Math.max(64, Math.min(256, Math.floor(maxBytes / 16)));
  const text = cutStrings(eventText, { maxBytes, minBytes });
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return cutAttributes(text, maxBytes, minBytes);
}

function cutAttributes(text: string, maxBytes: number, minBytes: number): string {
  const members = membersOf(text);
  const isAttributes = ({ name }: { name: string }): boolean => name === '"attributes"';
  const room = maxBytes - Buffer.byteLength(objectOf(members.filter((member) => !isAttributes(member))));
  const shortened = members.map((member) => {
    if (!isAttributes(member)) return member;
    const maxValueBytes = room - Buffer.byteLength(',"attributes":');
    return { name: member.name, value: cutMembers(member.value, maxValueBytes, 2 * minBytes + 64) };
  });
  const result = objectOf(shortened);
  if (Buffer.byteLength(result) <= maxBytes) return result;
  // The attributes are not the large part, which only happens in events passed as JSON.
  return objectOf([
    ...members.filter(({ name }) => name === '"timestamp"'),
    { name: '"attributes"', value: '{}' },
  ]);
}

/**
 * Shortens the JSON of an object or array to at most `maxBytes` by omitting members. A large object or array in it is
 * shortened, too, and leaves at least half of the space for later members, if they need it. The number of omitted members
 * is noted in a member `_cut` of an object, or in the last element of an array.
 *
 * @param keptBytes space reserved for level and message, which may come last.
 */
function cutMembers(text: string, maxBytes: number, keptBytes: number): string {
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
  const end = eachItem(text, start, (at, nameStart, nameEnd) => {
    const name = text.slice(nameStart, nameEnd);
    const prefix = `${items === '' ? '' : ','}${name}${isArray ? '' : ':'}`;
    const prefixBytes = Buffer.byteLength(prefix);
    const room = left - prefixBytes - (KEPT_NAMES.has(name) ? 0 : keptBytes);
    const part = takeValue(text, at, room, depth);
    if (part.byteLength <= room) {
      items += prefix + part.text;
      left -= prefixBytes + part.byteLength;
    } else missing++;
    return part.end;
  });
  if (missing > 0) {
    if (items !== '') items += ',';
    items += isArray ? `"[cut, ${missing} more]"` : `"_cut":"[cut, ${missing} more members]"`;
  }
  const whole = isArray ? `[${items}]` : `{${items}}`;
  return { text: whole, byteLength: Buffer.byteLength(whole), end };
}

/** @returns a value that is larger than `room` if it does not fit. */
function takeValue(text: string, start: number, room: number, depth: number): Piece {
  const first = text.charCodeAt(start);
  const isLarge = isOpening(first) && valueEnd(text, start, start + SMALL_LENGTH) >= start + SMALL_LENGTH;
  if (isLarge && depth < MAX_DEPTH) {
    return cutContainer(text, start, share(text, start, room, depth), 0, depth + 1);
  }
  const end = valueEnd(text, start);
  // UTF-8 needs at least one byte per character.
  if (end - start > room) return { text: '', byteLength: Number.POSITIVE_INFINITY, end };
  const value = text.slice(start, end);
  return { text: value, byteLength: Buffer.byteLength(value), end };
}

/** Space for a container: half of the rest, or more if little follows. */
function share(text: string, start: number, room: number, depth: number): number {
  const half = Math.floor(room / 2);
  // Only at the top, because looking ahead on every level has quadratic cost.
  return depth === 0 ? Math.max(half, room - FRAME_BYTES - 3 * (text.length - valueEnd(text, start))) : half;
}
