import { WireType } from '@bufbuild/protobuf/wire';
import type { Kind } from './data-point.ts';
import {
  ANY_VALUE,
  bytes,
  double,
  type Field,
  fixed32,
  fixed64,
  int32,
  KEY_VALUE,
  type Message,
  message,
  numbers,
  repeated,
  sint32,
  string,
  uint32,
} from './protobuf-decoder.ts';

const { Varint, Bit64 } = WireType;

const ATTRIBUTES = repeated('attributes', () => KEY_VALUE);
export const RESOURCE: Message = { 1: ATTRIBUTES };
export const SCOPE: Message = { 1: string('name'), 2: string('version'), 3: ATTRIBUTES };
export const LOG_RECORD: Message = {
  1: fixed64('timeUnixNano'),
  2: int32('severityNumber'),
  3: string('severityText'),
  5: message('body', () => ANY_VALUE),
  6: ATTRIBUTES,
  8: fixed32('flags'),
  9: bytes('traceId', 'hex'),
  10: bytes('spanId', 'hex'),
  11: fixed64('observedTimeUnixNano'),
  12: string('eventName'),
};
const STATUS: Message = { 2: string('message'), 3: int32('code') };
const SPAN_EVENT: Message = {
  1: fixed64('timeUnixNano'),
  2: string('name'),
  3: ATTRIBUTES,
  4: uint32('droppedAttributesCount'),
};
const LINK: Message = {
  1: bytes('traceId', 'hex'),
  2: bytes('spanId', 'hex'),
  3: string('traceState'),
  4: ATTRIBUTES,
  5: uint32('droppedAttributesCount'),
};
export const SPAN: Message = {
  1: bytes('traceId', 'hex'),
  2: bytes('spanId', 'hex'),
  3: string('traceState'),
  4: bytes('parentSpanId', 'hex'),
  5: string('name'),
  6: int32('kind'),
  7: fixed64('startTimeUnixNano'),
  8: fixed64('endTimeUnixNano'),
  9: ATTRIBUTES,
  10: uint32('droppedAttributesCount'),
  11: repeated('events', () => SPAN_EVENT),
  12: uint32('droppedEventsCount'),
  13: repeated('links', () => LINK),
  14: uint32('droppedLinksCount'),
  15: message('status', () => STATUS),
  16: fixed32('flags'),
};
export const METRIC: Message = { 1: string('name'), 2: string('description'), 3: string('unit') };
export const METRIC_DATA: Message = {
  2: int32('aggregationTemporality'),
  3: ['isMonotonic', Varint, (reader) => reader.bool()],
};
const AS_INT: Field = ['asInt', Bit64, (reader) => String(reader.sfixed64())];
const TIMES: Message = { 2: fixed64('startTimeUnixNano'), 3: fixed64('timeUnixNano') };
const EXEMPLAR: Message = {
  2: fixed64('timeUnixNano'),
  3: double('asDouble'),
  4: bytes('spanId', 'hex'),
  5: bytes('traceId', 'hex'),
  6: AS_INT,
  7: repeated('filteredAttributes', () => KEY_VALUE),
};
const EXEMPLARS = repeated('exemplars', () => EXEMPLAR);
const NUMBER: Message = {
  ...TIMES,
  4: double('asDouble'),
  5: EXEMPLARS,
  6: AS_INT,
  7: ATTRIBUTES,
  8: uint32('flags'),
};
const HISTOGRAM: Message = {
  ...TIMES,
  4: fixed64('count'),
  5: double('sum'),
  6: numbers('bucketCounts', Bit64, (reader) => String(reader.fixed64())),
  7: numbers('explicitBounds', Bit64, (reader) => String(reader.double())),
  8: EXEMPLARS,
  9: ATTRIBUTES,
  10: uint32('flags'),
  11: double('min'),
  12: double('max'),
};
const BUCKETS: Message = {
  1: sint32('offset'),
  2: numbers('bucketCounts', Varint, (reader) => String(reader.uint64())),
};
const EXPONENTIAL_HISTOGRAM: Message = {
  1: ATTRIBUTES,
  ...TIMES,
  4: fixed64('count'),
  5: double('sum'),
  6: sint32('scale'),
  7: fixed64('zeroCount'),
  8: message('positive', () => BUCKETS),
  9: message('negative', () => BUCKETS),
  10: uint32('flags'),
  11: EXEMPLARS,
  12: double('min'),
  13: double('max'),
  14: double('zeroThreshold'),
};
const QUANTILE: Message = { 1: double('quantile'), 2: double('value') };
const SUMMARY: Message = {
  ...TIMES,
  4: fixed64('count'),
  5: double('sum'),
  6: repeated('quantileValues', () => QUANTILE),
  7: ATTRIBUTES,
  8: uint32('flags'),
};
/** The field of a metric that has the data, and the message of a data point. */
export const DATA: Readonly<Record<Kind, readonly [number, Message]>> = {
  gauge: [5, NUMBER],
  sum: [7, NUMBER],
  histogram: [9, HISTOGRAM],
  exponentialHistogram: [10, EXPONENTIAL_HISTOGRAM],
  summary: [11, SUMMARY],
};
