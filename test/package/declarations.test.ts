import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DIST = 'dist';

/** The declarations of an entry, with the chunks that it imports. */
function declarationsOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(join(DIST, file), 'utf8');
  const imported = [...text.matchAll(/from "\.\/([^"]+)\.js"/g)].map(([, name]) => `${name}.d.ts`);
  return text + imported.map((name) => declarationsOf(name, seen)).join('');
}

it.each(
  ['index', 'pino', 'winston', 'loglayer', 'console', 'ingest-handler', 'next'].map(
    (entry) => `${entry}.d.ts`,
  ),
)('%s exposes no internal types of the delivery core', (file) => {
  expect(readdirSync(DIST)).toContain(file);
  const regions = [...declarationsOf(file).matchAll(/^\/\/#region (\S+)/gm)].map(([, name]) => name);
  const published =
    /\/(options|hec-options|ingester|spool-options|ingest-event|tags|process-signals|encoded-batch|event-transport-options|redact-options)\.d\.ts$/;
  const internal = regions.filter(
    (name) => /src\/ingest\/|transports\/kit\//.test(name!) && !published.test(name!),
  );
  expect(internal.filter((name) => !name!.includes('/report/'))).toEqual([]);
  expect(declarationsOf(file)).not.toMatch(
    /IngestPipeline|LineStream|Backpressure|DeliveryEmitter|LineDelivery|EventDelivery/,
  );
});
