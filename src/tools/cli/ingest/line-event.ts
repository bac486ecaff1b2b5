import { isJsonObject } from '../../../core/json-object.ts';
import { memberName, membersOf, onOneLine } from '../../../core/json-text.ts';
import type { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { memberAt, readLogLine, timeIn } from '../../../core/records/log-line.ts';
import { levelLabel } from '../../../core/records/logger-line.ts';
import { timestampOf } from '../../../core/records/timestamp.ts';
import { tryOr } from '../../../core/try-or.ts';

type Fields = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** A line, and what it becomes. */
export interface LineEvent {
  /** The time of the line: epoch milliseconds, or ISO 8601, which can be more precise. */
  readonly time: number | string | undefined;
  /** Whether the line is nothing but text, for a parser of the service. */
  readonly isText: boolean;
  /** Tags of an event that a query returned. */
  readonly tags?: Fields | undefined;
  /** The JSON of the event. @param withText adds the line as the text of the event. */
  textAt(time: number | string, withText: boolean): string;
}

/** What an event has besides its attributes and tags, and what the service sets. */
const NOT_OWN = /^(?:@(?:id|ingesttimestamp)|#repo)$/;

/**
 * Reads a line. The members of a JSON object keep the digits of their numbers. A numeric level of pino or bunyan becomes
 * its label. An event that a query returned becomes the same event again.
 *
 * @param fields fields that override those of the line.
 */
export function lineEventOf(line: string, fields: Fields, times: WrittenTimes): LineEvent {
  const stored = eventIn(line);
  const storedTime = stored && timeIn(stored, times);
  if (storedTime?.timeField === '@timestamp') return { ...restored(stored!, fields), time: storedTime.time };
  const { time, timeField, isJson, isWhole, ...read } = readLogLine(line, times);
  const members = read.members();
  const written = timeField === undefined ? undefined : timestampOf(memberAt(members, timeField));
  const { level, msg } = members;
  // The members of an object are fields of their own.
  const label = levelLabel(level, members.time, msg === null || !/undefined|object/.test(typeof msg));
  const changed = Object.entries(label === undefined ? fields : { level: label, ...fields });
  const json = line.includes('\n') ? onOneLine(line) : line.trim();
  const own = isWhole ? json : JSON.stringify(members);
  return {
    time: typeof written === 'string' ? written : time,
    isText: !isJson && Object.keys(members).length === 0,
    textAt(timestamp, withText) {
      // Without the line, a line of text would lose its text.
      const message =
        withText || isJson ? [] : [['message', members.message ?? members.msg ?? line] as const];
      const attributes = withMembers(own, [...message, ...changed]);
      const event = `{"timestamp":${JSON.stringify(timestamp)},"attributes":${attributes}`;
      return withText ? `${event},"rawstring":${JSON.stringify(line)}}` : `${event}}`;
    },
  };
}

/** The event in a line of the result of a query. */
export function eventIn(line: string): Members | undefined {
  const object: unknown = line.includes('"@rawstring"') && tryOr(undefined, () => JSON.parse(line));
  return isJsonObject(object) && typeof object['@rawstring'] === 'string' ? object : undefined;
}

function restored(event: Members, fields: Fields) {
  const { '@timestamp': _, '@timezone': zone, '@rawstring': text, ...others } = event;
  const own = Object.entries(others).filter(([name]) => !NOT_OWN.test(name));
  const tags = own.flatMap(([name, value]) => (name[0] === '#' ? [[name.slice(1), String(value)]] : []));
  const attributes = { ...Object.fromEntries(own.filter(([name]) => name[0] !== '#')), ...fields };
  const timezone = zone === 'Z' ? undefined : zone;
  const textAt = (timestamp: number | string, withText: boolean): string =>
    withText
      ? JSON.stringify({ timestamp, timezone, attributes, rawstring: text })
      : JSON.stringify({ timestamp, attributes: { message: text, ...attributes } });
  return { isText: false, tags: Object.fromEntries(tags), textAt };
}

/** The JSON of an object with other values for some members. The last one of each name wins, as in `JSON.parse`. */
function withMembers(json: string, changed: readonly (readonly [name: string, value: unknown])[]): string {
  if (changed.length === 0) return json;
  const members = membersOf(json).map((each) => [memberName(each), `${each.name}:${each.value}`] as const);
  const texts = new Map<string, string>(members);
  for (const [name, value] of changed) texts.set(name, `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...texts.values()].join()}}`;
}
