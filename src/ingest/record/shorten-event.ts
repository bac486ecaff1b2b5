import { type JsonMember, membersOf, objectOf, replaceMembers } from '../../core/json-text.ts';
import { cutStrings } from './cut-strings.ts';
import { gather } from './limit-names.ts';

/** Size of a member `_more` beside its text. */
const MORE_BYTES = 16;

/** Members that are kept if at all possible, in any position. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['"level"', '"message"', '"msg"']);

/**
 * Shortens an event to the maximum size that the service accepts. The service discards all fields of a larger event.
 *
 * First, the longest strings are cut, each with a note at its end: `… [cut, 3145728 bytes in all]`. If that is not enough,
 * the fields that don't fit become the text of one field, `_more`, which is cut. Level, message and timestamp are kept, and
 * numbers keep their digits.
 *
 * @param eventText JSON of the event.
 * @param maxBytes maximum size of the result in UTF-8, at least 1024.
 */
export function shortenEvent(eventText: string, maxBytes: number): string {
  if (Buffer.byteLength(eventText) <= maxBytes) return eventText;
  const minBytes = Math.max(64, Math.min(256, Math.floor(maxBytes / 16)));
  const limits = { maxBytes, minBytes };
  const text = cutStrings(eventText, limits);
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const gathered = replaceMembers(text, 'attributes', (attributes) => {
    if (!attributes.startsWith('{')) return attributes;
    const others = Buffer.byteLength(text) - Buffer.byteLength(attributes);
    return gatherRest(attributes, maxBytes - others - minBytes - MORE_BYTES);
  });
  const shortened = cutStrings(gathered, limits);
  if (Buffer.byteLength(shortened) <= maxBytes) return shortened;
  // The fields are not the large part, which only happens in events passed as JSON.
  const timestamp = membersOf(text).filter(({ name }) => name === '"timestamp"');
  return objectOf([...timestamp, { name: '"attributes"', value: '{}' }]);
}

/** Gathers the members for which `maxBytes` leave no space. */
function gatherRest(attributes: string, maxBytes: number): string {
  const members = membersOf(attributes);
  const isFirst = ({ name }: JsonMember): boolean => KEPT_NAMES.has(name);
  const others = members.filter((member) => !isFirst(member));
  let left = maxBytes;
  const rest = [...members.filter(isFirst), ...others].filter(({ name, value }) => {
    const bytes = Buffer.byteLength(`${name}:${value},`);
    const fits = bytes <= left;
    if (fits) left -= bytes;
    return !fits;
  });
  return gather(members, new Set(rest));
}
