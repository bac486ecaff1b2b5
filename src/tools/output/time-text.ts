import { MAX_EPOCH_MS } from '../../core/epoch.ts';

const FORMATS = new Map<string | undefined, Intl.DateTimeFormat>();

/** Whether a column contains times in epoch milliseconds. */
export function isTimeColumn(name: string): boolean {
  return name === '@timestamp' || name === '_bucket' || name === '@ingesttimestamp';
}

/** Formats epoch milliseconds as `2026-11-20 10:00:00.000` in a time zone; other text stays unchanged. */
export function timeText(value: string, timeZone: string | undefined): string {
  const time = Number(value);
  if (!/^\d{1,16}$/.test(value) || !(time <= MAX_EPOCH_MS)) return value;
  let format = FORMATS.get(timeZone);
  if (format === undefined) {
    // The Swedish format is that of ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    FORMATS.set(timeZone, format);
  }
  return `${format.format(time)}.${String(time % 1000).padStart(3, '0')}`;
}

/** The time of a chart's bucket, only as precise as necessary. */
export function bucketText(value: string, timeZone: string | undefined): string {
  return timeText(value, timeZone)
    .replace(/\.000$/, '')
    .replace(/:00$/, '');
}

/** A point in time as ISO 8601 in UTC. */
export function isoTime(epochMs: number): string {
  return Math.abs(epochMs) <= MAX_EPOCH_MS ? new Date(epochMs).toISOString() : String(epochMs);
}

/** The name of this computer's time zone. */
export function localTimeZone(): string {
  // The first use of `Intl` takes 20 ms.
  if (new Date().toString().endsWith('(Coordinated Universal Time)')) return 'UTC';
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
