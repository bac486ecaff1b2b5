import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordExporter,
  type ReadableLogRecord,
} from '@opentelemetry/sdk-logs';
import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { ServerProcess } from '../helpers/server-process.ts';

const SUCCESS = 0;

it.each([
  ['protobuf', ProtobufExporter],
  ['JSON', JsonExporter],
])(
  'a server killed twice during an OTLP export in %s keeps every acknowledged record',
  async (_, Exporter) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'logclient-otlp-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    await using server = new ServerProcess(dataDir);
    const { url, repository, userToken, ingestToken } = await server.start();
    const acknowledged = new Set<number>();
    const exporter: LogRecordExporter = new Exporter({
      url: `${url}/v1/logs`,
      headers: { authorization: `Bearer ${ingestToken}` },
    });
    const recorder: LogRecordExporter = {
      export: (records: ReadableLogRecord[], onResult) =>
        exporter.export(records, (result) => {
          for (const { attributes } of records)
            if (result.code === SUCCESS) acknowledged.add(Number(attributes.n));
          onResult(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
    const provider = new LoggerProvider({
      processors: [new BatchLogRecordProcessor(recorder, { maxExportBatchSize: 20 })],
    });
    const logger = provider.getLogger('shop');
    const stop = new AbortController();
    let n = 0;
    const emitting = (async () => {
      while (!stop.signal.aborted) {
        for (let i = 0; i < 100; i++) logger.emit({ body: 'order', attributes: { n: n++ } });
        // Rejects while the server is down.
        await provider.forceFlush().catch(() => {});
        await setImmediate();
      }
    })();
    const expectMore = (): Promise<void> => {
      const before = acknowledged.size;
      return expect.poll(() => acknowledged.size).toBeGreaterThan(before + 300);
    };
    for (let kills = 0; kills < 2; kills++) {
      await expectMore();
      await server.kill();
      await server.start();
    }
    await expectMore();
    stop.abort();
    await emitting;
    const client = new LogClient({ baseUrl: url, repository, userToken });
    const rows = await client.query('groupBy(n, limit=max)');
    const stored = new Set(rows.map((row) => Number(row.n)));
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.size).toBeLessThan(n);
  },
);
