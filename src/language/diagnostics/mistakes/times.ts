import { readDuration } from '../../../core/duration.ts';
import { parseTime } from '../../../core/epoch.ts';
import { replaceOutside } from '../masked-text.ts';

const KNOWN: Readonly<Record<string, string>> = {
  _time: '@timestamp',
  _raw: '@rawstring',
  '@message': '@rawstring',
  Timestamp: '@timestamp',
  TimeGenerated: '@timestamp',
};

/** Fields that every event of Splunk, CloudWatch or Defender has. */
export function known(name: string): string {
  return KNOWN[name] ?? name;
}

/** Names of the time of an event where a time is expected; elsewhere, they may be another field. */
const TIMES = /^(?:time|timestamp)$/;

/** A part of KQL with the name that the time has here. */
export function withTime(part = ''): string {
  return replaceOutside(part, /(?<![.@])\btimestamp\b(?![.(])/g, () => '@timestamp');
}

/** Times are compared in epoch milliseconds. */
export function epochMs(text = ''): string | undefined {
  const time = text.replaceAll(/["']/g, '').trim();
  if (!/^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+Z?)?$/.test(time)) return undefined;
  const hasZone = time.endsWith('Z') || !time.includes(':');
  const ms = parseTime(hasZone ? time : `${time.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : String(ms);
}

/** The field of a time. */
export function timeField(name: string): string {
  return TIMES.test(name) ? '@timestamp' : known(name);
}

/**
 * A comparison of a time with an expression such as `now() - 1h`, in which `1h` would be a field. Where numbers and
 * `now()` are seconds, as in SPL, only the time of the event can be compared.
 */
export function compareWithNow(field = '', operator = '', time = '', areSeconds = false): string {
  const name = timeField(field);
  if (areSeconds && (name !== '@timestamp' || /\b[a-z_]|\./i.test(time.slice(5)))) return '';
  const ms = areSeconds ? time.replace(/(?<=[-+]\s*)\d+(?![\w.])/g, '$&000') : time;
  const value = ms.replace(/\b\d+[a-z]\w*/gi, (span) => String(readDuration(span)));
  return value.includes('undefined') ? '' : `test(${name} ${operator} ${value})`;
}

/** A comparison of a time with a date. */
export function compareWithTime(field = '', operator = '', date = ''): string {
  const ms = epochMs(date);
  return ms === undefined ? '' : `${timeField(field)} ${operator} ${ms}`;
}
