import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { jsonText, type RestCallOptions } from '../core/http/http-caller.ts';
import { isError } from '../core/is-error.ts';
import { isJsonObject } from '../core/json-object.ts';
import { describe, isRecord, requireArray, requireText, wrongKind } from '../core/option-checks.ts';
import { expectedTime, isEventTime } from '../core/records/timestamp.ts';
import { requireStringMap, requireTagName } from '../core/string-map.ts';
import { findTimeZone } from '../core/time-zone.ts';
import type { StructuredEventGroup, UnstructuredMessageGroup } from '../core/wire/ingest.ts';

/** Shorter requests are not compressed. */
const MIN_GZIP_LENGTH = 8 * 1024;

const EVENT_MEMBERS = ['timestamp', 'timezone', 'attributes', 'rawstring'];

/** Where a client ingests, relative to the REST API. */
export interface IngestEndpoints {
  readonly structured: string;
  readonly unstructured: string;
}

/** Options of `ingestMessages()`. */
export interface IngestMessagesOptions extends CallOptions {
  /** Name of the parser for the messages, used only if the token has none. @default `kv` on the service */
  parser?: string | undefined;
  /** Fields added to every event. `undefined`, such as the value of an unset variable, is skipped. */
  fields?: Readonly<Record<string, string | undefined>> | undefined;
  /** Tags added to every event. `undefined` is skipped. */
  tags?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Response of the service to an ingest request; currently empty. */
export type IngestAnswer = Readonly<Record<string, unknown>>;

/** The options of a call with this body, which is compressed if that saves anything. */
export async function ingestRequest(
  owner: string,
  { headers, ...call }: CallOptions,
  data: unknown,
): Promise<CallOptions & RestCallOptions> {
  const json = jsonText(owner, data, rejectLost(data));
  if (json.length < MIN_GZIP_LENGTH) return { ...call, headers, data: json };
  return { ...call, headers: { 'content-encoding': 'gzip', ...headers }, data: await promisify(gzip)(json) };
}

/** @throws LogOptionsException */
export function messageGroup(
  messages: readonly string[],
  { parser, fields, tags }: IngestMessagesOptions,
): UnstructuredMessageGroup {
  const owner = 'ingestMessages';
  requireArray(owner, 'the messages', messages, 'strings');
  const wrong = messages.findIndex((message) => typeof message !== 'string');
  if (wrong !== -1) {
    throw new LogOptionsException(
      `${owner}: message ${wrong} must be a string (got ${describe(messages[wrong])}). Use ingestJsonData() for objects.`,
    );
  }
  return {
    messages,
    ...(parser === undefined ? {} : { type: requireText(owner, 'parser', parser) }),
    ...(fields === undefined ? {} : { fields: requireStringMap(owner, 'fields', fields) }),
    ...(tags === undefined ? {} : { tags: requireTags(owner, tags) }),
  };
}

/** @throws LogOptionsException */
export function requireElements(elements: readonly StructuredEventGroup[]): void {
  requireArray('ingestJsonData', 'the elements', elements, '{ tags, events }').forEach((element, index) => {
    const { events, tags } = (element ?? {}) as Partial<StructuredEventGroup>;
    if (!Array.isArray(events)) {
      throw new LogOptionsException(
        `ingestJsonData: element ${index} must be { tags, events } with an array of events (got ${describe(events)} as "events").`,
      );
    }
    requireMembers(`element ${index}`, element, ['tags', 'events']);
    if (tags !== undefined) requireTags(`ingestJsonData: element ${index}`, tags);
    events.forEach((event: StructuredEventGroup['events'][number] | undefined, position) => {
      const time: unknown = event?.timestamp;
      const what = `event ${position} of element ${index}`;
      const owner = `ingestJsonData: ${what}`;
      if (!isEventTime(time)) {
        throw new LogOptionsException(
          `${owner} needs a "timestamp": ${expectedTime(time)} Nothing was sent.`,
        );
      }
      requireMembers(what, event, EVENT_MEMBERS);
      const { attributes = {}, timezone = 'Z' } = event!;
      if (!isJsonObject(attributes)) throw wrongKind(owner, '"attributes"', 'an object', attributes);
      if (findTimeZone(String(timezone)) === undefined) {
        throw wrongKind(owner, '"timezone"', 'the name or offset of a time zone', timezone);
      }
    });
  });
}

function requireTags(owner: string, tags: unknown): Record<string, string> {
  const checked = requireStringMap(owner, 'tags', tags);
  for (const name of Object.keys(checked)) requireTagName(owner, name);
  return checked;
}

/** Rejects others, which would be lost. @throws LogOptionsException */
function requireMembers(what: string, value: unknown, known: readonly string[]): void {
  const name = Object.keys(value as object).find((member) => !known.includes(member));
  if (name === undefined) return;
  throw new LogOptionsException(
    `ingestJsonData: ${what} has "${name}", but can only have ${known.join(', ')}. Fields belong in "attributes". Nothing was sent.`,
  );
}

/** For `JSON.stringify`: rejects what it would change or omit, such as an Error or a Map. `undefined` is omitted on purpose. */
function rejectLost(data: unknown) {
  return (_: string, value: unknown): unknown => {
    if (!isLost(value)) return value;
    const place = `elements${placeOfLost(data)}`;
    throw new TypeError(
      `${place} is ${describe(value)}: use String(), or an Ingester, which converts all values`,
    );
  };
}

/** The path of the first such value, such as `[0].events[2].attributes.ratio`. */
function placeOfLost(value: unknown, path = ''): string | undefined {
  const { toJSON } = Object(value) as { toJSON?: unknown };
  const sent: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
  if (isLost(sent)) return path;
  if (typeof sent !== 'object' || sent === null) return undefined;
  for (const [name, member] of Object.entries(sent)) {
    const place = placeOfLost(member, `${path}${Array.isArray(sent) ? `[${name}]` : `.${name}`}`);
    if (place !== undefined) return place;
  }
  return undefined;
}

function isLost(value: unknown): boolean {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return false;
  if (typeof value !== 'object') return !Number.isFinite(value);
  if (Array.isArray(value) || isRecord(value)) return false;
  return isError(value) || Object.keys(value).length === 0;
}
