import * as ascii from '../../core/ascii.ts';
import { memberName, membersOf } from '../../core/json-text.ts';
import { tryOr } from '../../core/try-or.ts';
import type { HecMetadata } from '../hec-options.ts';
import { MAX_KEPT_BYTES } from './line-bytes.ts';
import { createRecord, EncodedRecord, type IngestRecord } from './record.ts';
import { MAX_CACHED_TAGS } from './tags.ts';

const INITIAL_BYTES = 4 * 1024;

/** Start of almost all events: a timestamp without escapes, and fields. */
const USUAL_START = /^\{"timestamp":("[^"\\]*"|\d+(?:\.\d+)?),"attributes":(?=\{)/;
const MAX_START_LENGTH = 80;

/** Start of an event with a timestamp in milliseconds, whose digits are zero here. It is found without a string. */
const MS_START = Buffer.from('{"timestamp":0000000000000,"attributes":{');
const DIGITS_AT = MS_START.indexOf(ascii.ZERO);
const MS_DIGITS = 13;
const SECONDS_DIGITS = 10;

/** What replaces it. */
const TIME_START = '{"time":0000000000.000,"event":';
const TIME_AT = TIME_START.indexOf('0');

/**
 * Converts structured events to objects of the HTTP Event Collector: the timestamp becomes the `time` in seconds, the
 * attributes the `event`, and the tags the `fields`. Fields of the event are copied, not parsed.
 */
export class HecEncoder {
  readonly #metadata: string;
  readonly #record = new EncodedRecord();
  readonly #start = Buffer.from(TIME_START);
  #memory = Buffer.allocUnsafe(INITIAL_BYTES);
  /** What follows an event, by its tags. */
  readonly #ends = new Map<string, Buffer>();

  constructor(metadata: HecMetadata) {
    this.#metadata = JSON.stringify(metadata).slice(1, -1);
  }

  /** @returns a record that is valid until the next call. */
  encode(record: IngestRecord): IngestRecord {
    const { byteLength, tagsText } = record;
    const end = this.#ends.get(tagsText) ?? this.#addEnd(tagsText);
    const memory = this.#reserve(byteLength + end.length);
    record.writeTo(memory, 0);
    // The ends of the attributes and of the event: nothing is between them.
    const isUsual =
      memory[byteLength - 2] === ascii.CLOSE_BRACE && memory[byteLength - 1] === ascii.CLOSE_BRACE;
    const from = isUsual ? this.#writeStart(memory, byteLength) : undefined;
    if (from === undefined) return createRecord(convert(record.eventText) + end, '');
    if (end.length > 1) memory.set(end, byteLength - 1);
    return this.#record.show(memory, from, byteLength - 1 + end.length, '');
  }

  /** Replaces the start of an event in memory. @returns where the new one starts; `undefined` for unusual events. */
  #writeStart(memory: Buffer, byteLength: number): number | undefined {
    if (startsWithMilliseconds(memory)) {
      const start = this.#start;
      for (let index = 0; index < MS_DIGITS; index++) {
        const isSeconds = index < SECONDS_DIGITS;
        start[TIME_AT + index + (isSeconds ? 0 : 1)] = memory[DIGITS_AT + index]!;
      }
      memory.set(start, MS_START.length - 1 - start.length);
      return MS_START.length - 1 - start.length;
    }
    const usual = USUAL_START.exec(memory.toString('latin1', 0, Math.min(byteLength, MAX_START_LENGTH)));
    if (usual === null) return undefined;
    // Never longer than the start that it replaces.
    const start = `{"time":${seconds(usual[1]!)},"event":`;
    memory.write(start, usual[0].length - start.length, 'latin1');
    return usual[0].length - start.length;
  }

  #addEnd(tagsText: string): Buffer {
    const fields = tagsText === '{}' ? '' : `"fields":${tagsText}`;
    const members = [this.#metadata, fields].filter((text) => text !== '');
    const end = Buffer.from(`${members.map((text) => `,${text}`).join('')}}`);
    if (this.#ends.size >= MAX_CACHED_TAGS) this.#ends.clear();
    this.#ends.set(tagsText, end);
    return end;
  }

  #reserve(bytes: number): Buffer {
    const { length } = this.#memory;
    if (bytes > length || (length > MAX_KEPT_BYTES && bytes < MAX_KEPT_BYTES)) {
      this.#memory = Buffer.allocUnsafeSlow(Math.max(bytes, INITIAL_BYTES));
    }
    return this.#memory;
  }
}

function startsWithMilliseconds(memory: Buffer): boolean {
  for (let at = 0; at < MS_START.length; at++) {
    if (memory[at] !== MS_START[at] && !(MS_START[at] === ascii.ZERO && ascii.isDigit(memory[at]!)))
      return false;
  }
  return memory[DIGITS_AT] !== ascii.ZERO;
}

/** @returns the JSON of the object without its closing brace. Invalid JSON stays invalid, and is rejected. */
function convert(eventText: string): string {
  const isObject = eventText.startsWith('{') && tryOr(false, () => typeof JSON.parse(eventText) === 'object');
  if (!isObject) return `{"event":${eventText}`;
  const members = new Map(membersOf(eventText).map((member) => [memberName(member), member.value]));
  const timestamp = members.get('timestamp');
  const time = timestamp === undefined ? '' : `"time":${seconds(timestamp)},`;
  const timezone = members.has('timezone') ? `,"timezone":${members.get('timezone')}` : '';
  return `{${time}"event":${content(members)}${timezone}`;
}

/** The text of an event that has no fields, else the fields, which include the text. */
function content(members: ReadonlyMap<string, string>): string {
  const fields = members.get('attributes')?.trim() ?? 'null';
  const text = members.get('rawstring') ?? 'null';
  const isEmpty = fields === 'null' || /^\{\s*\}$/.test(fields);
  if (text === 'null') return fields === 'null' ? '{}' : fields;
  return isEmpty ? text : `${fields.slice(0, -1)},"rawstring":${text}}`;
}

/** A timestamp in JSON as seconds with milliseconds; unchanged if it is neither a number nor an instant. */
function seconds(timestamp: string): string {
  const ms = timestamp.startsWith('"') ? Date.parse(timestamp.slice(1, -1)) : Number(timestamp);
  return Number.isNaN(ms) ? timestamp : (ms / 1_000).toFixed(3);
}
