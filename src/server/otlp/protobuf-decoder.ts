import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { HttpError, malformed } from '../http/http-error.ts';
import type { Members } from '../ingest/request-shape.ts';
import { RecordError, type RecordLimit } from './otlp-record.ts';

const { Varint, Bit64, Bit32, LengthDelimited } = WireType;

/** A field of a message: its name in JSON, its wire type, and what reads it as JSON has it. */
export type Field = readonly [
  name: string,
  type: WireType,
  read: (reader: BinaryReader, limit: RecordLimit, depth: number) => unknown,
  isRepeated?: boolean,
];

/** Fields by number. Others are skipped. */
export type Message = Readonly<Record<number, Field>>;

const string = (name: string): Field => [name, LengthDelimited, (reader) => reader.string()];
const bytes = (name: string, encoding: BufferEncoding): Field => [
  name,
  LengthDelimited,
  (reader) => bufferOf(reader.bytes()).toString(encoding),
];
const fixed64 = (name: string): Field => [name, Bit64, (reader) => String(reader.fixed64())];
const fixed32 = (name: string): Field => [name, Bit32, (reader) => reader.fixed32()];
const message = (name: string, fields: () => Message, isRepeated = false): Field => [
  name,
  LengthDelimited,
  (reader, limit, depth) => decode(reader.bytes(), fields(), limit, depth),
  isRepeated,
];
const repeated = (name: string, fields: () => Message): Field => message(name, fields, true);
const int32 = (name: string): Field => [name, Varint, (reader) => reader.int32()];

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

/** A message as in JSON. */
export function decode(bytes: Uint8Array, fields: Message, limit: RecordLimit, depth: number): Members {
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
    if (isRepeated) limit.addValue(0);
    const value = read(requireType(reader, type, number, expected), limit, depth + 1);
    // A value has one kind: the last one.
    if (fields === ANY_VALUE) members = { [name]: value };
    else if (!isRepeated) members[name] = value;
    else if (Array.isArray(members[name])) members[name].push(value);
    else members[name] = [value];
  }
  return members;
}

/** A kind of requests. */
export interface RequestKind {
  /** Its message in protobuf. */
  readonly request: string;
  /** What it contains. */
  readonly name: string;
}

/** Reads a part of a request. @throws HttpError 400 if it is no such message */
export function decodeRequest<Result>({ request, name }: RequestKind, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordError || error instanceof HttpError) throw error;
    const problem = (error as Error).message;
    throw malformed(`The body is not an ${request} in protobuf: ${problem}. This path accepts ${name} only.`);
  }
}

/**
 * The messages in some fields of a part of a request; `undefined` for each other field.
 *
 * @throws HttpError like {@link decodeRequest}
 */
export function* messagesIn(
  bytes: Uint8Array,
  fields: readonly number[],
  { request, name }: RequestKind,
): Generator<Uint8Array | undefined> {
  const reader = readerOf(bytes);
  while (reader.pos < reader.len) {
    yield decodeRequest({ request, name }, () => {
      const [field, type] = reader.tag();
      if (fields.includes(field)) return requireType(reader, type, field, LengthDelimited).bytes();
      reader.skip(type, field);
      return undefined;
    });
  }
}

/** The requests of all signals have the same structure, but other types of fields. */
function requireType(reader: BinaryReader, type: WireType, field: number, expected: WireType): BinaryReader {
  if (type === expected) return reader;
  throw new Error(`field ${field} has wire type ${type} instead of ${expected}`);
}

function readerOf(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, (text) => bufferOf(text).toString());
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
