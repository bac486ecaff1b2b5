import { gzipSync } from 'node:zlib';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { cases } from '../helpers/laws.ts';
import { answeredDuring } from './answered-during.ts';
import { type Row, stream } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const PATHS = ['/api/v1/ingest/otlp', '/api/v1/ingest/otlp/v1/logs', '/v1/logs'];
const { Varint, Bit64, Bit32, LengthDelimited } = WireType;

let server: LocalServer;
beforeEach(async () => {
  await server?.close();
  server = await startLocalServer({ now: NOW });
});
afterAll(() => server.close());

function send(
  body: Uint8Array | object | string,
  headers: Record<string, string> = {},
  path = '/v1/logs',
): Promise<Response> {
  const isBinary = body instanceof Uint8Array;
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.ingestToken}`,
      'content-type': isBinary ? 'application/x-protobuf' : 'application/json',
      ...headers,
    },
    body: isBinary ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function outcome(response: Response): Promise<unknown[]> {
  const type = response.headers.get('content-type');
  if (type === 'application/json') return [response.status, type, await response.json()];
  return [response.status, type, Buffer.from(await response.arrayBuffer()).toString('latin1')];
}

/** The number and message of a `google.rpc.Status` or of a partial success. */
function numberAndMessage(bytes: Uint8Array): [number, string] {
  const reader = new BinaryReader(bytes);
  reader.tag();
  const number = Number(reader.int64());
  reader.tag();
  return [number, reader.string()];
}

function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

function child(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, LengthDelimited).bytes(bytes);
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a request.
type Json = any;

function anyValue(value: Json): Uint8Array {
  return message((writer) => {
    if (value.stringValue !== undefined) writer.tag(1, LengthDelimited).string(value.stringValue);
    if (value.boolValue !== undefined) writer.tag(2, Varint).bool(value.boolValue);
    if (value.intValue !== undefined) writer.tag(3, Varint).int64(value.intValue);
    if (value.doubleValue !== undefined) writer.tag(4, Bit64).double(Number(value.doubleValue));
    if (value.arrayValue !== undefined)
      child(
        writer,
        5,
        message((list) => {
          for (const item of value.arrayValue.values) child(list, 1, anyValue(item));
        }),
      );
    if (value.kvlistValue !== undefined)
      child(
        writer,
        6,
        message((list) => keyValues(list, 1, value.kvlistValue.values)),
      );
    if (value.bytesValue !== undefined) child(writer, 7, Buffer.from(value.bytesValue, 'base64'));
  });
}

function keyValues(writer: BinaryWriter, field: number, items: Json[]): void {
  for (const { key, value } of items) {
    const bytes = message((pair) => {
      pair.tag(1, LengthDelimited).string(key);
      if (value !== undefined) child(pair, 2, anyValue(value));
    });
    child(writer, field, bytes);
  }
}

/** A request in JSON as protobuf. */
function encode(request: Json): Uint8Array {
  return message((writer) => {
    for (const { resource, scopeLogs } of request.resourceLogs) {
      const resourceLogs = message((logs) => {
        child(
          logs,
          1,
          message((own) => keyValues(own, 1, resource.attributes)),
        );
        for (const { scope, logRecords } of scopeLogs) {
          const bytes = message((inner) => {
            const encodedScope = message((own) =>
              own.tag(1, LengthDelimited).string(scope.name).tag(2, LengthDelimited).string(scope.version),
            );
            child(inner, 1, encodedScope);
            for (const record of logRecords) child(inner, 2, encodeRecord(record));
          });
          child(logs, 2, bytes);
        }
      });
      child(writer, 1, resourceLogs);
    }
  });
}

function encodeRecord(record: Json): Uint8Array {
  return message((writer) => {
    writer.tag(1, Bit64).fixed64(record.timeUnixNano);
    writer.tag(11, Bit64).fixed64(record.observedTimeUnixNano);
    writer.tag(2, Varint).int32(record.severityNumber);
    writer.tag(3, LengthDelimited).string(record.severityText);
    if (record.body !== undefined) child(writer, 5, anyValue(record.body));
    keyValues(writer, 6, record.attributes);
    writer.tag(8, Bit32).fixed32(record.flags);
    child(writer, 9, Buffer.from(record.traceId, 'hex'));
    child(writer, 10, Buffer.from(record.spanId, 'hex'));
    writer.tag(12, LengthDelimited).string(record.eventName);
    // A field of a later version.
    writer.tag(99, LengthDelimited).string('unknown');
  });
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

function requestOf(...logRecords: Json[]): Json {
  return {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [{ scope: { name: 'cart', version: '1.2' }, logRecords }],
      },
    ],
  };
}

const RECORD = {
  timeUnixNano: `${NOW - 1}123456`,
  observedTimeUnixNano: '0',
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'order received' },
  attributes: [
    { key: 'http.status', value: { intValue: '200' } },
    { key: 'big', value: { intValue: '9223372036854775807' } },
    { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
  ],
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  flags: 257,
  eventName: 'order',
};

const EVENT = {
  '@timestamp': NOW - 1,
  '@timestamp.nanos': '123456',
  '#type': 'none',
  message: 'order received',
  severity_number: '9',
  severity_text: 'INFO',
  event_name: 'order',
  'http.status': '200',
  big: '9223372036854775807',
  'tags[0]': 'a',
  'tags[1]': 'true',
  trace_id: TRACE_ID,
  span_id: SPAN_ID,
  trace_flags: '01',
  'resource.service.name': 'shop',
  'scope.name': 'cart',
  'scope.version': '1.2',
};

describe('OTLP logs', () => {
  it.each(PATHS)('are accepted at %s as protobuf and JSON, with and without gzip', async (path) => {
    const json = requestOf(RECORD);
    const protobuf = encode(json);
    const gzip = { 'content-encoding': 'gzip' };
    const asJson = { ...gzip, 'content-type': 'application/json; charset=utf-8' };
    expect(await outcome(await send(protobuf, {}, path))).toEqual([200, 'application/x-protobuf', '']);
    expect(await outcome(await send(gzipSync(protobuf), gzip, path))).toEqual([
      200,
      'application/x-protobuf',
      '',
    ]);
    expect(await outcome(await send(json, {}, path))).toEqual([200, 'application/json', {}]);
    expect(await outcome(await send(gzipSync(JSON.stringify(json)), asJson, path))).toEqual([
      200,
      'application/json',
      {},
    ]);
    expect(await stream(server, '*')).toEqual(Array(4).fill(expect.objectContaining(EVENT)));
  });

  it('use the observed time, or else the time of arrival', async () => {
    await send(requestOf({ observedTimeUnixNano: `${NOW - 2}000001`, body: { stringValue: 'a' } }, {}));
    expect(await stream(server, 'sort(@timestamp, order=asc)')).toMatchObject([
      { '@timestamp': NOW - 2, '@timestamp.nanos': '1', message: 'a' },
      { '@timestamp': NOW },
    ]);
  });

  it('get fields from a structured body, and ignore invalid IDs', async () => {
    const body = {
      kvlistValue: {
        values: [
          { key: 'a', value: { kvlistValue: { values: [{ key: 'b', value: { doubleValue: 1.5 } }] } } },
        ],
      },
    };
    await send(requestOf({ body, traceId: '00', spanId: '0'.repeat(16), unknownMember: [1] }));
    const [row] = await stream(server, '*');
    expect(row).toMatchObject({ 'a.b': '1.5' });
    expect(Object.keys(row!).filter((name) => /message|trace|span/.test(name))).toEqual([]);
  });

  it('produce the same events from protobuf and from JSON', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const { value: anyJson } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant({}),
        text.map((stringValue) => ({ stringValue })),
        fc.boolean().map((boolValue) => ({ boolValue })),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ intValue: String(value) })),
        fc.double().map((value) => ({ doubleValue: Number.isFinite(value) ? value : String(value) })),
        fc.uint8Array().map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
        fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
        fc
          .array(fc.record({ key: text, value: tie('value') }), { maxLength: 3 })
          .map((values) => ({ kvlistValue: { values } })),
      ),
    }));
    const attributes = fc.array(fc.record({ key: text, value: anyJson }), { maxLength: 4 });
    const time = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
    const id = (bytes: number) =>
      fc
        .uint8Array({ maxLength: bytes, minLength: bytes })
        .map((value) => Buffer.from(value).toString('hex'));
    const record = fc.record({
      timeUnixNano: time,
      observedTimeUnixNano: time,
      severityNumber: fc.nat(24),
      severityText: text,
      body: anyJson,
      attributes,
      flags: fc.nat(),
      traceId: id(16),
      spanId: id(8),
      eventName: text,
    });
    const request = fc.record({
      resourceLogs: fc.array(
        fc.record({
          resource: fc.record({ attributes }),
          scopeLogs: fc.array(
            fc.record({
              scope: fc.record({ name: text, version: text }),
              logRecords: fc.array(record, { maxLength: 3 }),
            }),
            { maxLength: 2 },
          ),
        }),
        { maxLength: 2 },
      ),
    });
    const eventsOf = async (body: Uint8Array | object): Promise<Row[]> => {
      const own = await startLocalServer({ now: NOW, port: 0 });
      try {
        const response = await fetch(`${own.url}/v1/logs`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${own.ingestToken}`,
            'content-type': body instanceof Uint8Array ? 'application/x-protobuf' : 'application/json',
          },
          body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
        });
        expect(response.status).toBe(200);
        const rows = await stream(own, '*', { start: 0, end: 8_000_000_000_000_000 });
        return rows.map(({ '@id': _, ...row }) => row);
      } finally {
        await own.close();
      }
    };
    await fc.assert(
      fc.asyncProperty(request, async (json) => {
        expect(await eventsOf(encode(json))).toEqual(await eventsOf(json));
      }),
      cases(15),
    );
  });
});

it('protobuf records with more than 50,000 fields are rejected in a response with status 200', async () => {
  const unknownFields = repeated(99, new Uint8Array(), 60_000);
  const response = await send(repeated(1, repeated(2, repeated(2, unknownFields, 2))));
  expect(response.status).toBe(200);
  const reader = new BinaryReader(new Uint8Array(await response.arrayBuffer()));
  reader.tag();
  expect(numberAndMessage(reader.bytes())).toEqual([2, 'A record has more than 50000 fields.']);
});

describe('OTLP endpoint', () => {
  const deep = (levels: number): Json =>
    levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [deep(levels - 1)] } };
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    key: `k${index}`,
    value: { boolValue: true },
  }));

  it.each([
    ['deeper than 200 levels', { ...RECORD, body: deep(250) }, 'A record is nested deeper than 200 levels.'],
    ['with more than 10,000 values', { ...RECORD, attributes: many }, 'A record has more than 10000 values.'],
    [
      'with more than 10,000 attributes without a value',
      { ...RECORD, attributes: many.map(({ key }) => ({ key })) },
      'A record has more than 10000 values.',
    ],
  ])('rejects only the records %s', async (_, record, reason) => {
    const json = requestOf(RECORD, record, RECORD, record);
    expect(await outcome(await send(json))).toEqual([
      200,
      'application/json',
      { partialSuccess: { rejectedLogRecords: '2', errorMessage: reason } },
    ]);
    const response = await send(encode(json));
    expect(response.status).toBe(200);
    const reader = new BinaryReader(new Uint8Array(await response.arrayBuffer()));
    expect(reader.tag()[0]).toBe(1);
    expect(numberAndMessage(reader.bytes())).toEqual([2, reason]);
    expect(await stream(server, 'count()')).toEqual([{ _count: '4' }]);
  });

  it('returns 400 for a resource with more than 10,000 values and stores nothing', async () => {
    const [resourceLogs] = (requestOf(RECORD) as { resourceLogs: object[] }).resourceLogs;
    const json = { resourceLogs: [{ ...resourceLogs, resource: { attributes: many } }] };
    const response = await send(json);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('more than 10000 values');
    expect(await stream(server, 'count()')).toEqual([{ _count: '0' }]);
  });

  it.each([
    ['a length beyond the end', [0x0a, 0x7f, 0x01]],
    ['a varint that never ends', Array(20).fill(0xff)],
    ['nested groups', Array(100_000).fill(0x1b)],
    ['spans', [0x0a, 6, 0x12, 4, 0x12, 2, 0x0a, 0]],
    ['an invalid wire type', [0x0f]],
  ])('returns 400 with a Status in protobuf for %s, and stores nothing', async (_, bytes) => {
    const response = await send(new Uint8Array(bytes));
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/x-protobuf']);
    const [code, text] = numberAndMessage(new Uint8Array(await response.arrayBuffer()));
    expect(code).toBe(3);
    expect(text).toContain('The body is not an ExportLogsServiceRequest in protobuf: ');
    expect(await stream(server, 'count()')).toEqual([{ _count: '0' }]);
  });

  it.each([
    ['{', ''],
    ['[]', 'The request must be an object (got an array).'],
    ['{"resourceSpans":[]}', 'The request has resourceSpans. This path accepts logs only (resourceLogs).'],
    ['{"resourceLogs":[7]}', 'resourceLogs[0] must be an object (got a number).'],
    [
      JSON.stringify(requestOf(RECORD, { timeUnixNano: 'now' })),
      'resourceLogs[0].scopeLogs[0].logRecords[1].timeUnixNano must be a 64-bit integer',
    ],
    [
      JSON.stringify(requestOf(RECORD, { attributes: [{ key: 'a', value: 'text' }] })),
      'logRecords[1].attributes[0].value must be an object (got a string).',
    ],
  ])('returns 400 with a Status in JSON for malformed JSON: %s', async (body, problem) => {
    const response = await send(body);
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(await response.json()).toEqual({ code: 3, message: expect.stringContaining(problem) });
    expect(await stream(server, 'count()')).toEqual([{ _count: '0' }]);
  });

  it('returns 415 for gRPC and for an unsupported content type', async () => {
    const grpc = { 'content-type': 'application/grpc-web+proto' };
    const overGrpc = await send({}, grpc);
    expect(overGrpc.status).toBe(415);
    expect(await overGrpc.text()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf');
    const response = await send('x', { 'content-type': 'text/plain' });
    expect(await outcome(response)).toMatchObject([415, 'application/json', { code: 3 }]);
  });

  it('returns 401 in the encoding of the request for a wrong token', async () => {
    const response = await send(new Uint8Array(), { authorization: 'Bearer wrong' });
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/x-protobuf']);
    expect(numberAndMessage(new Uint8Array(await response.arrayBuffer()))[0]).toBe(16);
  });

  it.each([
    ['many records', () => repeated(1, repeated(2, repeated(2, encodeRecord(RECORD), 2_000)))],
    ['many empty messages', () => repeated(1, new Uint8Array(), 10_000)],
  ])('keeps the server responsive during a request with %s', async (_, body) => {
    await using portless = await startLocalServer({ listen: false });
    const ingesting = async (): Promise<void> => {
      const response = await portless.fetch(`${portless.url}/v1/logs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${portless.ingestToken}`,
          'content-type': 'application/x-protobuf',
        },
        body: new Uint8Array(body()),
      });
      expect(response.status).toBe(200);
    };
    expect(await answeredDuring(ingesting, portless, 0.2)).toBeGreaterThan(10);
  });
});

function repeated(field: number, bytes: Uint8Array, times = 1): Uint8Array {
  return message((writer) => {
    for (let count = 0; count < times; count++) child(writer, field, bytes);
  });
}
