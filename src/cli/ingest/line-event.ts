import type { JsonValue } from '../../wire/ingest.ts';

/** Where a JSON line has its time, by preference. */
const TIME_MEMBERS = ['@timestamp', 'timestamp', 'time'];
/** An earlier time in milliseconds is one in seconds. */
const MIN_EPOCH_MS = 100_000_000_000;

type Members = Readonly<Record<string, JsonValue>>;

type Fields = Readonly<Record<string, string>>;

/**
 * Converts a line that is a JSON object to the JSON of an event; returns `undefined` for any other line. The line is
 * sent unchanged, so that numbers keep their digits.
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
  // JSON does not define which of two members with one name counts.
  if (Object.keys(fields).some((name) => Object.hasOwn(members, name))) {
    return JSON.stringify({ ...members, ...fields });
  }
  if (Object.keys(fields).length === 0) return line.trim();
  const own = line.trim().slice(0, -1);
  const separator = Object.keys(members).length === 0 ? '' : ',';
  return `${own}${separator}${JSON.stringify(fields).slice(1)}`;
}

function objectOf(line: string): Members | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Members;
  } catch {
    return undefined;
  }
}

function timeOf(members: Members): number | string | undefined {
  for (const name of TIME_MEMBERS) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'number' && value > 0 && value < 8.64e15) {
      return Math.round(value < MIN_EPOCH_MS ? value * 1000 : value);
    }
    // Without an offset the service would not know which time is meant.
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) return value;
  }
  return undefined;
}
