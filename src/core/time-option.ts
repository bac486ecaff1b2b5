import { isDate } from './builtin-types.ts';
import { readDuration, splitRelativeTime } from './duration.ts';
import { timeAdvice } from './epoch.ts';
import { LogOptionsException } from './errors.ts';
import { describe, nullAdvice } from './option-checks.ts';
import { instantOf } from './records/timestamp.ts';
import type { TimePoint } from './wire/query.ts';

/** A number and a unit with at most one space: live queries accept nothing else. */
const LENGTH = /^\s*\d+ ?[a-z]+\s*$/;
const RELATIVE = ', or a relative time such as "2 hours"';

/** Validates a point in time, and converts a Date and ISO 8601 to epoch milliseconds. @throws LogOptionsException */
export function requireTimePoint(owner: string, name: string, time: unknown): TimePoint {
  if (typeof time !== 'string' || timeAdvice(time) !== '') return requireEpochMs(owner, name, time);
  if (/^\s*-?\d+\s*$/.test(time) || splitRelativeTime(time) !== undefined) return time;
  rejectOtherForm(owner, name, time);
  return requireEpochMs(owner, name, time);
}

/** The same for a point in time that is not relative. @param relative other values that the option may have */
export function requireEpochMs(owner: string, name: string, time: unknown, relative = RELATIVE): number {
  const given = isDate(time) ? time.getTime() : time;
  const instant = typeof given === 'string' ? instantOf(given) : undefined;
  const value = instant === undefined ? given : Date.parse(instant);
  const advice = nullAdvice(time) || timeAdvice(time);
  if (typeof value === 'number' && Number.isSafeInteger(value) && advice === '') return value;
  throw new LogOptionsException(
    `${owner}: "${name}" must be whole epoch milliseconds, a Date, ISO 8601 with an offset such as "2026-11-20T10:00:00Z"${relative} (got ${describe(time)}).${advice}`,
  );
}

/** The length in milliseconds of a time that is the start of a live query; `undefined` for any other value. */
export function lengthMs(time: unknown): number | undefined {
  return typeof time === 'string' && LENGTH.test(time) ? readDuration(time) : undefined;
}

/** The same. @throws LogOptionsException for any other value */
export function requireLength(owner: string, name: string, time: unknown): number {
  const length = lengthMs(time);
  if (length !== undefined) return length;
  rejectOtherForm(owner, name, time);
  throw new LogOptionsException(
    `${owner}: a live query needs a relative "${name}" without anchors, such as "10 minutes" (got ${describe(time)}).`,
  );
}

/** Other languages have `-24h`, `24 hours ago` and `24H`. @throws LogOptionsException */
function rejectOtherForm(owner: string, name: string, time: unknown): void {
  const text = String(time).trim();
  const length = text.toLowerCase().replace(/^-\s*|\s+ago$/g, '');
  // `1M` may be a month.
  if (length === text || readDuration(length) === undefined || /\dM$/.test(text)) return;
  const rule = length === text.toLowerCase() ? 'has lower-case units' : 'counts back from now';
  throw new LogOptionsException(`${owner}: "${name}" ${rule}: write "${length}" (got ${describe(time)}).`);
}
