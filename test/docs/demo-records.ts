import type { LogClient, StructuredEvent } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';

/** Milliseconds between two records of an app, as in `examples/apps`. */
const APPS = { shop: 20, billing: 40 } as const;

/**
 * Runs the demo's apps and ships a copy of their records with fixed times, without values that differ between machines.
 */
export async function shipDemoRecords(client: LogClient, startMs: number): Promise<void> {
  await using server = await startLocalServer();
  const env = { LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: server.ingestToken };
  const apps = Object.keys(APPS) as (keyof typeof APPS)[];
  const runs = await Promise.all(apps.map((app) => runNode(`examples/apps/${app}.mjs`, env)));
  for (const { code, stderr } of runs) if (code !== 0) throw new Error(stderr);
  const records = server.inspect.events();
  for (const app of apps) {
    const own = records.filter((record) => record['#service'] === app);
    const events = own.map((record, i) => ({
      timestamp: startMs + i * APPS[app],
      attributes: portable(JSON.parse(record['@rawstring']!)),
    }));
    await client.ingestJsonData([{ tags: { service: app }, events }]);
  }
}

function portable({ pid, hostname, ...record }: Record<string, unknown>): StructuredEvent['attributes'] {
  return JSON.parse(JSON.stringify(record, (name, value) => (name === 'stack' ? undefined : value)));
}
