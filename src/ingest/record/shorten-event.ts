import { cutMembers } from './cut-members.ts';
import { cutStrings } from './cut-strings.ts';
import { type JsonMember, membersOf } from './json-text.ts';

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
  const members = [...membersOf(text)];
  const isAttributes = ({ name }: JsonMember): boolean => name === '"attributes"';
  const room = maxBytes - Buffer.byteLength(write(members.filter((member) => !isAttributes(member))));
  const shortened = members.map((member) => {
    if (!isAttributes(member)) return member;
    const limits = { maxBytes: room - Buffer.byteLength(',"attributes":'), keptBytes: 2 * minBytes + 64 };
    return { name: member.name, value: cutMembers(member.value, limits) };
  });
  const result = write(shortened);
  if (Buffer.byteLength(result) <= maxBytes) return result;
  // The attributes are not the large part, which only happens in events passed as JSON.
  return write([
    ...members.filter(({ name }) => name === '"timestamp"'),
    { name: '"attributes"', value: '{}' },
  ]);
}

function write(members: readonly JsonMember[]): string {
  return `{${members.map(({ name, value }) => `${name}:${value}`).join()}}`;
}
