import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { malformed } from '../http/http-error.ts';
import type { Members } from '../ingest/request-shape.ts';
import {
  doubleValue,
  integerValue,
  type LogRecord,
  type LogRecords,
  type LogSource,
  RecordError,
  RecordLimit,
  validId,
} from './log-record.ts';

const { Varint, Bit64, Bit32, LengthDelimited } = WireType;

/** Handlers by field number; other fields are skipped. */
type FieldHandlers = Readonly<Record<number, readonly [WireType, (reader: BinaryReader) => void]>>;

/**
 * The records of an `ExportLogsServiceRequest` in protobuf.
 *
 * @throws HttpError 400 if the body is not such a message.
 */
export function* protobufLogs(body: Buffer): LogRecords {
  for (const resourceLogs of nested(body, 1)) {
    yield undefined;
    if (resourceLogs === undefined) continue;
    const ownResource = yield* last(resourceLogs, 1);
    const resource = wire(() => attributesOf(ownResource, 1));
    for (const scopeLogs of nested(resourceLogs, 2)) {
      yield undefined;
      if (scopeLogs === undefined) continue;
      const ownScope = yield* last(scopeLogs, 1);
      const source: LogSource = { resource, scope: wire(() => scopeOf(ownScope)) };
      for (const record of nested(scopeLogs, 2)) {
        yield record && { source, read: () => wire(() => logRecord(record)) };
      }
    }
  }
}

/** An `ExportLogsServiceResponse`. */
export function protobufResponse(rejected: number, errorMessage: string): Uint8Array<ArrayBuffer> {
  if (rejected === 0) return new Uint8Array();
  const partialSuccess = new BinaryWriter().tag(1, Varint).int64(rejected).tag(2, LengthDelimited);
  const bytes = partialSuccess.string(errorMessage).finish();
  return new BinaryWriter().tag(1, LengthDelimited).bytes(bytes).finish();
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

function logRecord(bytes: Uint8Array): LogRecord {
  const limit = new RecordLimit();
  const attributes: [string, unknown][] = [];
  let time = 0n;
  let observedTime = 0n;
  let severityNumber = 0;
  let severityText = '';
  let body: unknown = null;
  let flags = 0;
  let traceId = '';
  let spanId = '';
  let eventName = '';
  const handlers: FieldHandlers = {
    1: [Bit64, (reader) => (time = BigInt(reader.fixed64()))],
    2: [Varint, (reader) => (severityNumber = reader.int32())],
    3: [LengthDelimited, (reader) => (severityText = reader.string())],
    5: [LengthDelimited, (reader) => (body = anyValue(reader.bytes(), 0, limit))],
    6: [LengthDelimited, (reader) => attributes.push(keyValue(reader.bytes(), 0, limit))],
    8: [Bit32, (reader) => (flags = reader.fixed32())],
    9: [LengthDelimited, (reader) => (traceId = hexadecimal(reader.bytes()))],
    10: [LengthDelimited, (reader) => (spanId = hexadecimal(reader.bytes()))],
    11: [Bit64, (reader) => (observedTime = BigInt(reader.fixed64()))],
    12: [LengthDelimited, (reader) => (eventName = reader.string())],
  };
  readFields(readerOf(bytes), handlers, limit);
  return {
    time,
    observedTime,
    severityNumber,
    severityText,
    body,
    attributes: Object.fromEntries(attributes),
    traceId: validId(traceId, 16),
    spanId: validId(spanId, 8),
    flags,
    eventName,
  };
}

function scopeOf(bytes: Uint8Array): Members {
  const own: Record<string, string> = {};
  const handlers: FieldHandlers = {
    1: [LengthDelimited, (reader) => (own.name = reader.string())],
    2: [LengthDelimited, (reader) => (own.version = reader.string())],
  };
  readFields(readerOf(bytes), handlers, new RecordLimit());
  return { ...attributesOf(bytes, 3), ...withoutEmpty(own) };
}

function withoutEmpty(members: Readonly<Record<string, string>>): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}

/** Decodes the field `number` of a message as attributes. */
function attributesOf(bytes: Uint8Array, number: number): Members {
  const limit = new RecordLimit();
  const entries: [string, unknown][] = [];
  const handlers: FieldHandlers = {
    [number]: [LengthDelimited, (reader) => entries.push(keyValue(reader.bytes(), 0, limit))],
  };
  readFields(readerOf(bytes), handlers, limit);
  return Object.fromEntries(entries);
}

function keyValue(bytes: Uint8Array, depth: number, limit: RecordLimit): [string, unknown] {
  let key = '';
  let value: unknown = null;
  limit.addValue(depth);
  const handlers: FieldHandlers = {
    1: [LengthDelimited, (reader) => (key = reader.string())],
    2: [LengthDelimited, (reader) => (value = anyValue(reader.bytes(), depth, limit))],
  };
  readFields(readerOf(bytes), handlers, limit);
  return [key, value];
}

function anyValue(bytes: Uint8Array, depth: number, limit: RecordLimit): unknown {
  let value: unknown = null;
  const children = (reader: BinaryReader, read: (child: Uint8Array) => unknown): unknown[] => {
    const items: unknown[] = [];
    const handlers: FieldHandlers = { 1: [LengthDelimited, (inner) => items.push(read(inner.bytes()))] };
    readFields(readerOf(reader.bytes()), handlers, limit);
    return items;
  };
  const handlers: FieldHandlers = {
    1: [LengthDelimited, (reader) => (value = reader.string())],
    2: [Varint, (reader) => (value = reader.bool())],
    3: [Varint, (reader) => (value = integerValue(BigInt(reader.int64())))],
    4: [Bit64, (reader) => (value = doubleValue(reader.double()))],
    5: [
      LengthDelimited,
      (reader) => {
        value = children(reader, (child) => {
          limit.addValue(depth + 1);
          return anyValue(child, depth + 1, limit);
        });
      },
    ],
    6: [
      LengthDelimited,
      (reader) => {
        const entries = children(reader, (child) => keyValue(child, depth + 1, limit));
        value = Object.fromEntries(entries as [string, unknown][]);
      },
    ],
    7: [LengthDelimited, (reader) => (value = Buffer.from(reader.bytes()).toString('base64'))],
  };
  readFields(readerOf(bytes), handlers, limit);
  return value;
}

function readFields(reader: BinaryReader, handlers: FieldHandlers, limit: RecordLimit): void {
  while (reader.pos < reader.len) {
    limit.addField();
    const [field, type] = reader.tag();
    const handler = handlers[field];
    if (handler === undefined) reader.skip(type, field);
    else handler[1](requireType(reader, type, field, handler[0]));
  }
}

/** Requests for traces and metrics have the same structure, but other types of fields. */
function requireType(reader: BinaryReader, type: WireType, field: number, expected: WireType): BinaryReader {
  if (type === expected) return reader;
  throw new Error(`field ${field} has wire type ${type} instead of ${expected}. This path accepts logs only`);
}

function readerOf(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, (text) =>
    Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString(),
  );
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
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
