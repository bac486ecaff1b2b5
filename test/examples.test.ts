import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient, LogIngestClient } from '../src/index.ts';
import { type LocalServer, startLocalServer } from '../src/server/index.ts';
import { eventually } from './helpers/eventually.ts';
import { runNode } from './helpers/run-node.ts';

const EXAMPLES = resolve(import.meta.dirname, '../examples');

describe('Examples', () => {
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

  it('are all listed in this test', () => {
    const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
    const run = [
      'demo.mjs',
      'local-server.mjs',
      'pino.mjs',
      'print.mjs',
      'query.mjs',
      'server-sent-events.mjs',
      'serverless.mjs',
      'tail-to-emitter.mjs',
      'tail-to-pino.mjs',
      'tail-to-winston.mjs',
      'tail.mjs',
      'winston.mjs',
    ];
    expect(files.sort()).toEqual(run);
  });

  it('demo.mjs tails two apps, then runs a filter, groupBy() and timeChart() on their 180 records', async () => {
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

  it('pino.mjs delivers both records before it prints "delivered"', async () => {
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

  it('winston.mjs delivers both records before it prints "delivered"', async () => {
    expect(await example('winston.mjs')).toBe('delivered\n');
    const rows = await client.query('message=* | select([level, message, error.message])');
    expect(rows).toEqual(
      expect.arrayContaining([
        { level: 'info', message: 'order placed' },
        { level: 'error', message: 'payment failed', 'error.message': 'card declined' },
      ]),
    );
  });

  it('serverless.mjs responds twice and delivers both records before it ends', async () => {
    expect(await example('serverless.mjs')).toBe('answered\nanswered\ndelivered: 2\n');
    const rows = await client.query('"thumbnail made" or "mail sent" | groupBy(#service)');
    expect(rows).toEqual(
      expect.arrayContaining([
        { '#service': 'mails', _count: '1' },
        { '#service': 'thumbnails', _count: '1' },
      ]),
    );
  });

  it('query.mjs prints rows, the pages of a query job and a stream', async () => {
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

  it('local-server.mjs ingests events and lines and groups them by host', async () => {
    const output = await example('local-server.mjs');
    expect(output).toContain("{ '#host': 'web-7', _count: '1' }");
    expect(output).toContain("{ '#host': 'web-8', _count: '2' }");
  });

  /** Starts an example that follows the log, and logs until it prints the expected text. */
  const live = async (name: string, expected: RegExp): Promise<string> => {
    const { child, output } = start(name);
    await logUntil(() => expect(output()).toMatch(expected));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    return output();
  };

  const start = (name: string, more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [join(EXAMPLES, name)], {
      env: { ...process.env, ...env, ...more },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    return { child, output: () => output };
  };

  const logUntil = (isDone: () => void): Promise<void> => {
    const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
    const attributes = { level: 'warn', msg: 'hot disk' };
    return eventually(async () => {
      await ingest.ingestJsonData([
        { tags: { service: 'disks' }, events: [{ timestamp: Date.now(), attributes }] },
      ]);
      isDone();
    });
  };

  it('tail.mjs prints new events and exits with 0 on Ctrl-C', () => live('tail.mjs', /warn hot disk/));

  it('tail-to-pino.mjs logs new events at their own level', async () => {
    const output = await live('tail-to-pino.mjs', /hot disk.*\n/);
    const records = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toContainEqual(expect.objectContaining({ level: 40, service: 'disks', msg: 'hot disk' }));
  });

  it('tail-to-winston.mjs logs new events at their own level', async () => {
    const output = await live('tail-to-winston.mjs', /hot disk.*\n/);
    const records = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toContainEqual(
      expect.objectContaining({ level: 'warn', service: 'disks', message: 'hot disk' }),
    );
  });

  it('tail-to-emitter.mjs emits new events, and an end on Ctrl-C', async () => {
    expect(await live('tail-to-emitter.mjs', /^warning: hot disk$/m)).toMatch(/\nend\n$/);
  });

  it('server-sent-events.mjs serves a page, and the events of one service as they arrive', async () => {
    const { child, output } = start('server-sent-events.mjs', { PORT: '0' });
    const address = await eventually(() => /http:\S+/.exec(output())?.[0] ?? expect.fail());
    expect(await (await fetch(address)).text()).toContain("new EventSource('/events' + location.search)");
    const stop = new AbortController();
    const follow = async (service: string): Promise<() => string> => {
      const { headers, body } = await fetch(`${address}events?service=${service}`, { signal: stop.signal });
      expect(headers.get('content-type')).toBe('text/event-stream');
      let text = '';
      const read = async (): Promise<void> => {
        for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk;
      };
      read().catch(() => {});
      return () => text;
    };
    const disks = await follow('disks');
    const others = await follow('x%22%20or%20%22');
    await logUntil(() => expect(disks()).toMatch(/^id: \d{13}\ndata: \{.*"msg":"hot disk".*\}\n\n/m));
    expect(others()).toBe(': hello\n\n');
    stop.abort();
    await eventually(() => expect(server.inspect.store().liveStreams).toBe(0));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toBe(`${address}\n`);
  });
});
