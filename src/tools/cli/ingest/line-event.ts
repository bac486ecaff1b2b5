import { membersByName } from '../../../core/json-text.ts';
import { levelLabel } from '../../../core/records/logger-line.ts';
import { timestampOf } from '../../../core/records/timestamp.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { JsonValue } from '../../../core/wire/ingest.ts';

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
  const changed = Object.entries(label === undefined ? fields : { level: label, ...fields });
  if (changed.length === 0) return line.trim();
  const texts = membersByName(line);
  for (const [name, value] of changed) texts.set(name, `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...texts.values()].join()}}`;
}

function objectOf(line: string): Members | undefined {
  return line.trimStart().startsWith('{') ? tryOr(undefined, () => JSON.parse(line)) : undefined;
}

function timeOf(members: Members): number | string | undefined {
  for (const name of TIME_MEMBERS) {
    const time = Object.hasOwn(members, name) ? timestampOf(members[name]) : undefined;
    if (time !== undefined) return time;
  }
  return undefined;
}
