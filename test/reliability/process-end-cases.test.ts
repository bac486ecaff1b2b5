import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const failsOnce: IngestSink['answer'] = (_, index) => (index === 0 ? { status: 503 } : {});
const hangs: IngestSink['answer'] = () => ({ hang: true });

/** Runs a fixture against a service. */
async function run(fixture: string, env: Record<string, string>, answer: IngestSink['answer'] = () => ({})) {
  const sink = await IngestSink.open();
  sink.answer = answer;
  const start = Date.now();
  try {
    const result = await runNode(`test/fixtures/${fixture}.mjs`, { SINK_URL: sink.url, ...env });
    const lines = result.stdout.split('\n').filter((line) => line !== '');
    const printed = lines.map((line) => JSON.parse(line));
    return { ...result, printed, sink, tookMs: Date.now() - start };
  } finally {
    await sink.close();
  }
}

/** Drops records early that can't be delivered. */
const SOON = { CLOSE_TIMEOUT_MS: '500' };

const DELIVERED = { accepted: 10, delivered: 10, queuedRecords: 0, inFlightRecords: 0 };
const CLOSED = { accepted: 10, delivered: 0, dropped: { overflow: 0, rejected: 0, closed: 10 } };

it.concurrent.each(['plain', 'closing', 'environment', 'user token', 'thread'])(
  'process.exit() delivers the records of an ingester and keeps its counters exact: %s',
  async (how) => {
    const { code, stderr, printed, sink } = await run('exit-with-records', { HOW: how }, failsOnce);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // `close()` has sent a request itself, whose outcome is unknown.
    const batches = sink.requests.length - 1;
    if (how !== 'closing') expect(printed).toMatchObject([{ ...DELIVERED, batches, retried: 1 }]);
  },
);

it.concurrent.each(['fetch', 'global dispatcher'])(
  'process.exit() reports what is lost and how to prevent it if a worker cannot use a custom %s',
  async (how) => {
    const { code, stderr, printed, sink } = await run('exit-with-records', { HOW: how });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^logclient: 10 records were dropped: .* Wait for flush\(\) or close\(\) .*\n$/);
    expect(printed).toMatchObject([CLOSED]);
    expect(sink.requests).toEqual([]);
  },
);

it.concurrent('process.exit() passes losses to the hooks and prints nothing on stderr', async ({
  expect,
}) => {
  const { code, stderr, printed } = await run('exit-with-records', { HOW: 'hooks', ...SOON }, hangs);
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  expect(printed).toMatchObject([{ kind: 'closed' }, { reason: 'closed', records: 10, events: 10 }, CLOSED]);
});

it.concurrent('process.exit() delivers a batch once if the body of the response never arrives', async ({
  expect,
}) => {
  const status = { body: JSON.stringify({ status: 'OK', version: '1.228.0' }) };
  const { code, stderr, printed, sink } = await run('exit-with-records', { HOW: 'plain' }, ({ path }) =>
    path.endsWith('/status') ? status : { bodyDelayMs: 300_000 },
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  expect(sink.requests.filter(({ path }) => !path.endsWith('/status'))).toHaveLength(1);
  expect(printed).toMatchObject([{ ...DELIVERED, batches: 1, retried: 0 }]);
});

it.concurrent('process.exit() reports every record that the service rejects', async ({ expect }) => {
  const { code, stderr, printed } = await run('exit-with-records', { HOW: 'plain' }, () => ({ status: 400 }));
  expect(code).toBe(3);
  expect(printed).toMatchObject([{ accepted: 10, dropped: { overflow: 0, rejected: 10, closed: 0 } }]);
  const told = [...stderr.matchAll(/^logclient: (\d+) records? w.* rejected by the service/gm)];
  expect(told.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(10);
});

it.concurrent('process.exit() applies one time limit to several ingesters', async ({ expect }) => {
  const { code, stderr, printed, tookMs } = await run('exit-with-records', { HOW: 'two', ...SOON }, hangs);
  expect(code).toBe(3);
  expect(stderr.match(/10 records were dropped/g)).toHaveLength(2);
  expect(printed).toMatchObject([CLOSED, CLOSED]);
  expect(tookMs).toBeLessThan(12_000);
});

it.concurrent('process.exit() delivers to a working service while other services time out', async ({
  expect,
}) => {
  const [slow, healthy] = [await IngestSink.open(), await IngestSink.open()];
  slow.answer = hangs;
  const env = { URLS: JSON.stringify([slow.url, slow.url, healthy.url]) };
  const { code, stderr } = await runNode('test/fixtures/exit-with-loggers.mjs', env);
  const waitedMs = Date.now() - healthy.requests[0]!.at;
  await Promise.all([slow.close(), healthy.close()]);
  expect(code).toBe(3);
  expect(healthy.events).toHaveLength(1);
  expect(stderr.match(/1 record was dropped/g)).toHaveLength(2);
  // It was not the last one.
  expect(waitedMs).toBeGreaterThan(1_500);
});

it.concurrent.each(['late', 'natural, then late'])(
  'records that an exit listener logs after the delivery at exit are delivered in one more request: %s',
  async (how) => {
    const { code, stderr, sink } = await run('exit-with-records', { HOW: how });
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(sink.requests).toHaveLength(2);
  },
);

it.concurrent('records that an exit listener logs after close are dropped and reported in at most two lines', async ({
  expect,
}) => {
  const { code, stderr, sink } = await run('exit-with-records', { HOW: 'closing, then late' });
  expect(code).toBe(3);
  expect(sink.events).toHaveLength(10);
  expect(stderr).toMatch(
    /^logclient: 1 record .*\nlogclient: 2 records were dropped: logged after close\.\n$/,
  );
});

it.concurrent.each([
  ['exception', 'no', 'uncaughtException: crashed'],
  ['rejection', 'no', 'unhandledRejection: crashed'],
  ['exception', 'yes', 'uncaughtException: crashed'],
])(
  'a crash (%s) that winston handles is delivered before the process exits, in-process: %s',
  async (crash, inProcess, message) => {
    const env = { CRASH: crash, IN_PROCESS: inProcess };
    const { code, stderr, sink } = await run('winston-crash', env, failsOnce);
    expect(code).toBe(1);
    expect(stderr).not.toContain('logclient:');
    expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
      { level: 'info', message: 'before' },
      {
        level: 'error',
        message: expect.stringContaining(message),
        error: { name: 'TypeError', message: 'crashed' },
      },
    ]);
  },
);

it.concurrent('a flush keeps the process alive, and later records are also delivered', async ({ expect }) => {
  const { code, stderr, sink } = await run('flush-then-log', {}, () => ({ delayMs: 50 }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
    Array.from({ length: 20_101 }, (_, index) => index + 1),
  );
});

it.concurrent.each(['createPinoStream', 'winston worker'])(
  'a second signal after a second ends a process immediately while it is delivering with the %s',
  async (logging) => {
    const settings = {
      logging,
      ending: 'kill twice on SIGTERM',
      count: 10,
      more: { closeTimeoutMs: 9_000 },
    };
    const sink = await IngestSink.open();
    sink.answer = hangs;
    const env = { SETTINGS: JSON.stringify({ url: sink.url, ...settings }) };
    const { signal, stderr, stdout } = await runNode('test/fixtures/log-and-end.mjs', env);
    const endedAt = Date.now();
    await sink.close();
    expect({ signal, stderr }).toEqual({ signal: 'SIGTERM', stderr: '' });
    expect(endedAt - Number(stdout)).toBeLessThan(8_500);
  },
);

it.runIf(process.platform === 'linux')(
  'a process exits in time if its connection attempt never gets a response',
  async () => {
    const hole = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/black-hole.mjs')]);
    onTestFinished(() => void hole.kill('SIGKILL'));
    const [port] = await once(hole.stdout.setEncoding('utf8'), 'data');
    const settings = {
      url: `http://127.0.0.1:${port.trim()}`,
      logging: 'createPinoStream',
      ending: 'natural',
      count: 10,
      more: { closeTimeoutMs: 500 },
    };
    const env = { SETTINGS: JSON.stringify(settings) };
    const { code, stderr, stdout } = await runNode('test/fixtures/log-and-end.mjs', env);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^logclient: 10 records were dropped: not delivered before close.*\n$/);
    expect(Date.now() - Number(stdout)).toBeLessThan(9_000); // The connection itself would take ten seconds to fail.
  },
);
