import { isJsonObject } from '../../core/json-object.ts';
import { exactText, isMarkedNumber, parseExactJson, renderExactJson } from '../../engine/index.ts';
import { HecError } from '../http/hec-error.ts';
import { HttpError, malformed, orMalformed, slicesOrMalformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { DEFAULT_PARSER } from './built-in-parsers.ts';
import { flattenAt, putField } from './flatten.ts';
import { type Instant, instantFromNumber } from './instant.ts';
import { splitJsonObjects } from './json-sequence.ts';
import { type Members, numberOf, optionalString, requireObject } from './request-shape.ts';
import { type IngestTarget, parsedEvents } from './structured-events.ts';

/**
 * The events of each object of a request in the format of Splunk's HTTP Event Collector: concatenated JSON objects.
 *
 * @throws HttpError 400 for the first error, HecError for an object without an event; then nothing is stored.
 */
export function* hecEvents(text: string, target: IngestTarget): Generator<readonly StoredEvent[]> {
  let index = 0;
  let record: string | undefined;
  try {
    for (const written of slicesOrMalformed(splitJsonObjects(text), (message) => `${message}.`)) {
      const place = `object ${index}`;
      record = written;
      const object = orMalformed(
        () => parseExactJson(written),
        (message) => `${place}: ${message}`,
      );
      yield hecEvent(requireObject(object, place), place, target);
      index++;
      record = undefined;
    }
  } catch (error) {
    throw error instanceof HttpError ? error.atEvent(index, record) : error;
  }
  if (index === 0) throw new HecError('noData');
}

function hecEvent(members: Members, place: string, target: IngestTarget): readonly StoredEvent[] {
  const { repository, builder, now } = target;
  const content = members.event;
  if (content === undefined || content === null) throw new HecError('noEvent');
  if (content === '') throw new HecError('blankEvent');
  const index = optionalString(members.index, `${place}.index`);
  if (index !== undefined && index !== repository) {
    throw malformed(`${place}.index is not the repository of the token, which is "${repository}".`);
  }
  const sourcetype = optionalString(members.sourcetype, `${place}.sourcetype`);
  const event = builder.begin({
    repository,
    instant: instantOf(members, place, now),
    rawstring:
      typeof content === 'string'
        ? exactText(content)
        : orMalformed(
            () => renderExactJson(content),
            () => `${place}.event is nested too deeply.`,
          ),
    type: sourcetype ?? target.parser ?? 'none',
    tags: {},
  });
  for (const name of ['host', 'source']) {
    const value = optionalString(members[name], `${place}.${name}`);
    if (value !== undefined) putField(event, `@${name}`, value);
  }
  // Only strings are parsed: the members of an object are already fields.
  if (isJsonObject(content)) flattenAt(`${place}.event`, event, content);
  if (members.fields !== undefined && members.fields !== null) {
    flattenAt(`${place}.fields`, event, requireObject(members.fields, `${place}.fields`));
  }
  if (typeof content !== 'string' || isMarkedNumber(content)) return [builder.finish(event)];
  // Shippers send Splunk's types, such as "cisco:asa", which is not an error.
  const parser = [sourcetype, target.parser].find((name) => target.parsers.has(name)) ?? DEFAULT_PARSER;
  const hasTime = members.time !== undefined && members.time !== null;
  return parsedEvents(parser, event, target, hasTime);
}

/** `time` is in seconds, a number or a numeric string. */
function instantOf(members: Members, place: string, now: number): Instant {
  const timezone = optionalString(members.timezone, `${place}.timezone`);
  const { time } = members;
  if (time === undefined || time === null) return instantFromNumber(now, timezone)!;
  const text = typeof time === 'string' || typeof time === 'number' ? exactText(time) : '';
  const isNumeric = numberOf(time) !== undefined || /^\d+(?:\.\d+)?$/.test(text);
  // Rounds to microseconds, because further digits are floating-point noise.
  const instant = isNumeric ? instantFromNumber(Math.round(Number(text) * 1e6) / 1e3, timezone) : undefined;
  if (instant === undefined) throw malformed(`${place}.time must be epoch seconds.`);
  return instant;
}
