import type { StructuredEvent, StructuredEventGroup } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, type CliRun, runCommand } from '../../helpers/cli-run.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);
const SLOT_MS = 300_000;
/** Number of intervals in a day. */
const SLOTS = 288;

/** The pictures in the docs and in tests of terminal output: a file name and a command. */
export const VIEWS = [
  ['events', ['query', '-n', '12']],
  ['pretty', ['query', 'level=error #service=billing', '-n', '1', '-o', 'pretty']],
  ['table', ['query', 'groupBy(#service, function=[count(), avg(ms), max(ms)])']],
  ['chart', ['query', 'timeChart(level)']],
] as const;

/** A server with one day of logs of three services, the same in every run. */
export async function startWithLogs(): Promise<LocalServer> {
  const server = await startLocalServer({ now: NOW });
  const { url, ingestToken } = server;
  const body = JSON.stringify(batches());
  const headers = { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/ingest/humio-structured`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
  return server;
}

/** Runs the command of a view on a terminal. The duration in its last line is replaced. */
export async function runView(
  words: readonly string[],
  { server, columns, env }: { server: LocalServer; columns: number; env: Readonly<Record<string, string>> },
): Promise<CliRun> {
  const run = await runCommand([...words, '--timezone', 'UTC'], {
    env: { ...accessTo(server), ...env },
    terminal: columns,
  });
  return { ...run, stderr: run.stderr.replace(/\d+\.\d s\b/, '0.1 s') };
}

function batches(): StructuredEventGroup[] {
  const events: Record<string, StructuredEvent[]> = { web: [], cart: [], billing: [] };
  for (let slot = 0, n = 0; slot < SLOTS; slot++) {
    // More during the day than at night.
    const wave = 3 - 2.4 * Math.cos((2 * Math.PI * slot) / SLOTS - 1);
    for (let rest = wave + (noiseOf(slot) % 3); rest > 0; rest--, n++) {
      const service = ['web', 'web', 'web', 'cart', 'cart', 'billing'][noiseOf(n * 31) % 6]!;
      const isBurst = slot > SLOTS * 0.7 && slot < SLOTS * 0.74;
      const timestamp = NOW - (SLOTS - slot) * SLOT_MS + (noiseOf(n) * SLOT_MS) / 997;
      events[service]!.push({ timestamp: Math.round(timestamp), attributes: recordOf(service, n, isBurst) });
    }
  }
  return Object.entries(events).map(([service, own]) => ({ tags: { service }, events: own }));
}

/** A pseudorandom number below 997. */
function noiseOf(n: number): number {
  return ((n + 1) * 7_919 + n * n * 104_729) % 997;
}

function recordOf(service: string, n: number, isBurst: boolean): StructuredEvent['attributes'] {
  const noise = noiseOf(n * 17);
  const level = noise < (isBurst ? 650 : 25) ? 'error' : noise < 100 ? 'warn' : 'info';
  const ms = 12 + (noise % 61) * (level === 'info' ? 1 : 9) + (service === 'billing' ? 140 : 0);
  return { level, ...contentOf(service, level, n), ms };
}

function contentOf(service: string, level: string, n: number): StructuredEvent['attributes'] {
  const requestId = `r-${(n * 2654435761) % 10_000}`;
  if (service === 'web') {
    const status = level === 'info' ? 200 : level === 'warn' ? 404 : 502;
    return { msg: 'request completed', method: 'GET', url: `/products/${n % 40}`, status, requestId };
  }
  if (service === 'cart') {
    const msg = level === 'info' ? 'order placed' : level === 'warn' ? 'stock is low' : 'order rejected';
    return { msg, requestId, cart: { items: 1 + (n % 5), currency: 'EUR' } };
  }
  if (level !== 'error') return { msg: level === 'info' ? 'invoice sent' : 'payment is slow', requestId };
  const stack = [
    'Error: card declined',
    '    at charge (/app/src/payments.js:41:11)',
    '    at async pay (/app/src/checkout.js:17:20)',
    '    at async next (/app/node_modules/express/lib/router/route.js:149:13)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ].join('\n');
  return {
    msg: 'payment failed',
    requestId,
    invoice: { id: `inv-${n}`, lines: [{ sku: 'tea', count: 2 }] },
    err: { type: 'Error', message: 'card declined', code: 'E_DECLINED', stack },
  };
}
