import { describe, expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';

interface Settings {
  logging: string;
  ending: string;
  count?: number;
  more?: object;
}

interface Outcome extends NodeRun {
  /** The numbers of the records that were delivered. */
  readonly numbers: unknown[];
}

const ALL = Array.from({ length: 1_000 }, (_, index) => index + 1);

/** Runs a program that logs against a service that answers in the given way. */
async function run(settings: Settings, answer?: IngestSink['answer']): Promise<Outcome> {
  const sink = await IngestSink.open();
  if (answer !== undefined) sink.answer = answer;
  try {
    const all = { url: sink.url, count: ALL.length, ...settings };
    const result = await runNode('test/fixtures/log-and-end.mjs', { SETTINGS: JSON.stringify(all) });
    return { ...result, numbers: sink.events.map(({ attributes }) => attributes.n) };
  } finally {
    await sink.close();
  }
}

const failsOnce: IngestSink['answer'] = (_, index) => (index === 0 ? { status: 503 } : {});
const hangs: IngestSink['answer'] = () => ({ hang: true });
const isSlow: IngestSink['answer'] = () => ({ delayMs: 150 });

describe.concurrent.each(['pino worker', 'winston worker'])('with the %s', (logging) => {
  it('a process that ends by itself delivers everything', async ({ expect }) => {
    expect(await run({ logging, ending: 'natural' })).toMatchObject({ code: 0, stderr: '', numbers: ALL });
  });

  it('process.exit() delivers everything and keeps its code', async ({ expect }) => {
    expect(await run({ logging, ending: 'exit' })).toMatchObject({ code: 3, stderr: '', numbers: ALL });
  });

  it('process.exit() delivers everything once the worker is running', async ({ expect }) => {
    expect(await run({ logging, ending: 'exit later' })).toMatchObject({ code: 3, stderr: '', numbers: ALL });
  });

  it('an uncaught exception delivers everything and keeps its code', async ({ expect }) => {
    const { code, stderr, numbers } = await run({ logging, ending: 'throw' });
    expect(code).toBe(1);
    expect(stderr).toContain('uncaught on purpose');
    expect(stderr).not.toContain('logclient:');
    expect(numbers).toEqual(ALL);
  });

  it('process.exit() delivers everything through a passing fault', async ({ expect }) => {
    expect(await run({ logging, ending: 'exit' }, failsOnce)).toMatchObject({
      code: 3,
      stderr: '',
      numbers: ALL,
    });
  });

  it('process.exit() is held up for closeTimeoutMs when the service hangs, and says what is lost', async ({
    expect,
  }) => {
    const start = Date.now();
    const { code, stderr } = await run({ logging, ending: 'exit', more: { closeTimeoutMs: 300 } }, hangs);
    expect(Date.now() - start).toBeLessThan(9_500);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^logclient: 1000 records were dropped: .*closeTimeoutMs: 300.*\n$/);
    expect(stderr).not.toContain('token-of-the-child');
  });
});

describe.concurrent.each(['pino worker', 'pino in-process'])('with the %s', (logging) => {
  it('logger.flush() calls back in time when the service hangs, so that a program can end', async ({
    expect,
  }) => {
    const { signal } = await run({ logging, ending: 'flush', more: { closeTimeoutMs: 300 } }, hangs);
    expect(signal).toBe('SIGKILL'); // which the program sends itself in the callback
  });
});

describe.concurrent.each(['pino in-process', 'winston in-process'])('with %s', (logging) => {
  it('a process that ends by itself delivers everything, through a passing fault', async ({ expect }) => {
    const outcome = await run({ logging, ending: 'natural' }, failsOnce);
    expect(outcome).toMatchObject({ code: 0, stderr: '', numbers: ALL });
  });

  it('a process that ends by itself gives up in time when the service hangs, and says what is lost', async ({
    expect,
  }) => {
    const start = Date.now();
    const { code, stderr } = await run({ logging, ending: 'natural', more: { closeTimeoutMs: 300 } }, hangs);
    // The request itself would take ten seconds to time out.
    expect(Date.now() - start).toBeLessThan(9_500);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^logclient: 1000 records were dropped: .*\n$/);
  });

  it('process.exit() says what is lost', async ({ expect }) => {
    const { code, stderr } = await run({ logging, ending: 'exit' });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^logclient: 1000 records were dropped: the process ended.*\n$/);
  });
});

it.concurrent.each(['winston worker', 'winston in-process'])(
  'logger.end() of the %s finishes when everything is delivered',
  async (logging) => {
    expect(await run({ logging, ending: 'end' }, isSlow)).toMatchObject({
      code: 3,
      stderr: '',
      numbers: ALL,
    });
  },
);

it.concurrent.each(['pino worker', 'pino in-process'])(
  'logger.flush() of the %s calls back when the service has everything',
  async (logging) => {
    // The callback kills the process, so that nothing can be delivered after it.
    const outcome = await run({ logging, ending: 'flush' }, isSlow);
    expect(outcome).toMatchObject({ signal: 'SIGKILL', stderr: '', numbers: ALL });
  },
);

it.concurrent.each([
  ['exception', 'uncaughtException: crashed'],
  ['rejection', 'unhandledRejection: crashed'],
])('an %s that winston handles is delivered before the process ends', async (crash, message) => {
  const sink = await IngestSink.open();
  const env = { SINK_URL: sink.url, CRASH: crash };
  const { code } = await runNode('test/fixtures/winston-crash.mjs', env);
  await sink.close();
  expect(code).toBe(1);
  expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
    { level: 'info', message: 'before' },
    {
      level: 'error',
      message: expect.stringContaining(message),
      error: { name: 'TypeError', message: 'crashed' },
    },
  ]);
});

it.concurrent.each(['pino in-process', 'winston in-process', 'winston worker'])(
  'a flush of the %s in an outage does not keep a process alive that has nothing else to do',
  async (logging) => {
    const sink = await IngestSink.open();
    sink.answer = () => ({ status: 503 });
    const env = { SINK_URL: sink.url, LOGGING: logging };
    const { code, stdout, stderr } = await runNode('test/fixtures/flush-in-outage.mjs', env);
    await sink.close();
    expect(code).toBe(0);
    expect(stdout).toBe('flushed\n');
    expect(stderr).toMatch(/^(logclient: Records are kept .*\n)?logclient: 1 record was dropped: .*\n$/);
  },
);
