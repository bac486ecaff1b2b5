import { renderExactJson, type SlicedWork } from '../../engine/index.ts';
import { HttpError, malformed } from '../http/http-error.ts';
import { flattenInto } from '../ingest/flatten.ts';
import type { Instant } from '../ingest/instant.ts';
import { type IngestTarget, parsedEvents } from '../ingest/structured-events.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { type OtlpRecord, type OtlpRecords, RecordError, type RecordSource } from './otlp-record.ts';

const NANOS_PER_MS = 1_000_000n;
/** A large resource is copied into each of its records. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * The events of the records of a request.
 *
 * @param onRejected Called with the reason for each record that can't be stored.
 * @throws HttpError 400 if the request is malformed, 413 if its events are too large; then nothing is stored.
 */
export function* otlpEvents(
  records: OtlpRecords,
  target: IngestTarget,
  onRejected: (reason: string) => void,
): SlicedWork<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let characters = 0;
  for (const item of readable(records)) {
    yield;
    if (item === undefined) continue;
    try {
      for (const event of recordEvents(item.read(), item.source, target)) {
        events.push(event);
        characters += event['@rawstring']!.length;
      }
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      onRejected(error.message);
    }
    if (characters > MAX_CHARACTERS) {
      const problem = `The events of the request have more than ${MAX_CHARACTERS} characters, because each has the attributes of its resource. Send several requests.`;
      throw new HttpError(413, problem);
    }
  }
  return events;
}

/** Reports an invalid resource or scope for each of its records. */
function* readable(records: OtlpRecords): OtlpRecords {
  try {
    yield* records;
  } catch (error) {
    throw error instanceof RecordError ? malformed(error.message) : error;
  }
}

function recordEvents(
  record: OtlpRecord,
  { resource, scope }: RecordSource,
  target: IngestTarget,
): readonly StoredEvent[] {
  const { repository, parser, builder, now } = target;
  const instant = instantOf(record.time, now);
  const event = builder.begin({ repository, instant, rawstring: '', type: parser ?? 'none', tags: {} });
  // If names collide, fields of the resource and the scope take precedence.
  const fields = {
    ...record.fields,
    ...(Object.keys(resource).length === 0 ? {} : { resource }),
    ...(Object.keys(scope).length === 0 ? {} : { scope }),
  };
  const rawstring = renderExactJson(fields);
  if (!builder.isTooLargeText(rawstring)) {
    try {
      flattenInto(event, fields);
    } catch (error) {
      if (error instanceof RangeError) throw new RecordError(`A record is ${error.message}.`);
      throw error;
    }
  }
  event['@rawstring'] = rawstring;
  return parsedEvents(parser, event, target, true);
}

function instantOf(time: bigint, now: number): Instant {
  if (time === 0n) return { epochMs: now, nanos: 0, timezone: 'Z' };
  return { epochMs: Number(time / NANOS_PER_MS), nanos: Number(time % NANOS_PER_MS), timezone: 'Z' };
}
