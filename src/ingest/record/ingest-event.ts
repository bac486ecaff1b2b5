import { memberName, membersOf } from '../../core/json-text.ts';
import { expectedTime, timestampOf } from '../../core/records/timestamp.ts';
import { tryOr } from '../../core/try-or.ts';
import { jsonString, safeJsonObject, safeProperty, safeText } from './safe-json.ts';
import type { Tags, WarnOnce } from './tags.ts';

/** An event to ingest. Attributes can contain any value. Any other members are added to the attributes. */
export interface IngestEvent {
  /**
   * Epoch milliseconds, a date, or ISO 8601 with an offset, since 1970. Seconds, microseconds and nanoseconds are
   * recognized by their size. Any other value is reported once and becomes a field; the event gets the time of the call.
   *
   * @default the time of the call
   */
  timestamp?: number | string | Date | undefined;
  /** Fields of the event. The service flattens nested objects and arrays. */
  attributes?: object | undefined;
  /** Raw text of the event. If omitted, the service shows the attributes as JSON. */
  rawstring?: string | undefined;
  /** Time zone name or offset to store with the event. */
  timezone?: string | undefined;
  /** Tags of this event; they override those of the ingester. */
  tags?: Tags | undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(['timestamp', 'attributes', 'rawstring', 'timezone', 'tags']);

/** The event as JSON text for a structured ingest request. Never throws. @param warnOnce reports mistakes of the caller */
export function eventText(event: IngestEvent, nowMs: number, warnOnce?: WarnOnce): string {
  const read = (name: string): unknown => safeProperty(event, name);
  const timestamp = read('timestamp');
  const time = timestampOf(timestamp);
  const timezone = read('timezone');
  const rawstring = read('rawstring');
  const others = tryOr<string[]>([], () => Object.keys(event).filter((name) => !MEMBERS.has(name)));
  if (others.join() === 'events' && read('attributes') === undefined && Array.isArray(read('events'))) {
    warnOnce?.('element', 'An element of ingestJsonData() was added as one event. Add each of its "events".');
  }
  if (time === undefined && timestamp !== undefined) {
    others.push('timestamp');
    warnOnce?.('timestamp', `The "timestamp" of an event is not ${expectedTime(timestamp)}`);
  }
  let text = `{"timestamp":${typeof time === 'string' ? `"${time}"` : (time ?? nowMs)}`;
  if (typeof timezone === 'string') text += `,"timezone":${jsonString(timezone)}`;
  const attributes = safeJsonObject(read('attributes'));
  text += `,"attributes":${others.length > 0 ? withFields(attributes, others, read) : attributes}`;
  if (rawstring !== undefined) text += `,"rawstring":${jsonString(safeText(rawstring))}`;
  return `${text}}`;
}

/** Adds fields. A name that the event has gets underscores. */
function withFields(attributes: string, names: readonly string[], read: (name: string) => unknown): string {
  const taken = new Set(membersOf(attributes).map(memberName));
  const free = (name: string): string => (taken.has(name) ? free(`_${name}`) : name);
  const fields = safeJsonObject(Object.fromEntries(names.map((name) => [free(name), read(name)])));
  return `{${[fields, attributes]
    .map((object) => object.slice(1, -1))
    .filter((text) => text !== '')
    .join()}}`;
}
