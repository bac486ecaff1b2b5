import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  OPEN_BRACE,
  provenPlainString,
  provenValue,
  QUOTE,
  UNPROVED,
} from '../../src/ingest/json-bytes.ts';
import type { ByteLine } from '../../src/ingest/line-bytes.ts';
import { MAX_DEPTH } from './pino-text.ts';

/** Below the object that is the line. */
const MAX_VALUE_DEPTH = MAX_DEPTH - 1;

const LEVEL = Buffer.from('"level"');
const TIME = Buffer.from('"time"');

/** The parts of a line, as places in its bytes. */
export interface PinoLine {
  /** The value of the level; `levelEnd` is 0 when the line begins with another member. */
  readonly levelStart: number;
  readonly levelEnd: number;
  /** The first member when that isn't the level. */
  readonly firstStart: number;
  readonly firstEnd: number;
  /** The value of the time; `timeEnd` is 0 when there is none. */
  readonly timeStart: number;
  readonly timeEnd: number;
  /** All further members, each with a comma before it, and the brace that closes the object. */
  readonly restStart: number;
}

/**
 * Dissects what pino writes: the level, or what a formatter made of it; the time, unless it is switched off; then
 * anything but another level or time.
 *
 * @returns `undefined` for a line that has to be parsed to be understood, or is no JSON at all.
 */
export function dissectPinoLine({ bytes, start, end }: ByteLine): PinoLine | undefined {
  if (bytes[start] !== OPEN_BRACE) return undefined;
  const firstStart = start + 1;
  const firstName = nameEnd(bytes, firstStart, end);
  if (firstName === UNPROVED || isName(bytes, firstStart, firstName, TIME)) return undefined;
  const isLevel = isName(bytes, firstStart, firstName, LEVEL);
  const firstEnd = provenValue(bytes, firstName + 1, end, isLevel ? 0 : MAX_VALUE_DEPTH);
  if (firstEnd === UNPROVED) return undefined;
  const timeStart = timeValue(bytes, firstEnd, end);
  const timeEnd = timeStart === 0 ? 0 : provenValue(bytes, timeStart, end, 0);
  const restStart = timeEnd === 0 ? firstEnd : timeEnd;
  if (timeEnd === UNPROVED || !isRest(bytes, restStart, end)) return undefined;
  return {
    levelStart: firstName + 1,
    levelEnd: isLevel ? firstEnd : 0,
    ...{ firstStart, firstEnd, timeStart, timeEnd, restStart },
  };
}

/** Where the value of the time begins, when that is the next member; else 0. */
function timeValue(bytes: Buffer, comma: number, end: number): number {
  const name = comma + 1;
  const colon = name + TIME.length;
  if (bytes[comma] !== COMMA || colon >= end || bytes[colon] !== COLON) return 0;
  return isName(bytes, name, colon, TIME) ? colon + 1 : 0;
}

/** Whether there are only members that are neither a level nor a time, up to the end of the object and of the line. */
function isRest(bytes: Buffer, restStart: number, end: number): boolean {
  let at = restStart;
  while (at < end && bytes[at] === COMMA) {
    const name = at + 1;
    const colon = nameEnd(bytes, name, end);
    if (colon === UNPROVED || isName(bytes, name, colon, LEVEL) || isName(bytes, name, colon, TIME)) {
      return false;
    }
    at = provenValue(bytes, colon + 1, end, MAX_VALUE_DEPTH);
    if (at === UNPROVED) return false;
  }
  return at === end - 1 && bytes[at] === CLOSE_BRACE;
}

/** The place of the colon behind a name, which has to be without escapes to be compared as it stands. */
function nameEnd(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] !== QUOTE) return UNPROVED;
  const colon = provenPlainString(bytes, start, end);
  return colon !== UNPROVED && bytes[colon] === COLON ? colon : UNPROVED;
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let index = 1; index < name.length - 1; index++) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
