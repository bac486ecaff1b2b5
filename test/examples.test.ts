import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LogClient, LogIngestClient } from '../src/index.ts';
import { type LocalServer, startLocalServer } from '../src/local-server/index.ts';
import { runNode } from './helpers/run-node.ts';

const EXAMPLES = resolve(import.meta.dirname, '../examples');

describe('the examples', () => {
  let server: LocalServer;
  let client: LogClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await startLocalServer();
    client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    env = {
      LOGSCALE_URL: server.url,
      LOGSCALE_REPOSITORY: server.repository,
      LOGSCALE_TOKEN: server.userToken,
      LOGSCALE_INGEST_TOKEN: server.ingestToken,
    };
  });

  afterAll(() => server.close());

  const example = async (name: string): Promise<string> => {
    const { code, stdout, stderr } = await runNode(join(EXAMPLES, name), env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  it('are all run here', () => {
    const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
    const run = [
      'demo.mjs',
      'local-server.mjs',
      'pino.mjs',
      'print.mjs',
      'query.mjs',
      'serverless.mjs',
      'tail.mjs',
      'winston.mjs',
    ];
    expect(files.sort()).toEqual(run);
  });

  it('demo: shows two apps live, then a filter, a groupBy and a timeChart over exactly their 180 records', async () => {
    const output = await example('demo.mjs');
    const live = output.slice(output.indexOf('Live:'), output.indexOf('1. A filter'));
    expect(live.match(/slow request/g)).toHaveLength(4);
    expect(live.match(/request failed/g)).toHaveLength(4);
    expect(live.match(/card expires soon/g)).toHaveLength(5);
    expect(live.match(/invoice not sent/g)).toHaveLength(2);
    expect(output).toMatch(/billing +60 /);
    expect(output).toMatch(/shop +120 /);
    const chart = [...output.slice(output.indexOf('3. timeChart')).matchAll(/█* (\d+)$/gm)];
    expect(chart.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(180);
  });

  it('pino: delivers both records before it says so', async () => {
    expect(await example('pino.mjs')).toBe('delivered\n');
    const rows = await client.query(
      '#service=checkout | select([level, msg, #region, cart.total, err.message])',
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        { level: 'info', msg: 'order placed', '#region': 'eu', 'cart.total': '41.9' },
        { level: 'error', msg: 'payment failed', 'err.message': 'card declined' },
      ]),
    );
  });

  it('winston: delivers both records before it says so', async () => {
    expect(await example('winston.mjs')).toBe('delivered\n');
    const rows = await client.query('message=* | select([level, message, error.message])');
    expect(rows).toEqual(
      expect.arrayContaining([
        { level: 'info', message: 'order placed' },
        { level: 'error', message: 'payment failed', 'error.message': 'card declined' },
      ]),
    );
  });

  it('serverless: answers, and has delivered when the platform need not wait any more', async () => {
    expect(await example('serverless.mjs')).toBe('answered\nanswered\ndelivered: 2\n');
    const rows = await client.query('"thumbnail made" or "mail sent" | groupBy(#service)');
    expect(rows).toEqual(
      expect.arrayContaining([
        { '#service': 'mails', _count: '1' },
        { '#service': 'thumbnails', _count: '1' },
      ]),
    );
  });

  it('query: prints rows, the pages of a job and a stream', async () => {
    await client.ingestJsonData([
      {
        tags: { service: 'query' },
        events: [{ timestamp: Date.now(), attributes: { level: 'error' }, rawstring: 'it broke' }],
      },
    ]);
    const output = await example('query.mjs');
    expect(output).toContain('#service');
    expect(output).toMatch(/\d+ events, \d+ read/);
    expect(output).toMatch(/\d{13} it broke/);
  });

  it('local-server: ingests events and lines and groups them by host', async () => {
    const output = await example('local-server.mjs');
    expect(output).toContain("{ '#host': 'web-7', _count: '1' }");
    expect(output).toContain("{ '#host': 'web-8', _count: '2' }");
  });

  it('tail: prints what arrives and ends with code 0 on Ctrl-C', async () => {
    const child = spawn(process.execPath, [join(EXAMPLES, 'tail.mjs')], { env: { ...process.env, ...env } });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
    await vi.waitFor(
      async () => {
        await ingest.ingestJsonData([
          { events: [{ timestamp: Date.now(), attributes: { level: 'warn', msg: 'hot disk' } }] },
        ]);
        expect(output).toMatch(/warn hot disk/);
      },
      { timeout: 15_000, interval: 200 },
    );
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
