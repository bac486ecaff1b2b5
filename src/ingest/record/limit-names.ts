import * as ascii from '../../core/ascii.ts';
import {
  isClosing,
  isOpening,
  membersOf,
  nextItem,
  skipSpace,
  stringEnd,
  valueEnd,
  valueStart,
} from '../../core/json-text.ts';
import { createRecord, type IngestRecord } from './record.ts';

/** The service sorts the names of a record with more fields, and keeps the first. */
const MAX_NAMES = 1_000;

/** Smaller records have fewer fields. */
const MIN_BYTES = 5_000;

/** Deeper values count as one. */
const MAX_DEPTH = 24;

/** A nested object or array. */
interface Container {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** The number of fields that the service makes of it. */
  readonly names: number;
}

/** Joins nested values of a record into text until the service keeps all of its fields, among them level and message. */
export function limitNames(record: IngestRecord): IngestRecord {
  if (record.byteLength < MIN_BYTES || !hasManyCommas(record)) return record;
  const { eventText, tagsText } = record;
  const members = eventText.startsWith('{') ? [...membersOf(eventText)] : [];
  const attributes = members.find(({ name }) => name === '"attributes"');
  if (attributes === undefined) return record;
  const found: Container[] = [];
  const { names } = walk(eventText, attributes.valueStart, 0, found);
  let text = eventText;
  // From the end, so that the indexes before it stay valid.
  for (const { start, end } of toJoin(found, names - MAX_NAMES).sort(
    (one, other) => other.start - one.start,
  )) {
    text = text.slice(0, start) + JSON.stringify(text.slice(start, end)) + text.slice(end);
  }
  return text === eventText ? record : createRecord(text, tagsText);
}

/** There are at most as many fields as commas, and one more. */
function hasManyCommas(record: IngestRecord): boolean {
  let commas = 0;
  return record.some((bytes, start, end) => {
    for (let at = start; at < end; at++) if (bytes[at] === ascii.COMMA) commas++;
    return commas >= MAX_NAMES;
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

/** Counts the fields of a value, and collects the objects and arrays in it. */
function walk(
  text: string,
  start: number,
  depth: number,
  found: Container[],
): { end: number; names: number } {
  if (!isOpening(text.charCodeAt(start)) || depth > MAX_DEPTH)
    return { end: valueEnd(text, start), names: 1 };
  const isArray = text[start] === '[';
  let names = 0;
  let at = skipSpace(text, start + 1);
  while (at < text.length && !isClosing(text.charCodeAt(at))) {
    const value = walk(text, isArray ? at : valueStart(text, stringEnd(text, at)), depth + 1, found);
    names += value.names;
    at = nextItem(text, value.end);
  }
  if (depth > 0) found.push({ start, end: at + 1, depth, names });
  return { end: at + 1, names };
}
