import { epochMsOf, levelLabel } from '../../internal/logger-line.ts';
import { tryOr } from '../../internal/try-or.ts';
import type { JsonValue } from '../../wire/ingest.ts';

/** Members with the time of a JSON line, by precedence. */
const TIME_MEMBERS = ['@timestamp', 'timestamp', 'time'];

type Members = Readonly<Record<string, JsonValue>>;

type Fields = Readonly<Record<string, string>>;

/**
 * Converts a line that is a JSON object to the JSON of an event; returns `undefined` for any other line. Numbers keep
 * their digits. A numeric level of pino or bunyan becomes its label.
 *
 * @param fields fields that override those of the line.
 * @param now timestamp of a line that has none, in epoch milliseconds.
 * @param withText adds the line as the text of the event.
 */
export function lineEventText(
  line: string,
  fields: Fields,
  { now, withText }: { readonly now: number; readonly withText: boolean },
): string | undefined {
  const members = objectOf(line);
  if (members === undefined) return undefined;
  const timestamp = JSON.stringify(timeOf(members) ?? now);
  const event = `{"timestamp":${timestamp},"attributes":${attributesOf(line, members, fields)}`;
  return withText ? `${event},"rawstring":${JSON.stringify(line)}}` : `${event}}`;
}

function attributesOf(line: string, members: Members, fields: Fields): string {
  const label = typeof members.level === 'number' ? levelLabel(members.level, members.time) : undefined;
  const text = label === undefined ? line.trim() : withLabel(line.trim(), label);
  // JSON does not define which of two members with the same name applies.
  if (text === undefined || Object.keys(fields).some((name) => Object.hasOwn(members, name))) {
    return JSON.stringify({ ...members, ...(label === undefined ? {} : { level: label }), ...fields });
  }
  if (Object.keys(fields).length === 0) return text;
  const own = text.slice(0, -1);
  const separator = Object.keys(members).length === 0 ? '' : ',';
  return `${own}${separator}${JSON.stringify(fields).slice(1)}`;
}

/** Replaces the level in the text of an object; `undefined` if nested objects have levels, too. */
function withLabel(text: string, label: string): string | undefined {
  // Quotes inside strings are escaped, so only a name matches.
  const [before, after, ...more] = text.split(/(?<="level"\s*:\s*)[\d.eE+]+/);
  return after === undefined || more.length > 0 ? undefined : `${before}"${label}"${after}`;
}

function objectOf(line: string): Members | undefined {
  return line.trimStart().startsWith('{') ? tryOr(undefined, () => JSON.parse(line)) : undefined;
}

function timeOf(members: Members): number | string | undefined {
  for (const name of TIME_MEMBERS) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'number' && value > 0 && value < 8.64e15) {
      return epochMsOf(value);
    }
    // Without an offset, the time would be ambiguous.
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) return value;
  }
  return undefined;
}
