import { LEVEL, SPLAT } from 'triple-beam';
import type { IngestEvent } from '../../src/ingest/ingest-event.ts';
import { safeText } from '../../src/ingest/safe-json.ts';
import { timestampOf } from '../../src/ingest/timestamp.ts';

/** What winston hands to a transport: an object of the program's fields, or an error that was logged as such. */
export type WinstonInfo = object & { readonly [field: string | symbol]: unknown };

/** Colours are for terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what marks a colour.
const COLOUR = /\u001b\[/;

/**
 * Turns winston's info into an event without changing it: the info's own fields are the attributes, a `timestamp` that
 * names an instant moves to the event's timestamp, and errors show their message and stack.
 */
export function winstonEvent(info: WinstonInfo): IngestEvent {
  const attributes: Record<string, unknown> = { level: levelOf(info) };
  if (info instanceof Error) addError(attributes, info);
  for (const name of Object.keys(info)) {
    if (name !== 'level') define(attributes, name, read(info, name));
  }
  if (attributes.message instanceof Error) addError(attributes, attributes.message);
  const lost = lostError(info, attributes);
  if (lost !== undefined && attributes.error === undefined) attributes.error = lost;
  const timestamp = timestampOf(attributes.timestamp);
  if (timestamp === undefined) return { attributes };
  delete attributes.timestamp;
  return { timestamp, attributes };
}

/** The level as the formats left it, but for colours, which are taken off by going back to the original. */
function levelOf(info: WinstonInfo): unknown {
  const shown = read(info, 'level');
  const original = info[LEVEL];
  return typeof shown === 'string' && !COLOUR.test(shown) ? shown : (original ?? shown);
}

/** An error in place of a message, or of the whole info: its texts are not enumerable, its own fields are. */
function addError(attributes: Record<string, unknown>, error: Error): void {
  for (const name of Object.keys(error)) {
    if (name !== 'level') define(attributes, name, read(error, name));
  }
  attributes.name = error.name;
  attributes.message = error.message;
  attributes.stack = error.stack;
  if (error.cause !== undefined) attributes.cause = error.cause;
}

/** winston merges an error into the info only when it is the first argument behind the message. */
function lostError(info: WinstonInfo, attributes: Readonly<Record<string, unknown>>): Error | undefined {
  const splat = info[SPLAT];
  if (!Array.isArray(splat)) return undefined;
  return splat.find((item) => item instanceof Error && item.stack !== attributes.stack);
}

function read(source: object, name: string): unknown {
  try {
    return (source as Record<string, unknown>)[name];
  } catch (error) {
    return `[Throws: ${safeText(error)}]`;
  }
}

/** Plain assignment to `__proto__` would change the prototype. */
function define(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string, unknown>)[name] = value;
  }
}
