import type { EnglishNames } from './english-names.ts';
import { findWrittenZone, UTC, type WrittenTime } from './written-time.ts';

/** Reads what it stands for at a position. @returns the position after it, -1 when it isn't there. */
export type Element = (text: string, position: number, found: WrittenTime) => number;

/** What a number says; `yearOf2000` has two digits, `hourFromOne` says 24 for midnight. */
export type NumberTarget =
  | 'year'
  | 'yearOf2000'
  | 'month'
  | 'dayOfMonth'
  | 'dayOfYear'
  | 'hour'
  | 'hourFromOne'
  | 'halfDayHour'
  | 'minute'
  | 'second'
  | 'nanos';

const ZERO = 48;

export function sequence(elements: readonly Element[]): Element {
  return (text, position, found) => {
    let at = position;
    for (const element of elements) {
      at = element(text, at, found);
      if (at === -1) return -1;
    }
    return at;
  };
}

/** What is there in part only counts as not there at all. */
export function optionalPart(element: Element): Element {
  return (text, position, found) => {
    const inside: WrittenTime = {};
    const end = element(text, position, inside);
    if (end === -1) return position;
    Object.assign(found, inside);
    return end;
  };
}

export function literal(expected: string, ignoreCase: boolean): Element {
  const folded = expected.toLowerCase();
  return (text, position) => {
    const end = position + expected.length;
    if (text.startsWith(expected, position)) return end;
    return ignoreCase && text.slice(position, end).toLowerCase() === folded ? end : -1;
  };
}

interface Width {
  readonly min: number;
  readonly max: number;
  /** How many digits belong to the numbers that follow directly. */
  readonly reserved?: number;
}

export function number(target: NumberTarget, { min, max, reserved = 0 }: Width): Element {
  return (text, position, found) => {
    const available = countDigits(text, position, max + reserved) - reserved;
    if (available < min) return -1;
    const end = position + Math.min(available, max);
    setNumber(found, target, Number(text.slice(position, end)));
    return end;
  };
}

function countDigits(text: string, position: number, max: number): number {
  let count = 0;
  while (count < max) {
    const digit = text.charCodeAt(position + count) - ZERO;
    if (!(digit >= 0 && digit <= 9)) break;
    count += 1;
  }
  return count;
}

function setNumber(found: WrittenTime, target: NumberTarget, value: number): void {
  if (target === 'yearOf2000') found.year = 2000 + value;
  else if (target === 'hourFromOne') found.hour = value % 24;
  else if (target === 'halfDayHour') found.halfDayHour = value > 12 ? value : value % 12;
  else found[target] = value;
}

/** Digits after the decimal point of a second. */
export function fraction(min: number, max: number): Element {
  return (text, position, found) => {
    const count = countDigits(text, position, max);
    if (count < min) return -1;
    const digits = text.slice(position, position + Math.min(count, 9));
    found.nanos = Number(digits.padEnd(9, '0'));
    return position + count;
  };
}

export function name(
  names: EnglishNames,
  ignoreCase: boolean,
  set: (found: WrittenTime, index: number) => void,
): Element {
  return (text, position, found) => {
    const match = names.findAt(text, position, ignoreCase);
    if (match === undefined) return -1;
    set(found, match.index);
    return match.end;
  };
}

const OFFSET = /(?:GMT|UTC)([+-]\d{1,2}(?::?\d{2})?)|([+-]\d{2}(?::?\d{2})?(?!\d))|(?:GMT|UTC|Z)(?!\w)/iy;
const NAME = /[A-Za-z][\w/+:-]*[A-Za-z0-9]|Z/iy;

/** `Z`, `+02:00`, `+0200`, `+02` or `GMT+2`. */
export const zoneOffset: Element = (text, position, found) => {
  OFFSET.lastIndex = position;
  const match = OFFSET.exec(text);
  if (match === null) return -1;
  const offset = match[1] ?? match[2];
  const zone = offset === undefined ? UTC : findWrittenZone(offset);
  if (zone === undefined) return -1;
  found.zone = zone;
  return OFFSET.lastIndex;
};

/** `Europe/Copenhagen`, `CET`, or an offset. */
export const zoneName: Element = (text, position, found) => {
  NAME.lastIndex = position;
  const written = NAME.exec(text)?.[0];
  const zone = written === undefined ? undefined : findWrittenZone(written);
  if (written === undefined || zone === undefined) return zoneOffset(text, position, found);
  found.zone = zone;
  return position + written.length;
};
