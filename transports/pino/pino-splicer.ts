import * as ascii from '../../src/core/ascii.ts';
import { LABELED_LEVELS } from '../../src/core/records/logger-line.ts';
import { timestampOf } from '../../src/core/records/timestamp.ts';
import { NOT_PLAIN } from '../../src/ingest/record/json-bytes.ts';
import type { ByteLine } from '../../src/ingest/record/line-bytes.ts';
import type { IngestRecord } from '../../src/ingest/record/record.ts';
import { jsonString } from '../../src/ingest/record/safe-json.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { PinoLine } from './pino-line.ts';
import { SplicedRecord } from './spliced-record.ts';

const MAX_CACHED_LEVELS = 64;

/** Maximum size of a level that can be encoded as a number. */
const MAX_KEY_BYTES = 6;

const EVENT_START = '{"timestamp":';
const ATTRIBUTES_START = ',"attributes":{';
const EPOCH_MILLISECONDS_DIGITS = 13;

/** pino's default labels, until the configuration arrives. */
const DEFAULT_LABELS: Readonly<Record<string, string>> = Object.fromEntries(LABELED_LEVELS);

/** Start of an event with a level and a time in epoch milliseconds. */
interface Head {
  /** Contains the time of the last line that used it. */
  readonly bytes: Buffer;
  /** The member `level` as JSON. */
  readonly level: string;
}

/** Creates events from verified lines: a new head with the timestamp and the label of the level, and the unchanged rest. */
export class PinoSplicer {
  readonly #tags: TagWriter;
  #labels = DEFAULT_LABELS;
  /** Heads by the value of the level. */
  readonly #heads = new Map<number, Head>();
  readonly #parts: PinoLine;
  readonly #record = new SplicedRecord();

  constructor(tags: TagWriter) {
    this.#tags = tags;
    this.#parts = new PinoLine(tags);
  }

  /** @param labels labels of the levels by number. @default pino's labels */
  configure(labels: Readonly<Record<string, string>> = DEFAULT_LABELS): void {
    this.#labels = labels;
    this.#heads.clear();
  }

  /** @returns `undefined` for a level without a label. */
  labelOf(level: number): string | undefined {
    const label = Object.hasOwn(this.#labels, String(level)) ? this.#labels[String(level)] : undefined;
    return typeof label === 'string' ? label : undefined;
  }

  /** @returns a record that is valid until the next call; `undefined` if the line must be parsed. */
  splice(line: ByteLine, nowMs: number): IngestRecord | undefined {
    const parts = this.#parts;
    if (!parts.dissect(line)) return undefined;
    const { bytes } = line;
    const { levelStart, levelEnd, firstStart, firstEnd } = parts;
    const head = levelEnd === 0 ? undefined : this.#headFor(bytes, levelStart, levelEnd);
    if (head !== undefined && isEpochMilliseconds(bytes, parts.timeStart, parts.timeEnd)) {
      for (let index = 0; index < EPOCH_MILLISECONDS_DIGITS; index++) {
        head.bytes[EVENT_START.length + index] = bytes[parts.timeStart + index]!;
      }
      return this.#show(head.bytes, line);
    }
    const timestamp = this.#timestamp(bytes, nowMs);
    if (timestamp === undefined) return undefined; // Not a timestamp, so `time` stays a field: rare, and left to the parser.
    // The line may start with another member, such as a formatted level.
    const first = head?.level ?? bytes.toString('utf8', firstStart, firstEnd);
    return this.#show(headBytes(timestamp, first), line);
  }

  #show(head: Buffer, { bytes, end }: ByteLine): IngestRecord {
    const { baseText, fieldNames } = this.#tags;
    const record = this.#record.show(head, bytes, this.#parts.restStart, end, baseText);
    // Only tags from fields need the parsed event.
    if (fieldNames.length > 0) record.tagsText = this.#tags.textFor(JSON.parse(record.eventText).attributes);
    return record;
  }

  /** The timestamp as JSON; `undefined` if `time` is not a timestamp. */
  #timestamp(bytes: Buffer, nowMs: number): string | undefined {
    const { timeStart, timeEnd } = this.#parts;
    if (timeEnd === 0) return String(nowMs);
    const json = bytes.toString('utf8', timeStart, timeEnd);
    const timestamp = /^["\d-]/.test(json) ? timestampOf(JSON.parse(json)) : undefined;
    return timestamp === undefined ? undefined : JSON.stringify(timestamp);
  }

  #headFor(bytes: Buffer, levelStart: number, levelEnd: number): Head {
    const key = levelKey(bytes, levelStart, levelEnd);
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const json = bytes.toString('utf8', levelStart, levelEnd);
    const label = /^[-\d]/.test(json) ? this.labelOf(Number(json)) : undefined;
    const level = `"level":${label === undefined ? json : jsonString(label)}`;
    const head = { bytes: headBytes('0'.repeat(EPOCH_MILLISECONDS_DIGITS), level), level };
    if (key !== NOT_PLAIN && this.#heads.size < MAX_CACHED_LEVELS) this.#heads.set(key, head);
    return head;
  }
}

function headBytes(timestamp: string, firstMember: string): Buffer {
  return Buffer.from(EVENT_START + timestamp + ATTRIBUTES_START + firstMember);
}

function isEpochMilliseconds(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== EPOCH_MILLISECONDS_DIGITS || bytes[start] === ascii.ZERO) return false;
  for (let at = start; at < end; at++) if (!ascii.isDigit(bytes[at]!)) return false;
  return true;
}

/** Encodes the bytes as a number, which is faster than a string; {@link NOT_PLAIN} if there are too many. */
function levelKey(bytes: Buffer, start: number, end: number): number {
  if (end - start > MAX_KEY_BYTES) return NOT_PLAIN;
  let key = 0;
  for (let at = start; at < end; at++) key = key * 256 + bytes[at]!;
  return key;
}
