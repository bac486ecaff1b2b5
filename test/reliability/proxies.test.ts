import { describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { closedPort } from '../helpers/closed-port.ts';
import { type ProxyOptions, startProxy, type TestProxy } from '../helpers/http-proxy.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';
import { CA, CA_FILE } from '../helpers/tls.ts';

const PASSWORD = 'hunter2-hunter2';
const CREDENTIALS = `shop:${PASSWORD}`;
const URLS = ['https://logscale.test', 'http://logscale.test'];

interface Network {
  readonly url: string;
  readonly sink: IngestSink;
  readonly proxy: TestProxy;
}

/** A service that only the proxy can reach. */
async function startNetwork(url: string, options: Partial<ProxyOptions> = {}): Promise<Network> {
  const sink = await IngestSink.open({ isSecure: url.startsWith('https:') });
  onTestFinished(() => sink.close());
  const proxy = await startProxy({ port: sink.port, credentials: CREDENTIALS, ...options });
  return { url, sink, proxy };
}

interface Program {
  readonly logging: string;
  readonly ending: string;
  readonly more: object;
  readonly count?: number;
  readonly env?: Record<string, string>;
}

async function logAndEnd(url: string, { env, ...program }: Program): Promise<NodeRun> {
  const settings = { url, count: 3, ...program };
  const result = await runNode('test/fixtures/log-and-end.mjs', {
    ...env,
    SETTINGS: JSON.stringify(settings),
  });
  expect(result.stdout + result.stderr).not.toContain(PASSWORD);
  return result;
}

/** Adds ten records and calls `process.exit()`. */
async function exitWithRecords(url: string, more: object): Promise<NodeRun> {
  const env = { HOW: 'plain', SINK_URL: url, MORE_OPTIONS: JSON.stringify(more), CLOSE_TIMEOUT_MS: '5000' };
  const result = await runNode('test/fixtures/exit-with-records.mjs', env);
  expect(result.code).toBe(3);
  expect(result.stdout + result.stderr).not.toContain(PASSWORD);
  return result;
}

const LOGGINGS = [
  'pino.transport',
  'createPinoTransport',
  'createPinoStream',
  'winston worker',
  'winston in-process',
].flatMap((logging) => ['natural', 'exit'].map((ending) => ({ logging, ending })));

describe.each(LOGGINGS)('Delivery through a proxy: $logging, process end: $ending', ({ logging, ending }) => {
  it.each(URLS)('uses the proxy in the options for %s', async (address) => {
    const { url, sink, proxy } = await startNetwork(address);
    const more = { proxy: proxy.url, ca: [CA], clientName: 'shop/1.4.2' };
    const { stderr } = await logAndEnd(url, { logging, ending, more });
    expect(stderr).toBe('');
    expect(sink.events).toHaveLength(3);
    expect(new Set(sink.requests.map(({ headers }) => headers['user-agent']))).toEqual(
      new Set([`shop/1.4.2 logclient/${version}`]),
    );
    expect(proxy.requests).not.toEqual([]);
  });

  it('uses the proxy in HTTPS_PROXY, except for a loopback address', async () => {
    const { url, sink, proxy } = await startNetwork('https://logscale.test');
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: CA_FILE };
    expect((await logAndEnd(url, { logging, ending, more: {}, env })).stderr).toBe('');
    expect(sink.events).toHaveLength(3);
    const throughProxy = proxy.requests.length;
    expect(throughProxy).toBeGreaterThan(0);
    expect((await logAndEnd(sink.url, { logging, ending, more: {}, env })).stderr).toBe('');
    expect(sink.events).toHaveLength(6);
    expect(proxy.requests).toHaveLength(throughProxy);
  });
});

describe('process.exit()', () => {
  it.each(URLS)('delivers all batches through a proxy to %s', async (address) => {
    const { url, sink, proxy } = await startNetwork(address);
    const more = { proxy: proxy.url, ca: CA, maxBatchRecords: 5, closeTimeoutMs: 9_000 };
    expect((await exitWithRecords(url, more)).stderr).toBe('');
    expect(sink.events).toHaveLength(10);
    expect(sink.requests.length).toBeGreaterThan(1);
    const tunnels = proxy.requests.filter((request) => request === 'CONNECT logscale.test:443');
    expect(tunnels).toHaveLength(address.startsWith('https:') ? 1 : 0);
  });

  it.each(URLS)('names the option whose credentials the proxy rejects: %s', async (address) => {
    const { url, sink, proxy } = await startNetwork(address);
    const wrong = proxy.url.replace('shop:', 'not-shop:');
    const { stderr } = await exitWithRecords(url, { proxy: wrong, ca: CA });
    expect(stderr).toMatch(
      /requires authentication \(status 407\)\. Check the user name and password in "proxy"\./,
    );
    expect(sink.events).toEqual([]);
  });

  it.each(URLS)('names the option whose proxy is unreachable: %s', async (address) => {
    const proxy = `http://${CREDENTIALS}@127.0.0.1:${await closedPort()}`;
    const { stderr } = await exitWithRecords(address, { proxy });
    expect(stderr).toMatch(/The connection to the proxy [\d.:]+ failed \(ECONNREFUSED\)\. Check "proxy"\./);
  });

  it('names the option "ca" if the service\'s certificate is not trusted', async () => {
    const { url, proxy } = await startNetwork('https://logscale.test');
    const { stderr } = await exitWithRecords(url, { proxy: proxy.url });
    expect(stderr).toMatch(/The TLS connection to logscale\.test failed .* pass the CA in "ca"/);
  });
});

it.each(LOGGINGS)(
  'a proxy that never responds does not keep the process alive: $logging, process end: $ending',
  async ({ logging, ending }) => {
    const { url, proxy } = await startNetwork('https://logscale.test', { connectStatus: 'never' });
    const more = {
      proxy: proxy.url,
      ca: CA,
      closeTimeoutMs: 500,
      flushIntervalMs: 0,
      requestTimeoutMs: 600_000,
    };
    const { stderr } = await logAndEnd(url, { logging, ending, more });
    expect(stderr).toMatch(/3 records were dropped/);
  },
);

it('an ingester reuses its connections to the proxy', async () => {
  const { url, sink, proxy } = await startNetwork('https://logscale.test');
  const more = { proxy: proxy.url, ca: CA, maxBatchRecords: 1 };
  const { stderr } = await logAndEnd(url, {
    logging: 'createPinoStream',
    ending: 'natural',
    count: 20,
    more,
  });
  expect(stderr).toBe('');
  expect(sink.requests).toHaveLength(20);
  // The next request can start before the last response is read completely.
  expect(proxy.requests.length).toBeLessThanOrEqual(2);
});
