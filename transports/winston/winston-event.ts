import { stripVTControlCharacters } from 'node:util';
import { isError } from '../../src/core/is-error.ts';
import { tryOr } from '../../src/core/try-or.ts';
import { addFields } from '../../src/ingest/kit/record-fields.ts';
import type { IngestEvent } from '../../src/ingest/record/ingest-event.ts';
import { safeProperty } from '../../src/ingest/record/safe-json.ts';
import { fillIn } from './fill-in.ts';

// Symbols that all versions and copies of winston share.
export const LEVEL = Symbol.for('level');
export const MESSAGE = Symbol.for('message');
export const SPLAT = Symbol.for('splat');

/** Record that winston passes to a transport: an object with the logged fields, or a logged error. */
export type WinstonInfo = object & { readonly [field: string | symbol]: unknown };

/** What formats may change: members of the info before any format. */
export interface LogCall {
  readonly info: WinstonInfo;
  readonly message: unknown;
  readonly timestamp: unknown;
  /** Of the error that winston has merged into the info. */
  readonly stack: unknown;
  /** The values behind the message. */
  readonly values: readonly unknown[];
  /** Makes the time of the record more precise. Default: now. */
  readonly refine?: ((time: unknown) => unknown) | undefined;
}

export interface LoggedRecord {
  readonly info: WinstonInfo;
  /** The log call, if it is known. Then a `timestamp` that it has passed is a field. One that a format has added is the time. */
  readonly call?: LogCall | undefined;
}

const NO_VALUES: readonly unknown[] = [];

/** Start of a color. */
const COLOR = '\u001b[';

/** @returns `undefined` if the info can't be read. */
export function logCall(info: WinstonInfo): LogCall | undefined {
  try {
    const { message, timestamp, stack, [SPLAT]: splat } = info;
    const values = Array.isArray(splat) && splat.length > 0 ? splat.slice() : NO_VALUES;
    const errorStack = stack ?? (isError(message) ? message.stack : undefined);
    return { info, message, timestamp, stack: errorStack, values };
  } catch {
    return undefined; // A getter or a proxy that throws.
  }
}

/** Converts winston's info to an event. Never throws. */
export function winstonEvent({ info, call }: LoggedRecord): IngestEvent {
  const attributes = { ...printedByLogstash(info), ...winstonFields(info) };
  const { timestamp } = attributes as IngestEvent;
  const isTime = timestamp !== undefined && !(call !== undefined && hasTimestamp(call, timestamp));
  if (isTime) delete attributes.timestamp;
  if (call !== undefined) restoreFields(attributes, call);
  const time = isTime ? timestamp : undefined;
  return { timestamp: call?.refine === undefined ? time : call.refine(time), attributes } as IngestEvent;
}

/** `format.logstash()` moves these fields to the text that it prints. */
function printedByLogstash(info: WinstonInfo): object {
  const text = tryOr(true, () => 'message' in info) ? undefined : safeProperty(info, MESSAGE);
  if (typeof text !== 'string' || !text.startsWith('{"@')) return {};
  const { '@message': message, '@timestamp': timestamp } = tryOr<WinstonInfo>({}, () => JSON.parse(text));
  return { ...(message !== undefined && { message }), ...(timestamp !== undefined && { timestamp }) };
}

/** `format.splat()` merges objects behind the message. */
function hasTimestamp({ timestamp, values }: LogCall, value: unknown): boolean {
  return (
    value === timestamp || values.some((item) => isObject(item) && safeProperty(item, 'timestamp') === value)
  );
}

/** Copies the fields of an info, including those of errors. Never throws. */
export function winstonFields(info: WinstonInfo): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  fields.level = levelOf(info);
  if (isError(info)) addError(fields, info);
  addFields(fields, info);
  if (isError(fields.message)) addError(fields, fields.message);
  return fields;
}

/** The level as the formats left it, but without colors and padding, which are for terminals. */
function levelOf(info: WinstonInfo): unknown {
  const shown = safeProperty(info, 'level');
  const original = safeProperty(info, LEVEL);
  if (shown === original) return shown;
  const isForTerminals = typeof shown !== 'string' || shown.includes(COLOR) || shown.trim() === original;
  return isForTerminals ? (original ?? shown) : shown;
}

/** An error in place of a message, or of the whole info: its message and stack are not enumerable, its own fields are. */
function addError(fields: Record<string, unknown>, error: Error): void {
  addFields(fields, error);
  for (const name of ['name', 'message', 'stack']) fields[name] = safeProperty(error, name);
  addCauses(fields, error);
}

/** What an error wraps, and the errors of an `AggregateError`, are not enumerable. */
function addCauses(fields: Record<string, unknown>, error: Error): void {
  const isAggregate = tryOr(false, () => Object.hasOwn(error, 'errors'));
  for (const name of isAggregate ? ['cause', 'errors'] : ['cause']) {
    const value = safeProperty(error, name);
    if (value !== undefined) fields[name] ??= value;
  }
}

/** Restores what winston and its formats lose. */
function restoreFields(fields: Record<string, unknown>, call: LogCall): void {
  const hasValues = call.values.length > 0;
  if (hasValues || call.message !== fields.message) restoreMessage(fields, call);
  if (hasValues || call.stack !== undefined) restoreErrors(fields, call);
}

/** Fills in the values unless a format has done it, and removes colors and padding, which are for terminals. */
function restoreMessage(fields: Record<string, unknown>, { message, values }: LogCall): void {
  const shown = fields.message;
  if (typeof shown !== 'string' || typeof message !== 'string') return;
  const filled = fillIn(message, values);
  const plain = shown === message ? shown : stripVTControlCharacters(shown).trim();
  if (plain === message || plain === message.trim()) {
    for (const item of filled.rest) if (isObject(item) && !isError(item)) addFields(fields, item);
    fields.message = filled.text;
  } else if (plain === filled.text.trim()) fields.message = filled.text;
}

/**
 * winston merges an error into the info only if it is the first value behind the message, and older versions without its
 * cause. Formats lose others. A stack that a format has changed, to redact it, is left alone.
 */
function restoreErrors(fields: Record<string, unknown>, { info, message, stack, values }: LogCall): void {
  for (const error of stack === undefined ? values : [info, message, ...values]) {
    if (!isError(error)) continue;
    if (safeProperty(error, 'stack') !== stack || fields.stack === undefined) fields.error ??= error;
    else if (fields.stack === stack) addCauses(fields, error);
  }
}

export function isObject(value: unknown): value is WinstonInfo {
  return typeof value === 'object' && value !== null;
}
