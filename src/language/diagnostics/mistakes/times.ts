import { readDuration } from '../../../core/duration.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTime } from '../../../core/epoch.ts';
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

/** A date in epoch milliseconds: after `<=` and `>`, the end of the day or minute, as in Elasticsearch. */
export function epochMs(text = '', operator = ''): string | undefined {
  const time = text.replace(/["']/g, '').trim().replace(' ', 'T').replace(/Z$/, '');
  if (!/^\d{4}-\d\d(?:-\d\d(?:T[\d:.]+)?)?$/.test(time)) return undefined;
  const ms = parseTime(`${time}${'-01T00:00:00'.slice(time.length - 7)}Z`);
  const month = Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7))) - ms;
  const lengths = { 7: month, 10: DAY_MS, 13: HOUR_MS, 16: MINUTE_MS, 19: 1000 };
  const last = /^(?:<=|>)$/.test(operator) ? (lengths[time.length as 7] ?? 1) - 1 : 0;
  return Number.isNaN(ms) ? undefined : String(ms + last);
}

const MADE =
  /(?:\((?:_time|@timestamp)(?:\)\s+as\s+|,\s*as=)|\b(?:bin|bucket)\s[^|]*\sas\s+)(\w+)|(\w+)(?= := @timestamp -)/gi;

/** An expression of SPL with its differences of times, which are in seconds there; empty with other uses of a time. */
export function inSeconds(text: string, before = ''): string {
  const made = [...before.matchAll(MADE)].map(([, name, start = name]) => start).join('|') || '(?!)';
  const pair = (operator: string) => {
    const time = `(?<![\\w.])(${made}|_time|now\\(\\))(?![\\w.])`;
    return new RegExp(`(?<![-*/%]\\s*)${time}\\s*${operator}\\s*${time}(?!\\s*[*/%])`, 'g');
  };
  const written = text.replace(pair('-'), (_, a, b) => `((${known(a)} - ${known(b)}) / 1000)`);
  const rest = text.replace(pair('(?:-|[<>!=]=?)'), '');
  if (new RegExp(`(?<![\\w.])(?:${made})(?![\\w.])`).test(rest)) return '';
  return written.replace(/^(.*=\s*)\((\([^/]*\) \/ 1000)\)$/s, '$1$2');
}

/** The field of a time. */
export function timeField(name: string): string {
  return TIMES.test(name) ? '@timestamp' : known(name);
}

/**
 * A comparison of a time with an expression such as `now() - 1h`, in which `1h` would be a field, or of an age with a
 * span. Where numbers and `now()` are seconds, as in SPL, only the time of the event can be compared.
 */
export function compareWithNow(field = '', operator = '', time = '', areSeconds = false): string {
  const name = timeField(field);
  if (areSeconds && (name !== '@timestamp' || /\b(?!now\()[a-z_]|\./i.test(time))) return '';
  const ms = areSeconds ? time.replace(/(?<=^|[-+]\s*)\d+(?![\w.])/g, '$&000') : time;
  const value = ms.replace(/\b\d+[a-z]\w*/gi, (span) => String(readDuration(span)));
  const compared = value.startsWith('now') ? name : `now() - ${name}`;
  return value.includes('undefined') ? '' : `test(${compared} ${operator} ${value})`;
}
