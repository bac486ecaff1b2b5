import * as ascii from '../../core/ascii.ts';
import {
  eachItem,
  isOpening,
  type JsonMember,
  membersOf,
  objectOf,
  replaceMembers,
  valueEnd,
} from '../../core/json-text.ts';
import { RECORD_FIELDS } from '../../core/records/record-fields.ts';
import { MAX_DEPTH } from './deep-values.ts';
import { createRecord, type IngestRecord } from './record.ts';

/** The service sorts the names of a record with more fields, and keeps the first. */
const MAX_NAMES = 1_000;

/** Members that remain fields, unless they have more than {@link MAX_KEPT} themselves. Together, they are below the limit. */
const KEPT_NAMES = new Set([...RECORD_FIELDS, 'logger', 'err', 'error', 'stack', 'cause']);
const MAX_KEPT = 12;

/** Field with the text of the members that are too many. */
const MORE = '"_more"';

/** A nested object or array. */
interface Container {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** The number of fields that the service makes of it. */
  readonly names: number;
}

/**
 * Joins nested values of a record into text until the service keeps all of its fields, among them level and message. If that
 * isn't enough, the last members become the text of one field, `_more`.
 *
 * @param added number of fields that the batch adds.
 */
export function limitNames(record: IngestRecord, added = 0): IngestRecord {
  // A field has at least two bytes: `0,` in an array.
  if (record.byteLength < MAX_NAMES) return record;
  const limit = MAX_NAMES - added - membersOf(record.tagsText).length;
  if (!hasManyCommas(record, limit)) return record;
  const { eventText, tagsText } = record;
  if (!eventText.startsWith('{')) return record; // A line of text.
  const limited = replaceMembers(eventText, 'attributes', (value) =>
    value.startsWith('{') ? limitMembers(value, limit) : value,
  );
  return limited === eventText ? record : createRecord(limited, tagsText);
}

function limitMembers(attributes: string, limit: number): string {
  const found: Container[] = [];
  let names = 0;
  for (const { name, valueStart } of membersOf(attributes)) {
    const own: Container[] = [];
    const value = walk(attributes, valueStart, 1, own);
    names += value.names;
    if (!KEPT_NAMES.has(name.slice(1, -1)) || value.names > MAX_KEPT) found.push(...own);
  }
  const joined = toJoin(found, names - limit);
  let text = attributes;
  // From the end, so that the indexes before it stay valid.
  for (const { start, end } of joined.toSorted((one, other) => other.start - one.start)) {
    text = text.slice(0, start) + JSON.stringify(text.slice(start, end)) + text.slice(end);
  }
  const saved = joined.reduce((sum, container) => sum + container.names - 1, 0);
  return names - saved > limit ? gatherLast(text, names - saved - limit) : text;
}

/** Makes the last members the text of one field, which counts itself. */
function gatherLast(text: string, excess: number): string {
  const members = membersOf(text);
  const others = members.filter(({ name }) => !KEPT_NAMES.has(name.slice(1, -1)));
  return gather(members, new Set(others.slice(-excess - 1)));
}

/** Makes some members the text of one field. */
export function gather(members: readonly JsonMember[], some: ReadonlySet<JsonMember>): string {
  const isGathered = (member: JsonMember): boolean => some.has(member) || member.name === MORE;
  const value = JSON.stringify(objectOf(members.filter(isGathered)));
  return objectOf([...members.filter((member) => !isGathered(member)), { name: MORE, value }]);
}

/** There are at most as many fields as commas, and one more. */
function hasManyCommas(record: IngestRecord, limit: number): boolean {
  let commas = 0;
  return record.some((bytes, start, end) => {
    for (let at = start; at < end; at++) if (bytes[at] === ascii.COMMA) commas++;
    return commas >= limit;
  });
}

/** The smallest value that is enough, or else the largest ones of the top level. */
function toJoin(found: readonly Container[], excess: number): Container[] {
  if (excess <= 0) return [];
  const bySize = found.toSorted((one, other) => one.names - other.names || other.depth - one.depth);
  const enough = bySize.find(({ names }) => names > excess);
  if (enough !== undefined) return [enough];
  let left = excess;
  return bySize.reverse().filter(({ depth, names }) => {
    const isJoined = left > 0 && depth === 1 && names > 1;
    if (isJoined) left -= names - 1;
    return isJoined;
  });
}

/** Counts the fields of a value, at least one, and collects the objects and arrays in it. */
function walk(text: string, start: number, depth: number, found: Container[]): Container {
  if (!isOpening(text.charCodeAt(start)) || depth > MAX_DEPTH)
    return { start, end: valueEnd(text, start), depth, names: 1 };
  let names = 0;
  const end = eachItem(text, start, (at) => {
    const value = walk(text, at, depth + 1, found);
    names += value.names;
    return value.end;
  });
  const container = { start, end, depth, names: Math.max(1, names) };
  found.push(container);
  return container;
}
