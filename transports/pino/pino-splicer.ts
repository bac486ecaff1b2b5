import { isDigit, UNPROVED } from '../../src/ingest/json-bytes.ts';
import type { ByteLine } from '../../src/ingest/line-bytes.ts';
import { EncodedRecord, type IngestRecord } from '../../src/ingest/record.ts';
import { jsonString } from '../../src/ingest/safe-json.ts';
import type { TagWriter } from '../../src/ingest/tags.ts';
import { timestampOf } from '../../src/ingest/timestamp.ts';
import type { PinoLevels } from './pino-levels.ts';
import { PinoLine } from './pino-line.ts';

/** Programs have few levels; what passes this many is not remembered. */
const MAX_KNOWN_LEVELS = 64;

/** So many bytes of a level make a number that can be looked up. */
const MAX_KEY_BYTES = 6;

const EVENT_START = Buffer.from('{"timestamp":');
const ATTRIBUTES_START = Buffer.from(',"attributes":{');
const EVENT_END = 0x7d;

const EPOCH_MILLISECONDS_DIGITS = 13;
const ZERO = 0x30;

/** What a timestamp takes at most, and the brace at the end. */
const MAX_TIMESTAMP_BYTES = 64;

const USUAL_BYTES = 4 * 1024;

/** Memory that had to grow beyond this is given back. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Makes events of lines whose form is proved, by copying their bytes: a new head with the timestamp and the label of the
 * level, and the rest of the line as it stands.
 */
export class PinoSplicer {
  readonly #tags: TagWriter;
  readonly #levels: PinoLevels;
  /** The member `level` of an event, by what the line has for it. */
  readonly #levelMembers = new Map<number, Buffer>();
  #memory = eventMemory(USUAL_BYTES);
  readonly #parts = new PinoLine();
  readonly #record = new EncodedRecord();

  constructor(tags: TagWriter, levels: PinoLevels) {
    this.#tags = tags;
    this.#levels = levels;
  }

  /** To be called when the levels have changed. */
  forgetLevels(): void {
    this.#levelMembers.clear();
  }

  /**
   * @param nowMs the timestamp of a line that has none.
   * @returns a record that holds until the next call; `undefined` for a line that has to be parsed.
   */
  splice(line: ByteLine, nowMs: number): IngestRecord | undefined {
    const parts = this.#parts;
    if (!parts.dissect(line)) return undefined;
    const { bytes, end } = line;
    const level = parts.levelEnd === 0 ? undefined : this.#levelMember(bytes, parts);
    this.#makeRoom(end - line.start + (level?.length ?? 0));
    const timestampEnd = this.#writeTimestamp(bytes, parts, nowMs);
    if (timestampEnd === UNPROVED) return undefined; // The time stays a field; a rare case, left to the exact way.
    const memory = this.#memory;
    let at = timestampEnd + ATTRIBUTES_START.copy(memory, timestampEnd);
    at += level?.copy(memory, at) ?? bytes.copy(memory, at, parts.firstStart, parts.firstEnd);
    at += bytes.copy(memory, at, parts.restStart, end);
    memory[at++] = EVENT_END;
    return this.#record.show(memory, 0, at, this.#tagsText(timestampEnd, at));
  }

  /** @returns the place behind the timestamp; {@link UNPROVED} when the member `time` holds none. */
  #writeTimestamp(bytes: Buffer, { timeStart, timeEnd }: PinoLine, nowMs: number): number {
    const start = EVENT_START.length;
    if (isEpochMilliseconds(bytes, timeStart, timeEnd)) {
      for (let index = 0; index < EPOCH_MILLISECONDS_DIGITS; index++) {
        this.#memory[start + index] = bytes[timeStart + index]!;
      }
      return start + EPOCH_MILLISECONDS_DIGITS;
    }
    const text = timeEnd === 0 ? String(nowMs) : timestampText(bytes.toString('utf8', timeStart, timeEnd));
    return text === undefined ? UNPROVED : start + this.#memory.write(text, start);
  }

  #levelMember(bytes: Buffer, { levelStart, levelEnd }: PinoLine): Buffer {
    const key = levelKey(bytes, levelStart, levelEnd);
    const known = this.#levelMembers.get(key);
    if (known !== undefined) return known;
    const json = bytes.toString('utf8', levelStart, levelEnd);
    const label = /^[-\d]/.test(json) ? this.#levels.labelOf(Number(json)) : undefined;
    const member = Buffer.from(`"level":${label === undefined ? json : jsonString(label)}`);
    if (key !== UNPROVED && this.#levelMembers.size < MAX_KNOWN_LEVELS) this.#levelMembers.set(key, member);
    return member;
  }

  /** @param timestampEnd and `end`: between these are the attributes. */
  #tagsText(timestampEnd: number, end: number): string {
    if (this.#tags.fieldNames.length === 0) return this.#tags.baseText;
    const start = timestampEnd + ATTRIBUTES_START.length - 1;
    return this.#tags.textFor(JSON.parse(this.#memory.toString('utf8', start, end - 1)));
  }

  #makeRoom(bytes: number): void {
    const needed = EVENT_START.length + MAX_TIMESTAMP_BYTES + ATTRIBUTES_START.length + bytes;
    const isTooLarge = this.#memory.length > LARGE_BYTES && needed < LARGE_BYTES / 2;
    if (needed > this.#memory.length || isTooLarge) this.#memory = eventMemory(needed);
  }
}

function eventMemory(bytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(bytes);
  EVENT_START.copy(memory);
  return memory;
}

function isEpochMilliseconds(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== EPOCH_MILLISECONDS_DIGITS || bytes[start] === ZERO) return false;
  for (let at = start; at < end; at++) if (!isDigit(bytes[at]!)) return false;
  return true;
}

/** The timestamp as JSON text; `undefined` when the member holds none. */
function timestampText(json: string): string | undefined {
  const timestamp = /^["\d-]/.test(json) ? timestampOf(JSON.parse(json)) : undefined;
  return timestamp === undefined ? undefined : JSON.stringify(timestamp);
}

/** A number that stands for the bytes; {@link UNPROVED} for too many. A string for each line would cost more. */
function levelKey(bytes: Buffer, start: number, end: number): number {
  if (end - start > MAX_KEY_BYTES) return UNPROVED;
  let key = 0;
  for (let at = start; at < end; at++) key = key * 256 + bytes[at]!;
  return key;
}
