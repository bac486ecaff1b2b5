import { renderExactJson } from '../../engine/index.ts';
import { malformed, orMalformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { EventBuilder } from './event-builder.ts';
import { flattenAt, TOO_DEEP } from './flatten.ts';
import type { Instant } from './instant.ts';
import { instantOf } from './json-line.ts';
import type { RepositoryParsers } from './repository-parsers.ts';
import {
  kindOf,
  type Members,
  nameOf,
  numberOf,
  objectsOf,
  ofRecord,
  optionalString,
  optionalStrings,
  requireArray,
  requireObject,
} from './request-shape.ts';

/** Destination of the events of a request. */
export interface IngestTarget {
  readonly repository: string;
  readonly parser: string | undefined;
  readonly parsers: RepositoryParsers;
  readonly builder: EventBuilder;
  /** When the request arrived, epoch milliseconds. */
  readonly now: number;
}

/**
 * The events of each record of a structured request: an array of groups with common tags.
 *
 * @throws HttpError 400 for the first error; then nothing is stored.
 */
export function* structuredEvents(body: unknown, target: IngestTarget): Generator<readonly StoredEvent[]> {
  for (const { member: group, place } of objectsOf(body, '')) {
    const tags = optionalStrings(group.tags, `${place}.tags`);
    for (const [index, item] of requireArray(group.events, `${place}.events`).entries()) {
      try {
        yield structuredEvent(item, `${place}.events[${index}]`, tags, target);
      } catch (error) {
        throw ofRecord(error, item);
      }
    }
  }
}

function structuredEvent(
  value: unknown,
  place: string,
  tags: Readonly<Record<string, string>>,
  target: IngestTarget,
): readonly StoredEvent[] {
  const { repository, parser, builder } = target;
  const members = requireObject(value, place);
  const instant = requireInstant(members, place);
  const attributes = requireObject(members.attributes ?? {}, `${place}.attributes`);
  const rawstring = optionalString(members.rawstring, `${place}.rawstring`);
  const event = builder.begin({ repository, instant, rawstring: '', type: parser ?? 'none', tags });
  const text =
    rawstring ??
    orMalformed(
      () => renderExactJson(attributes),
      () => `${nameOf(`${place}.attributes`)} is ${TOO_DEEP}.`,
    );
  // Events that are too large lose their fields anyway.
  if (!builder.isTooLargeText(text)) flattenAt(`${place}.attributes`, event, attributes);
  event['@rawstring'] = text;
  // A token's parser runs in addition.
  return parsedEvents(parser, event, target, true);
}

/**
 * What a parser makes of an event, as it is stored. Without a parser, it is the event. What is too large loses its fields
 * anyway.
 */
export function parsedEvents(
  parser: string | undefined,
  event: StoredEvent,
  { parsers, builder, now }: IngestTarget,
  hasTime: boolean,
): readonly StoredEvent[] {
  if (parser === undefined || builder.isTooLargeText(event['@rawstring']!)) return [builder.finish(event)];
  return builder.adopt(parsers.parse(parser, event, { now, hasTime }), event);
}

/** A number is epoch milliseconds, a string ISO 8601 with an offset; `timezone` is only valid with a number. */
function requireInstant(members: Members, place: string): Instant {
  const { timestamp } = members;
  const timezone = optionalString(members.timezone, `${place}.timezone`);
  const epochMs = numberOf(timestamp);
  const instant = instantOf(timestamp, timezone);
  if (instant !== undefined) return instant;
  const isText = typeof timestamp === 'string';
  const problem =
    epochMs !== undefined
      ? 'a number out of range'
      : isText
        ? 'a string in another format'
        : kindOf(timestamp);
  const message = `${place}.timestamp must be epoch milliseconds or an ISO 8601 string with an offset ("2026-02-03T10:00:00.123Z") (got ${problem}).`;
  throw malformed(message);
}
