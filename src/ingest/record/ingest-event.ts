import { memberName, membersOf } from '../../core/json-text.ts';
import { timestampOf } from '../../core/records/timestamp.ts';
import { jsonString, safeJsonObject, safeProperty, safeText } from './safe-json.ts';
import type { Tags } from './tags.ts';

/** An event to ingest. Attributes can contain any value. */
export interface IngestEvent {
  /**
   * Epoch milliseconds, a date, or ISO 8601 with an offset, since 1970. Seconds, microseconds and nanoseconds are
   * recognized by their size. Any other value becomes the field `timestamp`, and the event gets the time of the call.
   *
   * @default the time of the call
   */
  timestamp?: number | string | Date;
  /** Fields of the event. The service flattens nested objects and arrays. */
  attributes?: object;
  /** Raw text of the event. If omitted, the service shows the attributes as JSON. */
  rawstring?: string;
  /** Time zone name or offset to store with the event. */
  timezone?: string;
  /** Tags of this event; they override those of the ingester. */
  tags?: Tags;
}

/** The event as JSON text for a structured ingest request. Never throws. */
export function eventText(event: IngestEvent, nowMs: number): string {
  const read = (name: keyof IngestEvent): unknown => safeProperty(event, name);
  const timestamp = read('timestamp');
  const time = timestampOf(timestamp);
  const timezone = read('timezone');
  const rawstring = read('rawstring');
  let text = `{"timestamp":${typeof time === 'string' ? `"${time}"` : (time ?? nowMs)}`;
  if (typeof timezone === 'string') text += `,"timezone":${jsonString(timezone)}`;
  const attributes = safeJsonObject(read('attributes'));
  const isUnreadable = time === undefined && timestamp !== undefined;
  text += `,"attributes":${isUnreadable ? withTimestamp(attributes, timestamp) : attributes}`;
  if (rawstring !== undefined) text += `,"rawstring":${jsonString(safeText(rawstring))}`;
  return `${text}}`;
}

/** Adds a timestamp that can't be read as a field. If the event has a field of that name, underscores are added. */
function withTimestamp(attributes: string, timestamp: unknown): string {
  const names = new Set(membersOf(attributes).map(memberName));
  let name = 'timestamp';
  while (names.has(name)) name = `_${name}`;
  const members = [safeJsonObject({ [name]: timestamp }), attributes].map((object) => object.slice(1, -1));
  return `{${members.filter((text) => text !== '').join()}}`;
}
