import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/epoch.ts';
import { wrongKind } from '../../core/option-checks.ts';
import { requireNoSign } from '../query/query-options.ts';

/** The service's units in all spellings. It counts 30 days per month, 90 per quarter, 365 per year. */
const UNITS: readonly (readonly [spellings: string, lengthMs: number])[] = [
  ['millisecond milliseconds millis ms', 1],
  ['second seconds s sec secs', 1000],
  ['minute minutes m min', MINUTE_MS],
  ['hour hours h hr hrs', HOUR_MS],
  ['day days d', DAY_MS],
  ['week weeks w', 7 * DAY_MS],
  ['month months mon', 30 * DAY_MS],
  ['quarter quarters q qtr qtrs', 90 * DAY_MS],
  ['year years y yr yrs', 365 * DAY_MS],
];

const LENGTHS_MS = new Map(
  UNITS.flatMap(([spellings, lengthMs]) => spellings.split(' ').map((unit) => [unit, lengthMs] as const)),
);

/**
 * The length of a relative `start`, in milliseconds.
 *
 * @throws LogOptionsException for anything but a number and a unit, because live queries accept nothing else.
 */
export function relativeStartMs(owner: string, start: unknown): number {
  const lengthMs = parseLengthMs(start);
  if (lengthMs !== undefined) return lengthMs;
  requireNoSign(owner, 'start', start);
  throw wrongKind(owner, '"start"', 'a relative time such as "10 minutes"', start);
}

/** Whether a value is a number and a unit. */
export function isRelative(start: unknown): boolean {
  return parseLengthMs(start) !== undefined;
}

function parseLengthMs(start: unknown): number | undefined {
  const [, amount, unit] = /^(\d+) ?([a-z]+)$/.exec(typeof start === 'string' ? start.trim() : '') ?? [];
  const lengthMs = unit === undefined ? undefined : LENGTHS_MS.get(unit);
  return lengthMs === undefined ? undefined : Number(amount) * lengthMs;
}
