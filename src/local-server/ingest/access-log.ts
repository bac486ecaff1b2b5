import { instantFromText } from './instant.ts';
import { LineError } from './line-error.ts';
import type { ParsedLine } from './parsed-line.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Common log format, with or without the two columns that "combined" adds, and a response time after those. */
const LINE =
  /^(?<client>\S+) \S+ (?<userid>\S+) \[(?<time>[^\]]+)\] "(?:(?<method>[^\s"]+) (?<url>[^\s"]+)(?: (?<httpversion>[^\s"]+))?|[^"]*)" (?<statuscode>\d{3}) (?<responsesize>\d+|-)(?: "(?<referrer>[^"]*)" "(?<useragent>[^"]*)"(?: (?<responsetime>\S+))?)?/;

export function parseAccessLog(line: string): ParsedLine {
  const { time, ...columns } = LINE.exec(line)?.groups ?? {};
  if (time === undefined) throw new LineError('The text is not a line of an access log.');
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(columns)) if (value !== undefined) fields[name] = value;
  return { instant: instantFromText(isoOf(time)), fields };
}

/** `03/Feb/2026:10:00:00 +0000` as ISO 8601. */
function isoOf(time: string): string {
  const [, day, month = '', year, clock, offset] =
    /^(\d\d)\/([A-Za-z]{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/.exec(time) ?? [];
  return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${clock}${offset}`;
}
