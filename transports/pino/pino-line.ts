import { provenPlainString, provenValue, UNPROVED } from '../../src/ingest/record/json-bytes.ts';
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  HASH,
  OPEN_BRACE,
  QUOTE,
} from '../../src/ingest/record/json-characters.ts';
import type { ByteLine } from '../../src/ingest/record/line-bytes.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { MAX_DEPTH } from './pino-text.ts';
import type { TagPlaces } from './tag-places.ts';

/** Below the object that is the line. */
const MAX_VALUE_DEPTH = MAX_DEPTH - 1;

const LEVEL = Buffer.from('"level"');
const TIME = Buffer.from('"time"');

/**
 * The parts of what pino writes, as places in its bytes: the level, or what a formatter made of it; the time, unless it
 * is switched off; then anything but another level or time. The same object is used for every line.
 */
export class PinoLine {
  /** The value of the level; `levelEnd` is 0 when the line begins with another member. */
  levelStart = 0;
  levelEnd = 0;
  /** The first member when that isn't the level. */
  firstStart = 0;
  firstEnd = 0;
  /** The value of the time; `timeEnd` is 0 when there is none. */
  timeStart = 0;
  timeEnd = 0;
  /** All further members, each with a comma before it, and the brace that closes the object. */
  restStart = 0;

  readonly #tags: TagWriter;
  readonly #tagPlaces: TagPlaces | undefined;

  /** @param tagPlaces takes note of all members but the level and the time. */
  constructor(tags: TagWriter, tagPlaces?: TagPlaces) {
    this.#tags = tags;
    this.#tagPlaces = tagPlaces;
  }

  /** @returns false for a line that has to be parsed to be understood, or is no JSON at all. */
  dissect({ bytes, start, end }: ByteLine): boolean {
    if (bytes[start] !== OPEN_BRACE) return false;
    this.#tagPlaces?.clear();
    this.firstStart = start + 1;
    this.firstEnd = this.#first(bytes, this.firstStart, end);
    if (this.firstEnd === UNPROVED) return false;
    this.timeStart = timeValue(bytes, this.firstEnd, end);
    this.timeEnd = this.timeStart === 0 ? 0 : provenValue(bytes, this.timeStart, end, 0);
    this.restStart = this.timeEnd === 0 ? this.firstEnd : this.timeEnd;
    return this.timeEnd !== UNPROVED && this.#isRest(bytes, this.restStart, end);
  }

  /** @returns the place behind the first member, or {@link UNPROVED} */
  #first(bytes: Buffer, start: number, end: number): number {
    this.levelStart = start + LEVEL.length + 1;
    const isLevel = bytes[this.levelStart - 1] === COLON && isName(bytes, start, this.levelStart - 1, LEVEL);
    this.levelEnd = isLevel ? provenValue(bytes, this.levelStart, end, 0) : 0;
    if (isLevel) return this.levelEnd;
    const colon = nameEnd(bytes, start, end);
    if (colon === UNPROVED || isName(bytes, start, colon, TIME)) return UNPROVED;
    if (bytes[start + 1] === HASH && this.#isTag(bytes, start, colon)) return UNPROVED;
    const valueEnd = provenValue(bytes, colon + 1, end, MAX_VALUE_DEPTH);
    this.#tagPlaces?.note(bytes, start, colon, valueEnd);
    return valueEnd;
  }

  /** Whether there are only members that are neither a level nor a time, up to the end of the object and of the line. */
  #isRest(bytes: Buffer, restStart: number, end: number): boolean {
    const tagPlaces = this.#tagPlaces;
    let at = restStart;
    while (at < end && bytes[at] === COMMA) {
      const name = at + 1;
      const colon = nameEnd(bytes, name, end);
      if (colon === UNPROVED || isName(bytes, name, colon, LEVEL) || isName(bytes, name, colon, TIME)) {
        return false;
      }
      if (bytes[name + 1] === HASH && this.#isTag(bytes, name, colon)) return false;
      at = provenValue(bytes, colon + 1, end, MAX_VALUE_DEPTH);
      if (at === UNPROVED) return false;
      if (tagPlaces !== undefined) tagPlaces.note(bytes, name, colon, at);
    }
    return at === end - 1 && bytes[at] === CLOSE_BRACE;
  }

  /** Whether a field such as `#service` would override a tag. */
  #isTag(bytes: Buffer, name: number, colon: number): boolean {
    return this.#tags.has(bytes.toString('utf8', name + 2, colon - 1));
  }
}

/** Where the value of the time begins, when that is the next member; else 0. */
function timeValue(bytes: Buffer, comma: number, end: number): number {
  const name = comma + 1;
  const colon = name + TIME.length;
  if (bytes[comma] !== COMMA || colon >= end || bytes[colon] !== COLON) return 0;
  return isName(bytes, name, colon, TIME) ? colon + 1 : 0;
}

/** The place of the colon behind a name, which has to be without escapes to be compared as it stands. */
function nameEnd(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] !== QUOTE) return UNPROVED;
  const colon = provenPlainString(bytes, start, end);
  return colon !== UNPROVED && bytes[colon] === COLON ? colon : UNPROVED;
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
