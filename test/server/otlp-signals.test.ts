import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { ingest, type Row, stream } from './query-calls.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  onTestFinished(() => server.close());
});

function destination(signal: string): { url: string; headers: Record<string, string> } {
  return {
    url: `${server.url}/api/v1/ingest/otlp/v1/${signal}`,
    headers: { authorization: `Bearer ${server.ingestToken}` },
  };
}

function send(signal: string, body: object | Uint8Array): Promise<Response> {
  const isBinary = body instanceof Uint8Array;
  const { url, headers } = destination(signal);
  return fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': isBinary ? 'application/x-protobuf' : 'application/json' },
    body: isBinary ? new Uint8Array(body) : JSON.stringify(body),
  });
}

/** Records two spans, and returns the ID of their trace. */
async function trace(exporter: SpanExporter): Promise<string> {
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  onTestFinished(() => provider.shutdown());
  const tracer = provider.getTracer('shop', '1.0');
  const parent = tracer.startSpan('GET /orders', { kind: 1, startTime: [1_800_000_000, 123_456_789] });
  parent.setAttributes({ 'http.route': '/orders', name: 'attribute' });
  parent.addEvent('cache miss', { key: 'o-1' }, [1_800_000_000, 200_000_000]);
  parent.setStatus({ code: 2, message: 'timed out' });
  parent.end([1_800_000_001, 0]);
  await provider.forceFlush();
  return parent.spanContext().traceId;
}

const SPAN_FIELDS = {
  '@timestamp': 1_800_000_000_123,
  '@timestamp.nanos': '456789',
  name: 'GET /orders',
  kind: '2',
  'http.route': '/orders',
  start_time_unix_nano: '1800000000123456789',
  end_time_unix_nano: '1800000001000000000',
  'status.code': '2',
  'status.message': 'timed out',
  'events[0].name': 'cache miss',
  'events[0].time_unix_nano': '1800000000200000000',
  'events[0].attributes.key': 'o-1',
  trace_flags: '01',
  'scope.name': 'shop',
  'scope.version': '1.0',
};
const ALL = { start: 0, end: 2_000_000_000_000 };

describe('OTLP traces', () => {
  it.each([
    ['protobuf', ProtobufTraceExporter],
    ['JSON', JsonTraceExporter],
  ])('are stored as one event per span, joined with logs by trace_id, in %s', async (_, Exporter) => {
    const traceId = await trace(new Exporter(destination('traces')));
    await ingest(server, [
      { timestamp: 1_800_000_000_500, attributes: { message: 'log', trace_id: traceId } },
    ]);
    const rows = await stream(server, `trace_id=${traceId}`, ALL);
    expect(rows).toMatchObject([{ ...SPAN_FIELDS, trace_id: traceId }, { message: 'log' }]);
    expect(rows[0]).not.toHaveProperty('parent_span_id');
  });

  it('without valid IDs are rejected one by one, with the number of rejected spans', async () => {
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const spans = [{ ...ids, name: 'kept' }, { name: 'lost' }, { ...ids, traceId: '0'.repeat(32) }];
    const response = await send('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedSpans: '2',
          errorMessage: 'A span has no valid trace ID or span ID.',
        },
      },
    ]);
    expect((await stream(server, '*')).map(({ name }) => name)).toEqual(['kept']);
    expect(server.inspect.rejections()).toMatchObject([{ count: 2, status: 200 }]);
  });

  it('over gRPC are rejected with the advice to use HTTP', async () => {
    const exporter = new GrpcTraceExporter({ url: server.url });
    onTestFinished(() => exporter.shutdown());
    const result = await new Promise((resolve) => exporter.export([], resolve));
    expect(result).toMatchObject({ error: { details: expect.stringContaining('http/protobuf') } });
  });
});

/** Records one measurement of each kind of metric. */
async function measure(Exporter: typeof JsonMetricExporter | typeof ProtobufMetricExporter): Promise<Row[]> {
  const exporter = new Exporter(destination('metrics'));
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({
    readers: [reader],
    views: [
      { instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } },
      {
        instrumentName: 'latency',
        aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: [0, 5, 10] } },
      },
    ],
  });
  const meter = provider.getMeter('shop', '1.0');
  meter.createCounter('orders', { unit: '{order}', description: 'Orders.' }).add(3, { shop: 'a' });
  meter.createUpDownCounter('depth').add(-2);
  meter.createGauge('load').record(0.5);
  for (const ms of [0, 3, 7, 7, 100]) meter.createHistogram('latency', { unit: 'ms' }).record(ms);
  for (const bytes of [0, 1, 2, 1000]) meter.createHistogram('sizes').record(bytes);
  await provider.forceFlush();
  const rows = await stream(server, 'scope.name=shop', { start: '1h' });
  // It exports again, and retries for seconds if the server is closed.
  await provider.shutdown();
  return rows;
}

/** The fields of a row that are the same in every run. */
function comparable(rows: readonly Row[]): Row[] {
  const own = /^(?:@|#|start_time|time_unix|resource\.)/;
  const fields = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !own.test(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return rows.map(fields).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

describe('OTLP metrics', () => {
  it('are stored as one event per data point, with the same fields from protobuf and JSON', async () => {
    const fromProtobuf = comparable(await measure(ProtobufMetricExporter));
    await server.close();
    server = await startLocalServer();
    onTestFinished(() => server.close());
    expect(comparable(await measure(JsonMetricExporter))).toEqual(fromProtobuf);
    const [depth, latency, load, orders, sizes] = fromProtobuf;
    const all = { aggregation_temporality: '2', 'scope.name': 'shop', 'scope.version': '1.0' };
    expect(depth).toMatchObject({ ...all, type: 'sum', is_monotonic: 'false' });
    expect(orders).toMatchObject({
      ...all,
      name: 'orders',
      type: 'sum',
      unit: '{order}',
      description: 'Orders.',
      is_monotonic: 'true',
      shop: 'a',
    });
    expect(Number(orders!.as_double ?? orders!.as_int)).toBe(3);
    expect(Number(depth!.as_double ?? depth!.as_int)).toBe(-2);
    expect(load).toMatchObject({ type: 'gauge', as_double: '0.5' });
    expect(latency).toMatchObject({
      ...all,
      type: 'histogram',
      count: '5',
      sum: '117',
      min: '0',
      max: '100',
      'explicit_bounds[2]': '10',
      'bucket_counts[0]': '1',
      'bucket_counts[2]': '2',
      'bucket_counts[3]': '1',
    });
    expect(sizes).toMatchObject({ ...all, type: 'exponential_histogram', count: '4', zero_count: '1' });
    expect(sizes).toHaveProperty('positive.bucket_counts[0]');
  });

  it('of the type summary have quantiles', async () => {
    const quantileValues = [{ quantile: 0.5, value: 7 }, { quantile: 0 }];
    const dataPoints = [
      { timeUnixNano: String(BigInt(Date.now()) * 1_000_000n), count: '3', quantileValues },
    ];
    const metrics = [{ name: 'old', summary: { dataPoints } }];
    const response = await send('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(await stream(server, '*')).toMatchObject([
      {
        name: 'old',
        type: 'summary',
        count: '3',
        sum: '0',
        'quantile_values[0].quantile': '0.5',
        'quantile_values[0].value': '7',
        'quantile_values[1].value': '0',
      },
    ]);
  });
});

it.each([
  [
    'logs',
    { resourceSpans: [] },
    'The request has resourceSpans. This path accepts logs only (resourceLogs). Send it to /v1/traces.',
  ],
  [
    'traces',
    { resourceLogs: [] },
    'The request has resourceLogs. This path accepts traces only (resourceSpans). Send it to /v1/logs.',
  ],
  [
    'metrics',
    { resourceSpans: [] },
    'The request has resourceSpans. This path accepts metrics only (resourceMetrics). Send it to /v1/traces.',
  ],
  [
    'traces',
    { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 1 }] }] }] },
    'traceId must be a string (got a number).',
  ],
  [
    'metrics',
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ sum: { dataPoints: [{ asInt: 'x' }] } }] }] }] },
    'asInt must be a 64-bit integer',
  ],
  [
    'metrics',
    new Uint8Array([10, 4, 18, 2, 9, 9]),
    'The body is not an ExportMetricsServiceRequest in protobuf',
  ],
])('OTLP %s that are malformed return 400 and store nothing', async (signal, body, problem) => {
  const response = await send(signal, body);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(problem);
  expect(server.inspect.store().events).toBe(0);
});
