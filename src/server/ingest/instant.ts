import { MAX_EPOCH_MS } from '../../core/epoch.ts';
import { findTimeZone } from '../../core/time-zone.ts';

export interface Instant {
  readonly epochMs: number;
  /** Nanoseconds of the millisecond. */
  readonly nanos: number;
  /** `Z`, an offset, or the name of a zone. */
  readonly timezone: string;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?/;

/** `undefined` if the time is out of range. A fraction becomes nanoseconds. */
export function instantFromNumber(epochMs: number, timezone = 'Z'): Instant | undefined {
  if (!(epochMs >= 0 && epochMs <= MAX_EPOCH_MS)) return undefined;
  const whole = Math.floor(epochMs);
  return { epochMs: whole, nanos: Math.min(999, Math.round((epochMs - whole) * 1_000)) * 1_000, timezone };
}

/** Parses ISO 8601 with an offset; `undefined` for anything else. */
export function instantFromText(text: string): Instant | undefined {
  const match = ISO.exec(text);
  return match !== null && match[0].length === text.length ? fromMatch(match) : undefined;
}

/** The time at the start of a line, if any. */
export function leadingInstant(line: string): Instant | undefined {
  const match = ISO.exec(line.trimStart());
  return match === null ? undefined : fromMatch(match);
}

function fromMatch(match: RegExpExecArray): Instant | undefined {
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const offsetMs = /^z$/i.test(zone) ? 0 : findTimeZone(zone)?.offsetAt(0);
  if (offsetMs === undefined) return undefined;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Invalid dates and times are not a number, or, such as June 31, another day.
  if (new Date(local).getUTCDate() !== Number(day)) return undefined;
  const nanos = Number(fraction.padEnd(9, '0'));
  const epochMs = local - offsetMs + Math.floor(nanos / 1_000_000);
  if (epochMs < 0) return undefined;
  return { epochMs, nanos: nanos % 1_000_000, timezone: offsetMs === 0 && /^z$/i.test(zone) ? 'Z' : zone };
}
