import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { stream } from './query-calls.ts';

const RECORDS = 1000;
const HALF = RECORDS / 2;
const INGEST_TOKEN = 'token-of-the-exporter';

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-otlp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function expectAll(server: LocalServer): Promise<void> {
  const query = 'n=* | groupBy(n, limit=max) | count()';
  await expect.poll(() => stream(server, query)).toEqual([{ _count: String(RECORDS) }]);
  expect(await stream(server, 'count()')).toEqual([{ _count: String(RECORDS) }]);
}

/** Logs and returns when the exporter has sent everything. */
async function emit(
  server: LocalServer,
  Exporter: typeof ProtobufExporter | typeof JsonExporter,
  from: number,
  to: number,
): Promise<void> {
  const exporter: LogRecordExporter = new Exporter({
    url: `${server.url}/api/v1/ingest/otlp/v1/logs`,
    headers: { authorization: `Bearer ${INGEST_TOKEN}` },
  });
  const provider = new LoggerProvider({
    processors: [new BatchLogRecordProcessor(exporter, { maxExportBatchSize: 100 })],
  });
  const logger = provider.getLogger('shop', '1.0');
  for (let n = from; n < to; n++) {
    logger.emit({ severityNumber: 9, severityText: 'INFO', body: `order ${n}`, attributes: { n } });
  }
  await provider.shutdown();
}

it.each([
  ['protobuf', ProtobufExporter],
  ['JSON', JsonExporter],
])(
  'the OpenTelemetry exporter for %s delivers 1,000 of 1,000 records, 500 before and 500 after a restart',
  async (_, Exporter) => {
    const options = { dataDir: await dataDir(), ingestToken: INGEST_TOKEN, userToken: 'user' };
    let server = await startLocalServer(options);
    onTestFinished(() => server.close());
    await emit(server, Exporter, 0, HALF);
    await server.close();
    server = await startLocalServer({ ...options, port: Number(new URL(server.url).port) });
    expect(await stream(server, 'count()')).toEqual([{ _count: String(HALF) }]);
    await emit(server, Exporter, HALF, RECORDS);
    await expectAll(server);
    expect(await stream(server, 'n=999')).toMatchObject([
      { message: 'order 999', severity_text: 'INFO', severity_number: '9', 'scope.name': 'shop' },
    ]);
  },
);

it('pino-opentelemetry-transport delivers 1,000 of 1,000 records', async () => {
  const server = await startLocalServer({ ingestToken: INGEST_TOKEN });
  onTestFinished(() => server.close());
  const transport = pino.transport({
    target: 'pino-opentelemetry-transport',
    options: {
      loggerName: 'shop',
      serviceVersion: '1.0',
      resourceAttributes: { 'service.name': 'shop' },
      logRecordProcessorOptions: {
        recordProcessorType: 'batch',
        exporterOptions: {
          protocol: 'http/protobuf',
          protobufExporterOptions: {
            url: `${server.url}/v1/logs`,
            headers: { authorization: `Bearer ${INGEST_TOKEN}` },
          },
        },
      },
    },
  });
  const logger = pino(transport);
  for (let n = 0; n < RECORDS; n++) logger.info({ n }, `order ${n}`);
  await expectAll(server);
  // This blocks the thread until the worker has closed, so the server could not accept records meanwhile.
  transport.end();
  expect(await stream(server, 'n=999')).toMatchObject([
    { message: 'order 999', severity_text: 'info', 'resource.service.name': 'shop' },
  ]);
});
