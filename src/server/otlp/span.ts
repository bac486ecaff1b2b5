import type { Members, Place } from '../ingest/request-shape.ts';
import { attributesOf, integerOf, isUnset } from './json-values.ts';
import { traceFlags } from './log-record.ts';
import { attributes, fieldsOf, id, list, message, nonZero, type Shape, text } from './message-shape.ts';
import { type OtlpRecord, RecordError, RecordLimit } from './otlp-record.ts';

const EVENT: Shape = {
  timeUnixNano: nonZero(64),
  name: text,
  attributes,
  droppedAttributesCount: nonZero(32),
};
const LINK: Shape = {
  traceId: id(16),
  spanId: id(8),
  traceState: text,
  attributes,
  droppedAttributesCount: nonZero(32),
};
const SPAN: Shape = {
  traceId: id(16),
  spanId: id(8),
  parentSpanId: id(8),
  traceState: text,
  name: text,
  kind: nonZero(32, BigInt.asIntN),
  startTimeUnixNano: nonZero(64),
  endTimeUnixNano: nonZero(64),
  status: message({ code: nonZero(32, BigInt.asIntN), message: text }),
  events: list(message(EVENT)),
  links: list(message(LINK)),
  droppedAttributesCount: nonZero(32),
  droppedEventsCount: nonZero(32),
  droppedLinksCount: nonZero(32),
};

/** A Span. Its own fields override its attributes. @throws RecordError without a valid trace ID and span ID */
export function spanRecord(span: Members, place: Place): OtlpRecord {
  const limit = new RecordLimit();
  const fields = fieldsOf(span, SPAN, place, limit);
  if (fields.trace_id === undefined || fields.span_id === undefined) {
    throw new RecordError('A span has no valid trace ID or span ID.');
  }
  const unsigned = (name: string, bits: number): bigint =>
    isUnset(span[name]) ? 0n : integerOf(span[name], `${place}.${name}`, BigInt.asUintN, bits);
  return {
    time: unsigned('startTimeUnixNano', 64),
    fields: {
      ...attributesOf(span, place, limit),
      ...fields,
      trace_flags: traceFlags(unsigned('flags', 32)),
    },
  };
}
