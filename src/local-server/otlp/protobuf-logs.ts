import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { malformed } from '../http/http-error.ts';
import type { Members } from '../ingest/request-shape.ts';
import { attributesOf, logRecord, scopeOf } from './json-logs.ts';
import { type LogRecords, type LogSource, RecordError, RecordLimit } from './log-record.ts';

const { Varint, Bit64, Bit32, LengthDelimited } = WireType;

/** A field of a message: its name in JSON, its wire type, and what reads it as JSON has it. */
type Field = readonly [
  name: string,
  type: WireType,
  read: (reader: BinaryReader, limit: RecordLimit, depth: number) => unknown,
  isRepeated?: boolean,
];

/** Fields by number. Others are skipped. */
type Message = Readonly<Record<number, Field>>;

const string = (name: string): Field => [name, LengthDelimited, (reader) => reader.string()];
const bytes = (name: string, encoding: BufferEncoding): Field => [
  name,
  LengthDelimited,
  (reader) => bufferOf(reader.bytes()).toString(encoding),
];
const fixed64 = (name: string): Field => [name, Bit64, (reader) => String(reader.fixed64())];
const message = (name: string, fields: () => Message, isRepeated = false): Field => [
  name,
  LengthDelimited,
  (reader, limit, depth) => decode(reader.bytes(), fields(), limit, depth),
  isRepeated,
];
const repeated = (name: string, fields: () => Message): Field => message(name, fields, true);

const ANY_VALUE: Message = {
  1: string('stringValue'),
  2: ['boolValue', Varint, (reader) => reader.bool()],
  3: ['intValue', Varint, (reader) => String(reader.int64())],
  4: ['doubleValue', Bit64, (reader) => String(reader.double())],
  5: message('arrayValue', () => ARRAY_VALUE),
  6: message('kvlistValue', () => KEY_VALUE_LIST),
  7: bytes('bytesValue', 'base64'),
};
const ARRAY_VALUE: Message = { 1: repeated('values', () => ANY_VALUE) };
const KEY_VALUE_LIST: Message = { 1: repeated('values', () => KEY_VALUE) };
const KEY_VALUE: Message = { 1: string('key'), 2: message('value', () => ANY_VALUE) };
const ATTRIBUTES = repeated('attributes', () => KEY_VALUE);
const RESOURCE: Message = { 1: ATTRIBUTES };
const SCOPE: Message = { 1: string('name'), 2: string('version'), 3: ATTRIBUTES };
const LOG_RECORD: Message = {
  1: fixed64('timeUnixNano'),
  2: ['severityNumber', Varint, (reader) => reader.int32()],
  3: string('severityText'),
  5: message('body', () => ANY_VALUE),
  6: ATTRIBUTES,
  8: ['flags', Bit32, (reader) => reader.fixed32()],
  9: bytes('traceId', 'hex'),
  10: bytes('spanId', 'hex'),
  11: fixed64('observedTimeUnixNano'),
  12: string('eventName'),
};

/**
 * The records of an `ExportLogsServiceRequest` in protobuf.
 *
 * @throws HttpError 400 if the body is not such a message.
 */
export function* protobufLogs(body: Buffer): LogRecords {
  for (const resourceLogs of nested(body, 1)) {
    yield undefined;
    if (resourceLogs === undefined) continue;
    const resource = attributesOf(decodeOne(yield* last(resourceLogs, 1), RESOURCE), 'resource');
    for (const scopeLogs of nested(resourceLogs, 2)) {
      yield undefined;
      if (scopeLogs === undefined) continue;
      const scope = scopeOf({ scope: decodeOne(yield* last(scopeLogs, 1), SCOPE) }, 'scopeLogs');
      const source: LogSource = { resource, scope };
      for (const record of nested(scopeLogs, 2)) {
        yield record && { source, read: () => logRecord(decodeOne(record, LOG_RECORD), 'logRecord') };
      }
    }
  }
}

/** An `ExportLogsServiceResponse`. */
export function protobufResponse(rejected: number, errorMessage: string): Uint8Array<ArrayBuffer> {
  if (rejected === 0) return new Uint8Array();
  const partialSuccess = new BinaryWriter().tag(1, Varint).int64(rejected).tag(2, LengthDelimited);
  const content = partialSuccess.string(errorMessage).finish();
  return new BinaryWriter().tag(1, LengthDelimited).bytes(content).finish();
}

/** A `google.rpc.Status`. */
export function protobufStatus(code: number, message: string): Uint8Array<ArrayBuffer> {
  return new BinaryWriter().tag(1, Varint).int32(code).tag(2, LengthDelimited).string(message).finish();
}

/** The messages of one field; `undefined` for each other field. */
function* nested(bytes: Uint8Array, wanted: number): Generator<Uint8Array | undefined> {
  const reader = readerOf(bytes);
  while (reader.pos < reader.len) {
    yield wire(() => {
      const [field, type] = reader.tag();
      if (field === wanted) return requireType(reader, type, field, LengthDelimited).bytes();
      reader.skip(type, field);
      return undefined;
    });
  }
}

/** The last message of a field, which overrides earlier ones. Yields where the caller may pause. */
function* last(bytes: Uint8Array, wanted: number): Generator<undefined, Uint8Array> {
  let found: Uint8Array = new Uint8Array();
  for (const message of nested(bytes, wanted)) {
    yield undefined;
    found = message ?? found;
  }
  return found;
}

function decodeOne(bytes: Uint8Array, fields: Message): Members {
  return wire(() => decode(bytes, fields, new RecordLimit(), 0));
}

/** A message as in JSON. */
function decode(bytes: Uint8Array, fields: Message, limit: RecordLimit, depth: number): Members {
  let members: Record<string, unknown> = {};
  const reader = readerOf(bytes);
  while (reader.pos < reader.len) {
    limit.addField(depth);
    const [number, type] = reader.tag();
    const field = fields[number];
    if (field === undefined) {
      reader.skip(type, number);
      continue;
    }
    const [name, expected, read, isRepeated] = field;
    requireType(reader, type, number, expected);
    if (isRepeated) limit.addValue(0);
    const value = read(reader, limit, depth + 1);
    // A value has one kind: the last one.
    if (fields === ANY_VALUE) members = { [name]: value };
    else if (isRepeated && Array.isArray(members[name])) members[name].push(value);
    else members[name] = isRepeated ? [value] : value;
  }
  return members;
}

/** Requests for traces and metrics have the same structure, but other types of fields. */
function requireType(reader: BinaryReader, type: WireType, field: number, expected: WireType): BinaryReader {
  if (type === expected) return reader;
  throw new Error(`field ${field} has wire type ${type} instead of ${expected}. This path accepts logs only`);
}

function readerOf(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, (text) => bufferOf(text).toString());
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** @throws HttpError 400 for errors of the decoder. */
function wire<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw malformed(`The body is not an ExportLogsServiceRequest in protobuf: ${(error as Error).message}.`);
  }
}
