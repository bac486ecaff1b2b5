import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { HttpError, malformed } from '../http/http-error.ts';
import type { Members } from '../ingest/request-shape.ts';
import { dataPoint, KINDS } from './data-point.ts';
import { scopeOf } from './json-records.ts';
import { attributesOf } from './json-values.ts';
import { logRecord } from './log-record.ts';
import {
  type OtlpRecord,
  type OtlpRecords,
  RecordError,
  RecordLimit,
  type RecordSource,
} from './otlp-record.ts';
import { decode, type Message, readerOf, requireType } from './protobuf-decoder.ts';
import { DATA, LOG_RECORD, METRIC, METRIC_DATA, RESOURCE, SCOPE, SPAN } from './protobuf-messages.ts';
import type { Signal } from './signal.ts';
import { spanRecord } from './span.ts';

const { Varint, LengthDelimited } = WireType;

/**
 * The records of a request in protobuf.
 *
 * @throws HttpError 400 if the body is not such a message.
 */
export function* protobufRecords(body: Buffer, signal: Signal): OtlpRecords {
  const { request, name } = signal;
  const wire = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      if (error instanceof RecordError || error instanceof HttpError) throw error;
      const problem = (error as Error).message;
      throw malformed(
        `The body is not an ${request} in protobuf: ${problem}. This path accepts ${name} only.`,
      );
    }
  };
  const reader = new RequestReader(wire);
  for (const resourceRecords of reader.nested(body, 1)) {
    yield undefined;
    if (resourceRecords === undefined) continue;
    const resource = attributesOf(
      reader.decode(yield* reader.last(resourceRecords, 1), RESOURCE),
      'resource',
    );
    for (const scopeRecords of reader.nested(resourceRecords, 2)) {
      yield undefined;
      if (scopeRecords === undefined) continue;
      const scope = scopeOf({ scope: reader.decode(yield* reader.last(scopeRecords, 1), SCOPE) }, request);
      const source: RecordSource = { resource, scope };
      for (const record of reader.nested(scopeRecords, 2)) {
        if (record === undefined) yield undefined;
        else for (const read of RECORDS[name](record, reader)) yield read && { source, read };
      }
    }
  }
}

type Reads = Iterable<(() => OtlpRecord) | undefined>;

const RECORDS: Readonly<Record<Signal['name'], (record: Uint8Array, reader: RequestReader) => Reads>> = {
  logs: (record, reader) => [() => logRecord(reader.decode(record, LOG_RECORD), 'logRecord')],
  traces: (record, reader) => [() => spanRecord(reader.decode(record, SPAN), 'span')],
  metrics: dataPoints,
};

/** Each data point is decoded on its own: a metric can have very many. */
function* dataPoints(record: Uint8Array, reader: RequestReader): Reads {
  const metric = yield* reader.head(record, METRIC);
  for (const kind of KINDS) {
    const [field, shape] = DATA[kind];
    for (const bytes of reader.nested(record, field)) {
      yield undefined;
      if (bytes === undefined) continue;
      const head = { metric, kind, data: yield* reader.head(bytes, METRIC_DATA) };
      for (const point of reader.nested(bytes, 1)) {
        yield point && (() => dataPoint(head, reader.decode(point, shape), 'dataPoint'));
      }
    }
  }
}

/** The response of all signals. */
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

/** Reads the messages of a request. */
class RequestReader {
  /** Runs a decoder, and throws its errors as an HttpError. */
  readonly #wire: <Result>(read: () => Result) => Result;

  constructor(wire: <Result>(read: () => Result) => Result) {
    this.#wire = wire;
  }

  /** The messages of one field; `undefined` for each other field. */
  *nested(bytes: Uint8Array, fieldNumber: number): Generator<Uint8Array | undefined> {
    const reader = readerOf(bytes);
    while (reader.pos < reader.len) {
      yield this.#wire(() => {
        const [field, type] = reader.tag();
        if (field === fieldNumber) return requireType(reader, type, field, LengthDelimited).bytes();
        reader.skip(type, field);
        return undefined;
      });
    }
  }

  /** The last message of a field, which overrides earlier ones. Yields where the caller may pause. */
  *last(bytes: Uint8Array, fieldNumber: number): Generator<undefined, Uint8Array> {
    let latest: Uint8Array = new Uint8Array();
    for (const message of this.nested(bytes, fieldNumber)) {
      yield undefined;
      latest = message ?? latest;
    }
    return latest;
  }

  /** The fields of a message that can have any number of others. Yields where the caller may pause. */
  *head(bytes: Uint8Array, fields: Message): Generator<undefined, Members> {
    const members: Record<string, unknown> = {};
    const reader = readerOf(bytes);
    while (reader.pos < reader.len) {
      yield undefined;
      this.#wire(() => {
        const [number, type] = reader.tag();
        const [name, expected, read] = fields[number] ?? [];
        if (name === undefined || expected === undefined) reader.skip(type, number);
        else members[name] = read?.(requireType(reader, type, number, expected), new RecordLimit(), 0);
      });
    }
    return members;
  }

  /** A message as in JSON. */
  decode(bytes: Uint8Array, fields: Message): Members {
    return this.#wire(() => decode(bytes, fields, new RecordLimit(), 0));
  }
}
