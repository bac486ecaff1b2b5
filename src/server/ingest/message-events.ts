import { renderExactJson } from '../../engine/index.ts';
import { malformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { DEFAULT_PARSER } from './built-in-parsers.ts';
import { flattenAt, putField } from './flatten.ts';
import { instantFromNumber } from './instant.ts';
import {
  objectsOf,
  ofRecord,
  optionalString,
  optionalStrings,
  requireArray,
  requireObject,
  requireString,
} from './request-shape.ts';
import { type IngestTarget, parsedEvents } from './structured-events.ts';

/** A line and how to parse it. */
interface Message {
  readonly text: string;
  readonly parser: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The events of each line of an unstructured request: an array of groups of lines.
 *
 * @throws HttpError 400 for the first error; then nothing is stored.
 */
export function* messageEvents(body: unknown, target: IngestTarget): Generator<readonly StoredEvent[]> {
  for (const { member: group, place } of objectsOf(body, '')) {
    const type = optionalString(group.type, `${place}.type`);
    const tags = optionalStrings(group.tags, `${place}.tags`);
    const fields = optionalStrings(group.fields, `${place}.fields`);
    // Sources disagree on precedence; the service's own documentation says that the token's parser is used.
    const parser = target.parser ?? type ?? DEFAULT_PARSER;
    for (const [index, item] of requireArray(group.messages, `${place}.messages`).entries()) {
      const text = requireString(item, `${place}.messages[${index}]`);
      yield messageEvent({ text, parser, tags, fields }, target);
    }
  }
}

export function rawEvents(text: string, target: IngestTarget): (readonly StoredEvent[])[] {
  if (text.trim() === '') throw malformed('The body is empty.');
  return [messageEvent({ text, parser: target.parser ?? DEFAULT_PARSER, tags: {}, fields: {} }, target)];
}

/** Each line of the body as an event; `channel` is stored with each one. */
export function* lineEvents(
  text: string,
  target: IngestTarget,
  channel: string | undefined,
): Generator<readonly StoredEvent[]> {
  const fields: StoredEvent = channel === undefined ? {} : { channel };
  const parser = target.parser ?? DEFAULT_PARSER;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    yield messageEvent({ text: line, parser, tags: {}, fields }, target);
  }
}

/** A JSON object as one event, an array as one event per item. Their members are fields even without a parser. */
export function* jsonEvents(body: unknown, target: IngestTarget): Generator<readonly StoredEvent[]> {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const [index, item] of items.entries()) {
    const place = Array.isArray(body) ? `[${index}]` : '';
    const fields: StoredEvent = {};
    try {
      flattenAt(place, fields, requireObject(item, place));
    } catch (error) {
      throw ofRecord(error, item);
    }
    const text = renderExactJson(item);
    yield messageEvent({ text, parser: target.parser ?? 'json', tags: {}, fields }, target);
  }
}

function messageEvent({ text, parser, tags, fields }: Message, target: IngestTarget): readonly StoredEvent[] {
  const { repository, builder, now } = target;
  const event = builder.begin({
    repository,
    instant: instantFromNumber(now)!,
    rawstring: text,
    type: parser,
    tags,
  });
  for (const name in fields) putField(event, name, fields[name]!);
  return parsedEvents(parser, event, target, false);
}
