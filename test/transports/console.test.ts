import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CaptureConsoleOptions,
  captureConsole,
  type RestoreConsole,
} from '../../transports/capture/console/index.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { REALMS } from '../helpers/other-realm.ts';
import { runNode } from '../helpers/run-node.ts';

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;
const restores: RestoreConsole[] = [];

/** What would be printed. */
const printed = vi.fn();

beforeEach(() => {
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...args) => printed(method, ...args));
  }
});

afterEach(async () => {
  await Promise.all(restores.splice(0).map((restore) => restore()));
  vi.restoreAllMocks();
  printed.mockReset();
});

async function capture(
  more: CaptureConsoleOptions = {},
): Promise<Delivery & { restore: RestoreConsole; records: () => Record<string, unknown>[] }> {
  const delivery = await startDelivery();
  const restore = captureConsole({ ...delivery.options, worker: false, ...more });
  restores.push(restore);
  return { ...delivery, restore, records: () => delivery.sink.events.map(({ attributes }) => attributes) };
}

async function recordsOf(print: () => void): Promise<Record<string, unknown>[]> {
  const { restore, records } = await capture();
  print();
  await restore.flush();
  return records();
}

it('An option that is a function but no hook is called with all its parameters', async () => {
  const bodies: string[] = [];
  const restore = captureConsole({
    baseUrl: 'http://logs.example',
    repository: 'shop',
    ingestToken: 'token-1234',
    worker: false,
    compression: 'none',
    fetch: async (_url, init) => {
      if (init?.method === 'POST') bodies.push(await new Response(init.body).text());
      return Response.json({});
    },
  });
  restores.push(restore);
  console.info('one');
  await restore.flush();
  expect(bodies.join()).toContain('"message":"one"');
});

describe('A captured console call', () => {
  it('prints its arguments and becomes a record with the level of its method', async () => {
    const records = await recordsOf(() => {
      for (const method of METHODS) console[method]('%s called', method);
    });
    expect(printed.mock.calls).toEqual(METHODS.map((method) => [method, '%s called', method]));
    expect(records).toMatchObject([
      { level: 'debug', message: 'debug called' },
      { level: 'error', message: 'error called' },
      { level: 'info', message: 'info called' },
      { level: 'info', message: 'log called' },
      {
        level: 'trace',
        message: 'trace called',
        stack: expect.stringMatching(/^Trace: trace called\n +at .*console\.test/),
      },
      { level: 'warn', message: 'warn called' },
    ]);
  });

  it('has no colors that the program has written itself', async () => {
    const records = await recordsOf(() => console.info('\u001b[32mready\u001b[39m in %s', '5 ms'));
    expect(records).toMatchObject([{ level: 'info', message: 'ready in 5 ms' }]);
  });

  it('has the fields of plain objects, and the printed text without colors', async () => {
    const records = await recordsOf(() => {
      console.log('order placed', { orderId: 7, cart: { items: 3 } }, [1], new Map([['a', 1]]));
      console.log(Object.assign(Object.create(null), { bare: true, level: 'mine', message: 'mine' }));
    });
    expect(records).toEqual([
      {
        level: 'info',
        message: "order placed { orderId: 7, cart: { items: 3 } } [ 1 ] Map(1) { 'a' => 1 }",
        orderId: 7,
        cart: { items: 3 },
      },
      {
        level: 'info',
        message: "[Object: null prototype] { bare: true, level: 'mine', message: 'mine' }",
        bare: true,
      },
    ]);
  });

  it.each(REALMS)('includes an error argument of %s with its name, stack and cause', async (_, errors) => {
    const error = Object.assign(new errors.TypeError('top', { cause: new errors.Error('root') }), {
      code: 'E_TOP',
    });
    const [record] = await recordsOf(() => console.error('failed:', error));
    expect(record).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/^failed: TypeError: top\n +at /),
      error: {
        name: 'TypeError',
        message: 'top',
        stack: expect.stringMatching(/^TypeError: top\n +at /),
        cause: { message: 'root' },
        code: 'E_TOP',
      },
    });
  });

  it('is delivered even if formatting an argument throws, and prints what the argument logs', async () => {
    const hostile = {
      [Symbol.for('nodejs.util.inspect.custom')]: () => {
        console.log('from the argument');
        throw new Error('on purpose');
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const records = await recordsOf(() => {
      console.log('before', hostile);
      console.log('after', proxy);
    });
    expect(records).toMatchObject([
      { message: '[Throws: on purpose]' },
      { message: expect.stringContaining('after') },
    ]);
    expect(printed).toHaveBeenCalledWith('log', 'from the argument');
  });
});

describe('captureConsole()', () => {
  it('returns a function that restores the console and resolves when all records are delivered', async () => {
    const before = METHODS.map((method) => console[method]);
    const { restore, sink, records } = await capture({ flushIntervalMs: 60_000 });
    sink.answer = () => ({ delayMs: 50 });
    console.log('captured');
    const restored = restore();
    expect(METHODS.map((method) => console[method])).toEqual(before);
    expect(process.listenerCount('uncaughtExceptionMonitor')).toBe(0);
    console.log('only printed');
    await restored;
    expect(records()).toEqual([{ level: 'info', message: 'captured' }]);
    expect(restore.stats).toMatchObject({ accepted: 1, delivered: 1 });
    await restore();
    expect(printed).toHaveBeenCalledTimes(2);
  });

  it('provides flush() and stats', async () => {
    const { restore, sink } = await capture({ flushIntervalMs: 60_000 });
    console.warn('hello');
    expect(restore.stats).toMatchObject({ accepted: 1, delivered: 0 });
    await restore.flush();
    expect(restore.stats).toMatchObject({ accepted: 1, delivered: 1 });
    expect(sink.events).toHaveLength(1);
  });

  it.each([
    [0, 1],
    [1, 0],
  ])('can be called twice, and restored in any order: %j', async (...order) => {
    const original = console.log;
    const captures = [await capture(), await capture()];
    console.log('both');
    await captures[order[0]]!.restore();
    console.log('one');
    await captures[order[1]]!.restore();
    console.log('none');
    expect(console.log).toBe(original);
    expect(captures[order[0]]!.records()).toMatchObject([{ message: 'both' }]);
    expect(captures[order[1]]!.records()).toMatchObject([{ message: 'both' }, { message: 'one' }]);
    expect(printed.mock.calls).toEqual([
      ['log', 'both'],
      ['log', 'one'],
      ['log', 'none'],
    ]);
  });

  it('keeps the patch of another library, and records each call once when it captures again', async () => {
    const first = await capture();
    const ours = console.log;
    const theirs = vi.fn((...args: unknown[]) => ours(...args));
    console.log = theirs;
    await first.restore();
    expect(console.log).toBe(theirs);
    console.log('restored');
    const second = await capture();
    console.log('again');
    await second.restore();
    expect(console.log).toBe(theirs);
    expect(first.records()).toEqual([]);
    expect(second.records()).toMatchObject([{ message: 'again' }]);
    expect(theirs).toHaveBeenCalledTimes(2);
    expect(printed.mock.calls).toEqual([
      ['log', 'restored'],
      ['log', 'again'],
    ]);
  });

  it('prints the console calls of hooks without recording them', async () => {
    const { restore, sink } = await capture({
      onDrop: ({ reason }) => console.error('dropped:', reason),
      onWarning: ({ kind }) => console.warn('warning:', kind),
    });
    sink.answer = () => ({ status: 400 });
    console.log('rejected');
    await restore.flush();
    expect(restore.stats).toMatchObject({ accepted: 1, dropped: { rejected: 1 } });
    expect(printed.mock.calls).toEqual([
      ['log', 'rejected'],
      ['warn', 'warning:', 'rejected'],
      ['error', 'dropped:', 'rejected'],
    ]);
  });

  it('does not patch the console if an option is invalid', () => {
    const before = console.log;
    const open = (options: object) => () => captureConsole({ ingestToken: 'token', ...options });
    expect(open({ overflow: 'block' })).toThrow(/captureConsole: "overflow" can't be "block"/);
    expect(open({ onDrop: 1 })).toThrow(/captureConsole: "onDrop" must be a function/);
    expect(open({ tagss: {} })).toThrow(/captureConsole has no option "tagss"\. Did you mean "tags"/);
    expect(console.log).toBe(before);
  });

  it('can be required from CommonJS', () => {
    const { captureConsole: loaded } = createRequire(import.meta.url)('logclient/console');
    const before = console.log;
    const restore = loaded({ baseUrl: 'http://127.0.0.1:1', ingestToken: 'token' });
    expect(console.log).not.toBe(before);
    restore();
    expect(console.log).toBe(before);
  });
});

describe.each(['no', 'yes'])('A program with a captured console, in-process: %s', (inProcess) => {
  async function run(how: string) {
    const sink = await IngestSink.open();
    try {
      const env = { SINK_URL: sink.url, HOW: how, IN_PROCESS: inProcess };
      const result = await runNode('test/fixtures/capture-console.mjs', env);
      return { ...result, records: sink.events.map(({ attributes }) => attributes) };
    } finally {
      await sink.close();
    }
  }

  it('prints as before and delivers each call once', async () => {
    const { code, stdout, stderr, records } = await run('prints');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^group\n {2}tea costs 3 \{ currency: 'EUR' \}\n┌.*count: 1\ndirxml\n\{ a: \[Object\] \}\n$/s,
    );
    expect(stderr).toMatch(/^Assertion failed: assertion\nTrace: here\n +at /);
    expect(records).toMatchObject([
      { level: 'info', message: 'group' },
      { level: 'info', message: "tea costs 3 { currency: 'EUR' }", currency: 'EUR' },
      { level: 'info', message: expect.stringContaining('│') },
      { level: 'info', message: 'count: 1' },
      { level: 'warn', message: 'Assertion failed: assertion' },
      { level: 'info', message: 'dirxml' },
      { level: 'info', message: '{ a: { b: { c: [Object] } } }', a: { b: { c: { d: 1 } } } },
      {
        level: 'trace',
        message: 'here',
        stack: expect.stringMatching(/^Trace: here\n +at .*capture-console/),
      },
    ]);
  });

  it.each([
    ['exception', 'uncaughtException', /\n {2}throw new/],
    ['rejection', 'unhandledRejection', /\n {4}Promise\.reject/],
  ])('delivers an uncaught %s and exits as Node does', async (how, origin, shown) => {
    const { code, stdout, stderr, records } = await run(how);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(shown);
    expect(stderr).toMatch(/\nTypeError: crashed\n +at /);
    expect(stderr).not.toContain('logclient:');
    const stack = expect.stringMatching(/^TypeError: crashed\n +at .*capture-console/);
    expect(records).toEqual([
      {
        level: 'fatal',
        message: `${origin}: crashed`,
        origin,
        error: { name: 'TypeError', message: 'crashed', stack },
      },
    ]);
  });

  it('delivers a rejection whose reason is not an error', async () => {
    const { code, stderr, records } = await run('rejected text');
    expect(code).toBe(1);
    expect(stderr).toContain('reason "text"');
    expect(records).toMatchObject([
      { message: expect.stringContaining('"text"'), error: { code: 'ERR_UNHANDLED_REJECTION' } },
    ]);
  });

  it('delivers an exception that the program handles, and keeps running', async () => {
    const { code, stdout, stderr, records } = await run('handled');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'handled\n', stderr: '' });
    expect(records).toMatchObject([
      { level: 'fatal', message: 'uncaughtException: crashed' },
      { level: 'info', message: 'handled' },
    ]);
  });

  it('captures the console of each thread separately', async () => {
    const { code, stdout, records } = await run('thread');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'in the thread\nin the program\n' });
    expect(records.map(({ message }) => message).sort()).toEqual([
      'in the program',
      'in the thread',
      'uncaughtException: crashed',
    ]);
  });
});
