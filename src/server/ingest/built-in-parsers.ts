import { ACCESS_LOG } from '../../core/records/formats/text-formats.ts';
import { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { putField } from './flatten.ts';
import { instantFromNumber, instantFromText, leadingInstant } from './instant.ts';
import { failureFields, LineError, type ParsedLine, parseJsonLine } from './json-line.ts';

/** `<34>1 2026-02-03T10:00:00.123Z host app 123 ID47 [data@1 a="b"] message` */
const RFC_5424 =
  /^<(?<priority>\d{1,3})>(?<version>[1-9]\d{0,2}) (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<pid>\S+) (?<msgid>\S+) (?<structured_data>-|(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*\])+)(?: \ufeff?(?<message>.*))?$/s;
/** `<34>Feb  3 10:00:00 host app[123]: message`; the time may have a year, or be ISO 8601, as rsyslog writes it. */
const RFC_3164 =
  /^(?:<(?<priority>\d{1,3})>)?(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)|[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?) (?<host>\S+) (?<app>[^\s:[]+)(?:\[(?<pid>[^\]]*)\])?:? ?(?<message>.*)$/s;

/** `key=value`; the value is in quotes, or ends at whitespace or a comma. */
const PAIR =
  /(?<=^|[\s,;([{])([A-Za-z_@#][\w.@#-]*)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s,]*))/gs;

export function parseKeyValues(line: string): ParsedLine {
  const fields: Record<string, string> = {};
  if (line.includes('=')) {
    for (const [, key = '', double, single, plain] of line.matchAll(PAIR)) {
      const quoted = double ?? single;
      putField(fields, key, quoted === undefined ? (plain ?? '') : quoted.replace(/\\(["'\\])/g, '$1'));
    }
  }
  return { instant: leadingInstant(line), fields };
}

/** A line of JSON or, otherwise, of `key=value` pairs. */
function parseAny(line: string): ParsedLine {
  if (!line.trimStart().startsWith('{')) return parseKeyValues(line);
  try {
    return parseJsonLine(line);
  } catch (error) {
    if (error instanceof LineError) return parseKeyValues(line);
    throw error;
  }
}

function parseSyslog(line: string, now: number): ParsedLine {
  const { fields } = parseKeyValues(line);
  const groups = (RFC_5424.exec(line) ?? RFC_3164.exec(line))?.groups;
  if (groups === undefined) {
    return { fields: { ...fields, ...failureFields('The text is not a line of syslog.') } };
  }
  const { time = '', ...columns } = groups;
  for (const name in columns) if (columns[name] !== undefined) putField(fields, name, columns[name]);
  if (columns.priority !== undefined) {
    const priority = Number(columns.priority);
    putField(fields, 'severity', String(priority % 8));
    putField(fields, 'facility', String(Math.floor(priority / 8)));
  }
  // A time without a year is the latest one when the line arrives.
  const times = new WrittenTimes({ timeZone: 'UTC', latest: now });
  return { instant: instantFromText(time) ?? instantFromNumber(times.of(time) ?? Number.NaN), fields };
}

function parseAccessLog(line: string): ParsedLine {
  const { time, ...columns } = ACCESS_LOG.exec(line)?.groups ?? {};
  if (time === undefined) throw new LineError('The text is not a line of an access log.');
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(columns)) if (value !== undefined) fields[name] = value;
  const offset = /^\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8} ([+-]\d{4})$/.exec(time)?.[1];
  const epochMs = offset === undefined ? undefined : new WrittenTimes().of(time);
  return { instant: instantFromNumber(epochMs ?? Number.NaN, offset), fields };
}

/** A parser that every repository has. */
export interface BuiltInParser {
  readonly name: string;
  readonly description: string;
  /** @throws LineError if the line has another format. */
  readonly parse: (line: string, now: number) => ParsedLine;
}

export const BUILT_IN_PARSERS: readonly BuiltInParser[] = [
  {
    name: 'accesslog',
    description: 'Lines of a web server in the common or combined format.',
    parse: parseAccessLog,
  },
  {
    name: 'audit-log',
    description: "The service's own audit log: one JSON object for each event.",
    parse: parseJsonLine,
  },
  {
    name: 'default',
    description: 'One JSON object for each event, or text with key=value pairs in it.',
    parse: parseAny,
  },
  { name: 'json', description: 'One JSON object for each event.', parse: parseJsonLine },
  {
    name: 'json-for-action',
    description: 'Events that an action sends: JSON with the time of the event in @timestamp.',
    parse: parseJsonLine,
  },
  { name: 'kv', description: 'Text with key=value pairs in it.', parse: parseKeyValues },
  ...['syslog', 'syslog-utc'].map((name) => ({
    name,
    description: 'Lines of syslog, in the form of RFC 3164 or RFC 5424. A time without an offset is in UTC.',
    parse: parseSyslog,
  })),
];

/** Parser for text if neither the token nor the request names an existing one. The service uses `kv`. */
export const DEFAULT_PARSER = 'default';
