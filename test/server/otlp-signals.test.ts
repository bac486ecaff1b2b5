import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';

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

async function exportSpans(exporter: SpanExporter): Promise<void> {
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  onTestFinished(() => provider.shutdown());
  for (const name of ['GET /orders', 'GET /items']) provider.getTracer('shop').startSpan(name).end();
  await provider.forceFlush();
}

async function exportMetrics(exporter: JsonMetricExporter | ProtobufMetricExporter): Promise<void> {
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => provider.shutdown());
  const meter = provider.getMeter('shop');
  for (const route of ['/orders', '/items']) meter.createCounter('requests').add(1, { route });
  meter.createHistogram('latency').record(7);
  await provider.forceFlush();
}

const NO_SPANS = 'The local server stores logs, but no spans. Set OTEL_TRACES_EXPORTER=none.';
const NO_METRICS = 'The local server stores logs, but no metrics. Set OTEL_METRICS_EXPORTER=none.';

describe('OpenTelemetry exporters', () => {
  it.each([
    ['spans in JSON', () => exportSpans(new JsonTraceExporter(destination('traces'))), NO_SPANS, 2],
    ['spans in protobuf', () => exportSpans(new ProtobufTraceExporter(destination('traces'))), NO_SPANS, 2],
    ['metrics in JSON', () => exportMetrics(new JsonMetricExporter(destination('metrics'))), NO_METRICS, 3],
    [
      'metrics in protobuf',
      () => exportMetrics(new ProtobufMetricExporter(destination('metrics'))),
      NO_METRICS,
      3,
    ],
  ])('that send %s get a partial success, and nothing is stored', async (_, run, reason, count) => {
    await run();
    const rejections = server.inspect.rejections();
    expect(rejections.reduce((sum, rejection) => sum + rejection.count, 0)).toBe(count);
    for (const rejection of rejections) expect(rejection).toMatchObject({ status: 200, reason });
    expect(server.inspect.store().events).toBe(0);
  });

  it('that send spans over gRPC get the advice to use HTTP', async () => {
    const exporter = new GrpcTraceExporter({ url: server.url });
    onTestFinished(() => exporter.shutdown());
    const result = await new Promise((resolve) => exporter.export([], resolve));
    expect(result).toMatchObject({ error: { details: expect.stringContaining('http/protobuf') } });
  });
});

it('A request with spans gets the number of spans and what to set', async () => {
  const spans = [{ name: 'one' }, { name: 'two' }];
  const response = await send('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }, null, 5] });
  expect([response.status, await response.json()]).toEqual([
    200,
    { partialSuccess: { rejectedSpans: '2', errorMessage: NO_SPANS } },
  ]);
  const nothing = await send('metrics', {});
  expect([nothing.status, await nothing.json()]).toEqual([200, {}]);
});

it.each([
  [
    'logs',
    { resourceSpans: [] },
    'The request has resourceSpans. This path accepts logs only (resourceLogs). Send it to /v1/traces.',
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
