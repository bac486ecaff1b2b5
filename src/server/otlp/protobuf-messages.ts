import {
  ANY_VALUE,
  bytes,
  fixed32,
  fixed64,
  int32,
  KEY_VALUE,
  type Message,
  message,
  repeated,
  string,
} from './protobuf-decoder.ts';

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
