import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SECONDS } from '../core/epoch.ts';
import { LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { jsonText, type RestCallOptions } from '../core/http/http-caller.ts';
import type { WebResponse } from '../core/http/web-response.ts';
import { describe, requireArray, requireText } from '../core/option-checks.ts';
import { isEventTime } from '../core/records/timestamp.ts';
import { requireStringMap } from '../core/string-map.ts';
import type { StructuredEventGroup, UnstructuredMessageGroup } from '../core/wire/ingest.ts';
import { optionalJson } from './optional-json.ts';

/** Shorter requests are not compressed. */
const MIN_GZIP_LENGTH = 8 * 1024;

/** Where a client ingests, relative to the REST API. */
export interface IngestEndpoints {
  readonly structured: string;
  readonly unstructured: string;
}

/** Options of `ingestMessages()`. */
export interface IngestMessagesOptions extends CallOptions {
  /** Name of the parser for the messages. @default the parser assigned to the token, if any */
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
  { headers, ...call }: CallOptions,
  data: unknown,
): Promise<CallOptions & RestCallOptions> {
  const json = jsonText(data);
  if (json.length < MIN_GZIP_LENGTH) return { ...call, headers, data: json };
  return { ...call, headers: { 'content-encoding': 'gzip', ...headers }, data: await promisify(gzip)(json) };
}

/** The body of a successful response is optional: a caller that took it for a failure would send the events twice. */
export async function readAnswer(response: WebResponse): Promise<IngestAnswer> {
  return (await optionalJson<IngestAnswer>(response)) ?? {};
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
    ...(tags === undefined ? {} : { tags: requireStringMap(owner, 'tags', tags) }),
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
    if (tags !== undefined) requireStringMap(`ingestJsonData: element ${index}`, 'tags', tags);
    const isSeconds = (time: unknown): boolean =>
      typeof time === 'number' && SECONDS.test(String(Math.trunc(time)));
    const wrong = events.findIndex((event) => !isEventTime(event?.timestamp) || isSeconds(event.timestamp));
    if (wrong === -1) return;
    const time: unknown = events[wrong]?.timestamp;
    const advice = isSeconds(time) ? ' It looks like seconds: multiply it by 1000.' : '';
    throw new LogOptionsException(
      `ingestJsonData: event ${wrong} of element ${index} needs a "timestamp": epoch milliseconds since 1970, a Date, or ISO 8601 with an offset (got ${describe(time)}).${advice} Nothing was sent.`,
    );
  });
}
