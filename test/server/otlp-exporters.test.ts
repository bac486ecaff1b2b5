import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import pino from 'pino';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { stream } from './query-calls.ts';

const RECORDS = 1000;
const HALF = RECORDS / 2;
const INGEST_TOKEN = 'token-of-the-exporter';
const HEADERS = { authorization: `Bearer ${INGEST_TOKEN}` };

let server: LocalServer;
let restart: () => Promise<void>;
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'logclient-otlp-'));
  const port = await closedPort();
  const options = { dataDir, port, ingestToken: INGEST_TOKEN, userToken: 'user' };
  server = await startLocalServer(options);
  restart = async () => {
    await server.close();
    server = await startLocalServer(options);
  };
  onTestFinished(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

async function expectRecords(count: number): Promise<void> {
  await expect.poll(() => stream(server, 'count()')).toEqual([{ _count: String(count) }]);
  expect(await stream(server, 'count(n, distinct=true)')).toEqual([{ _count: String(count) }]);
}

describe('OTLP exporter while the server restarts', () => {
  it.each([
    ['protobuf', ProtobufExporter],
    ['JSON', JsonExporter],
  ])('delivers 1,000 of 1,000 records in %s', async (_, Exporter) => {
    const exporter = new Exporter({ url: `${server.url}/api/v1/ingest/otlp/v1/logs`, headers: HEADERS });
    const provider = new LoggerProvider({
      processors: [new BatchLogRecordProcessor({ exporter, maxExportBatchSize: 100 })],
    });
    onTestFinished(() => provider.shutdown());
    const logger = provider.getLogger('shop', '1.0');
    const emit = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n++) {
        logger.emit({ severityNumber: 9, severityText: 'INFO', body: `order ${n}`, attributes: { n } });
      }
      await provider.forceFlush();
    };
    await emit(0, HALF);
    await restart();
    await emit(HALF, RECORDS);
    await expectRecords(RECORDS);
    expect(await stream(server, 'n=999')).toMatchObject([
      { message: 'order 999', severity_text: 'INFO', severity_number: '9', 'scope.name': 'shop' },
    ]);
  });

  it('delivers 1,000 of 1,000 records from the worker of pino-opentelemetry-transport', async () => {
    vi.stubEnv('OTEL_BLRP_SCHEDULE_DELAY', '10');
    onTestFinished(() => void vi.unstubAllEnvs());
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
            protobufExporterOptions: { url: `${server.url}/v1/logs`, headers: HEADERS },
          },
        },
      },
    });
    const logger = pino(transport);
    for (let n = 0; n < HALF; n++) logger.info({ n }, `order ${n}`);
    await expectRecords(HALF);
    await restart();
    for (let n = HALF; n < RECORDS; n++) logger.info({ n }, `order ${n}`);
    await expectRecords(RECORDS);
    // This blocks the thread until the worker has closed, so the server can't accept records.
    transport.end();
    expect(await stream(server, 'n=999')).toMatchObject([
      { message: 'order 999', severity_text: 'info', 'resource.service.name': 'shop' },
    ]);
  });
});
