import * as ascii from '../../src/core/ascii.ts';
import { MAX_DEPTH } from '../../src/ingest/record/deep-values.ts';
import { endOfString, endOfValue, NOT_PLAIN } from '../../src/ingest/record/json-bytes.ts';
import type { ByteLine } from '../../src/ingest/record/line-bytes.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';

/** The line itself is one level. */
const MAX_VALUE_DEPTH = MAX_DEPTH - 1;

const LEVEL = Buffer.from('"level"');
const TIME = Buffer.from('"time"');

/** Parts of a line, as byte indexes: level, pino's time if any, and all other members. Reused for all lines. */
export class PinoLine {
  /** Value of the level; `levelEnd` is 0 if the line starts with another member. */
  levelStart = 0;
  levelEnd = 0;
  /** The first member, if it is not the level. */
  firstStart = 0;
  firstEnd = 0;
  /** Value of the time; `timeEnd` is 0 if there is none. */
  timeStart = 0;
  timeEnd = 0;
  /** Start of the other members, each preceded by a comma, and the closing brace. */
  restStart = 0;

  readonly #tags: TagWriter;

  constructor(tags: TagWriter) {
    this.#tags = tags;
  }

  /** @returns false if the line must be parsed, or is not JSON. */
  dissect({ bytes, start, end }: ByteLine): boolean {
    if (bytes[start] !== ascii.OPEN_BRACE) return false;
    this.firstStart = start + 1;
    this.firstEnd = this.#first(bytes, this.firstStart, end);
    if (this.firstEnd === NOT_PLAIN) return false;
    this.timeStart = timeValue(bytes, this.firstEnd, end);
    this.timeEnd = this.timeStart === 0 ? 0 : endOfValue(bytes, this.timeStart, end, 0);
    this.restStart = this.timeEnd === 0 ? this.firstEnd : this.timeEnd;
    return this.timeEnd !== NOT_PLAIN && this.#isRest(bytes, this.restStart, end);
  }

  /** @returns the index after the first member, or {@link NOT_PLAIN}. */
  #first(bytes: Buffer, start: number, end: number): number {
    this.levelStart = start + LEVEL.length + 1;
    const isLevel =
      bytes[this.levelStart - 1] === ascii.COLON && isName(bytes, start, this.levelStart - 1, LEVEL);
    this.levelEnd = isLevel ? endOfValue(bytes, this.levelStart, end, 0) : 0;
    if (isLevel) return this.levelEnd;
    const colon = nameEnd(bytes, start, end);
    if (colon === NOT_PLAIN || isName(bytes, start, colon, TIME)) return NOT_PLAIN;
    if (bytes[start + 1] === ascii.HASH && this.#isTag(bytes, start, colon)) return NOT_PLAIN;
    return endOfValue(bytes, colon + 1, end, MAX_VALUE_DEPTH);
  }

  /** True if the rest of the line consists of members, none of which is the level, and the closing brace. */
  #isRest(bytes: Buffer, restStart: number, end: number): boolean {
    let at = restStart;
    while (at < end && bytes[at] === ascii.COMMA) {
      const name = at + 1;
      const colon = nameEnd(bytes, name, end);
      if (colon === NOT_PLAIN || isName(bytes, name, colon, LEVEL)) return false;
      if (bytes[name + 1] === ascii.HASH && this.#isTag(bytes, name, colon)) return false;
      at = endOfValue(bytes, colon + 1, end, MAX_VALUE_DEPTH);
      if (at === NOT_PLAIN) return false;
    }
    return at === end - 1 && bytes[at] === ascii.CLOSE_BRACE;
  }

  /** True if a field such as `#service` would override a tag. */
  #isTag(bytes: Buffer, name: number, colon: number): boolean {
    return this.#tags.has(bytes.toString('utf8', name + 2, colon - 1));
  }
}

/** Start of the value of pino's time, which is directly behind the level, or 0. A `time` further on is a field. */
function timeValue(bytes: Buffer, comma: number, end: number): number {
  const name = comma + 1;
  const colon = name + TIME.length;
  if (bytes[comma] !== ascii.COMMA || colon >= end || bytes[colon] !== ascii.COLON) return 0;
  return isName(bytes, name, colon, TIME) ? colon + 1 : 0;
}

/** Index of the colon after a name. Names with escapes must be parsed. */
function nameEnd(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] !== ascii.QUOTE) return NOT_PLAIN;
  const colon = endOfString(bytes, start, end, true);
  return colon !== NOT_PLAIN && bytes[colon] === ascii.COLON ? colon : NOT_PLAIN;
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
