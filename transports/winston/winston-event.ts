import { isError } from '../../src/core/is-error.ts';
import { addFields } from '../../src/ingest/kit/record-fields.ts';
import type { IngestEvent } from '../../src/ingest/record/ingest-event.ts';
import { safeProperty } from '../../src/ingest/record/safe-json.ts';

// Symbols that all versions and copies of winston share.
export const LEVEL = Symbol.for('level');
export const MESSAGE = Symbol.for('message');
export const SPLAT = Symbol.for('splat');

/** Record that winston passes to a transport: an object with the logged fields, or a logged error. */
export type WinstonInfo = object & { readonly [field: string | symbol]: unknown };

/** Start of a color. */
const COLOR = '\u001b[';

/** Converts winston's info to an event: its `timestamp` and the other own fields. Never throws. */
export function winstonEvent(info: WinstonInfo): IngestEvent {
  const attributes = winstonFields(info);
  const { timestamp } = attributes as IngestEvent;
  delete attributes.timestamp;
  return timestamp === undefined ? { attributes } : { timestamp, attributes };
}

/** Copies the fields of an info, including those of errors. Never throws. */
export function winstonFields(info: WinstonInfo): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  fields.level = levelOf(info);
  if (isError(info)) addError(fields, info);
  addFields(fields, info);
  if (isError(fields.message)) addError(fields, fields.message);
  const lost = lostError(info, fields);
  if (lost !== undefined && fields.error === undefined) fields.error = lost;
  return fields;
}

/** The level as the formats left it. If it has colors, which are for terminals, the original level. */
function levelOf(info: WinstonInfo): unknown {
  const shown = safeProperty(info, 'level');
  const original = safeProperty(info, LEVEL);
  if (shown === original) return shown;
  return typeof shown === 'string' && !shown.includes(COLOR) ? shown : (original ?? shown);
}

/** An error in place of a message, or of the whole info: its message and stack are not enumerable, its own fields are. */
function addError(fields: Record<string, unknown>, error: Error): void {
  addFields(fields, error);
  for (const name of ['name', 'message', 'stack']) fields[name] = safeProperty(error, name);
  const cause = safeProperty(error, 'cause');
  if (cause !== undefined) fields.cause = cause;
}

/** winston merges an error into the info only when it is the first argument behind the message. */
function lostError(info: WinstonInfo, fields: Readonly<Record<string, unknown>>): Error | undefined {
  const splat = safeProperty(info, SPLAT);
  if (!Array.isArray(splat)) return undefined;
  return splat.find((item) => isError(item) && safeProperty(item, 'stack') !== fields.stack);
}
