import { MAX_EPOCH_MS } from './epoch-range.ts';

/** How long an offset is kept: every change of every zone falls on a quarter of an hour. */
const BLOCK_MS = 15 * 60_000;
/** How many offsets of a zone are kept: to find one takes a thousand times as long as to remember it. */
const KEPT_BLOCKS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
/** Earlier, no zone has ever changed; years before 100 and before Christ would be misread. */
const FIRST_MOMENT_MS = Date.UTC(1000, 0);
/** Later, the wall clock of some zone is beyond the range of dates. */
const LAST_MOMENT_MS = MAX_EPOCH_MS - DAY_MS;

/** Short names that other systems know and `Intl` doesn't. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Z', 'UTC'],
  ['ZULU', 'UTC'],
  ['UCT', 'UTC'],
  ['PST', 'America/Los_Angeles'],
  ['CST', 'America/Chicago'],
  ['AST', 'America/Anchorage'],
  ['CNT', 'America/St_Johns'],
  ['BST', 'Europe/London'],
  ['JST', 'Asia/Tokyo'],
  ['IST', 'Asia/Kolkata'],
  ['AET', 'Australia/Sydney'],
]);

/**
 * Wall-clock time of one zone. "Local" times are wall-clock readings written as if they were UTC milliseconds, so
 * that the `getUTC…` methods of `Date` read them.
 */
export interface TimeZone {
  /** As `Intl` knows it, or `+02:00`. */
  readonly name: string;
  /** What to add to epoch milliseconds to get local ones. Defined for every number, not-a-number included. */
  offsetAt(epochMs: number): number;
  /** The first moment at which clocks read this; for a reading that clocks skip, the moment as far behind the gap. */
  toEpoch(localMs: number): number;
}

const zones = new Map<string, TimeZone>();

/** Finds a zone by IANA name, offset (`+02:00`) or common short name; `undefined` when there is none. */
export function findTimeZone(name: string): TimeZone | undefined {
  // In one case: a name that is spelled in a thousand ways is one zone, and takes the room of one.
  const key = name.toUpperCase();
  const known = zones.get(key);
  if (known !== undefined) return known;
  const zone = fixedZone(name) ?? namedZone(SHORT_NAMES.get(key) ?? name);
  if (zone !== undefined) zones.set(key, zone);
  return zone;
}

/** {@link findTimeZone} for names that have been checked: an unknown one is UTC. */
export function timeZoneOrUtc(name: string): TimeZone {
  return findTimeZone(name) ?? UTC;
}

function fixedZone(name: string): TimeZone | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(name) ?? [];
  if (hours === undefined || Number(hours) > 18 || Number(minutes) > 59) return undefined;
  const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const digits = `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
  return {
    name: `${sign}${digits}`,
    offsetAt: () => offsetMs,
    toEpoch: (localMs) => localMs - offsetMs,
  };
}

const UTC: TimeZone = { name: 'UTC', offsetAt: () => 0, toEpoch: (localMs) => localMs };

function namedZone(name: string): TimeZone | undefined {
  if (/^(?:utc|gmt|etc\/utc)$/i.test(name)) return UTC;
  const format = dateFormat(name);
  if (format === undefined) return undefined;
  const offsets = new Map<number, number>();
  const offsetAt = (epochMs: number): number => {
    const inRange = Math.max(FIRST_MOMENT_MS, Math.min(epochMs, LAST_MOMENT_MS));
    const block = Math.floor((inRange || 0) / BLOCK_MS);
    const known = offsets.get(block);
    if (known !== undefined) return known;
    const offset = readOffset(format, block * BLOCK_MS);
    if (offsets.size >= KEPT_BLOCKS) offsets.clear();
    offsets.set(block, offset);
    return offset;
  };
  return {
    name: format.resolvedOptions().timeZone,
    offsetAt,
    toEpoch(localMs) {
      const before = localMs - offsetAt(localMs - DAY_MS);
      const after = localMs - offsetAt(localMs + DAY_MS);
      const readings = [before, after].filter((epochMs) => epochMs + offsetAt(epochMs) === localMs);
      return readings.length === 0 ? before : Math.min(...readings);
    },
  };
}

function dateFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(epochMs)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - epochMs;
}
