import { isDigit, UNPROVED } from '../../src/ingest/record/json-bytes.ts';
import { ZERO } from '../../src/ingest/record/json-characters.ts';
import type { ByteLine } from '../../src/ingest/record/line-bytes.ts';
import type { IngestRecord } from '../../src/ingest/record/record.ts';
import { jsonString } from '../../src/ingest/record/safe-json.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { timestampOf } from '../../src/ingest/record/timestamp.ts';
import type { PinoLevels } from './pino-levels.ts';
import { PinoLine } from './pino-line.ts';
import { SplicedRecord } from './spliced-record.ts';
import { TagPlaces } from './tag-places.ts';

/** Programs have few levels; what passes this many is not remembered. */
const MAX_KNOWN_LEVELS = 64;

/** So many bytes of a level make a number that can be looked up. */
const MAX_KEY_BYTES = 6;

const EVENT_START = '{"timestamp":';
const ATTRIBUTES_START = ',"attributes":{';
const EPOCH_MILLISECONDS_DIGITS = 13;

/** The beginning of an event that has a level and a time in epoch milliseconds. */
interface Head {
  /** The time in it is that of the line which had it last. */
  readonly bytes: Buffer;
  /** The member `level` as JSON text. */
  readonly level: string;
}

/**
 * Makes events of lines whose form is proved: a new head with the timestamp and the label of the level, and the rest of
 * the line as it stands.
 */
export class PinoSplicer {
  readonly #tags: TagWriter;
  readonly #levels: PinoLevels;
  /** By what the line has for the level. */
  readonly #heads = new Map<number, Head>();
  readonly #tagPlaces: TagPlaces | undefined;
  readonly #tagsLevel: boolean;
  readonly #parts: PinoLine;
  readonly #record = new SplicedRecord();

  constructor(tags: TagWriter, levels: PinoLevels) {
    this.#tags = tags;
    this.#levels = levels;
    this.#tagPlaces = tags.fieldNames.length > 0 ? new TagPlaces(tags) : undefined;
    this.#tagsLevel = tags.fieldNames.includes('level');
    this.#parts = new PinoLine(tags, this.#tagPlaces);
  }

  /** To be called when the levels have changed. */
  forgetLevels(): void {
    this.#heads.clear();
  }

  /**
   * @param nowMs the timestamp of a line that has none.
   * @returns a record that holds until the next call, as long as the line; `undefined` for a line that has to be parsed.
   */
  splice(line: ByteLine, nowMs: number): IngestRecord | undefined {
    const parts = this.#parts;
    if (!parts.dissect(line)) return undefined;
    const { bytes } = line;
    if (parts.levelEnd === 0) return this.#spliceWithoutLevel(line, nowMs);
    const head = this.#headFor(bytes, parts.levelStart, parts.levelEnd);
    const tagsText = this.#tagsText(bytes, head.level);
    if (isEpochMilliseconds(bytes, parts.timeStart, parts.timeEnd)) {
      for (let index = 0; index < EPOCH_MILLISECONDS_DIGITS; index++) {
        head.bytes[EVENT_START.length + index] = bytes[parts.timeStart + index]!;
      }
      return this.#record.show(head.bytes, bytes, parts.restStart, line.end, tagsText);
    }
    const timestamp = this.#timestamp(bytes, nowMs);
    if (timestamp === undefined) return undefined; // The time stays a field; a rare case, left to the exact way.
    return this.#record.show(headBytes(timestamp, head.level), bytes, parts.restStart, line.end, tagsText);
  }

  /** Of a line that begins with something else, such as what a formatter has made of the level. */
  #spliceWithoutLevel({ bytes, end }: ByteLine, nowMs: number): IngestRecord | undefined {
    const { firstStart, firstEnd, restStart } = this.#parts;
    const timestamp = this.#timestamp(bytes, nowMs);
    if (timestamp === undefined) return undefined;
    const head = headBytes(timestamp, bytes.toString('utf8', firstStart, firstEnd));
    return this.#record.show(head, bytes, restStart, end, this.#tagsText(bytes, ''));
  }

  /** The timestamp as JSON text; `undefined` when the member `time` holds none. */
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
    const label = /^[-\d]/.test(json) ? this.#levels.labelOf(Number(json)) : undefined;
    const level = `"level":${label === undefined ? json : jsonString(label)}`;
    const head = { bytes: headBytes('0'.repeat(EPOCH_MILLISECONDS_DIGITS), level), level };
    if (key !== UNPROVED && this.#heads.size < MAX_KNOWN_LEVELS) this.#heads.set(key, head);
    return head;
  }

  #tagsText(bytes: Buffer, level: string): string {
    return this.#tagPlaces?.tagsText(bytes, this.#tagsLevel ? level : '') ?? this.#tags.baseText;
  }
}

function headBytes(timestamp: string, firstMember: string): Buffer {
  return Buffer.from(EVENT_START + timestamp + ATTRIBUTES_START + firstMember);
}

function isEpochMilliseconds(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== EPOCH_MILLISECONDS_DIGITS || bytes[start] === ZERO) return false;
  for (let at = start; at < end; at++) if (!isDigit(bytes[at]!)) return false;
  return true;
}

/** A number that stands for the bytes; {@link UNPROVED} for too many. A string for each line would cost more. */
function levelKey(bytes: Buffer, start: number, end: number): number {
  if (end - start > MAX_KEY_BYTES) return UNPROVED;
  let key = 0;
  for (let at = start; at < end; at++) key = key * 256 + bytes[at]!;
  return key;
}
