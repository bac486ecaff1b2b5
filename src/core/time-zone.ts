import { DAY_MS, HOUR_MS, MAX_EPOCH_MS, MINUTE_MS } from './epoch.ts';
import { timeZoneName } from './time-zone-name.ts';
import { tryOr } from './try-or.ts';

/** Every offset change of every zone is at a multiple of 15 minutes. */
const BLOCK_MS = 15 * MINUTE_MS;
/** Maximum number of cached offsets per zone: computing an offset is a thousand times as slow as the cache. */
const KEPT_BLOCKS = 10_000;
/** No zone changes before this time; years before 100 would be misread. */
const FIRST_MOMENT_MS = Date.UTC(1000, 0);
/** After this time, the wall-clock time of some zones is out of range. */
const LAST_MOMENT_MS = MAX_EPOCH_MS - DAY_MS;

/**
 * Wall-clock time of one zone. A "local" time is a wall-clock time as if it were UTC milliseconds, for the `getUTC…`
 * methods of `Date`.
 */
export interface TimeZone {
  /** `Intl` name, or `+02:00`. */
  readonly name: string;
  /** Offset to add to epoch milliseconds to get local ones. Defined for every number, including NaN. */
  offsetAt(epochMs: number): number;
  /** The first time at which clocks show this; for a time that clocks skip, the time that far after the gap. */
  toEpoch(localMs: number): number;
}

const zones = new Map<string, TimeZone>();

/** Finds a zone by IANA name, offset (`+02:00`) or common abbreviation; `undefined` if there is none. */
export function findTimeZone(name: string): TimeZone | undefined {
  // In upper case, so that different spellings share a cache entry.
  const key = name.toUpperCase();
  const known = zones.get(key);
  if (known !== undefined) return known;
  const zone = fixedZone(name) ?? namedZone(timeZoneName(name));
  if (zone !== undefined) zones.set(key, zone);
  return zone;
}

/** {@link findTimeZone} for validated names; UTC if unknown. */
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
  const options: Intl.DateTimeFormatOptions = { timeZone: name, timeZoneName: 'longOffset' };
  const format = tryOr(undefined, () => new Intl.DateTimeFormat('en-US', options));
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

/** Reads `GMT`, `GMT+02:00`, or the `GMT+00:53:28` of local mean time. */
function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const name = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  if (hours === undefined) return 0;
  return (
    (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000)
  );
}
