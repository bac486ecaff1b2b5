import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspect, promisify } from 'node:util';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { Ingester, LogIngestClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import {
  assertEventuallyLogged,
  assertLogged,
  assertLoggedInOrder,
  assertLoggedTimes,
  assertNoSecrets,
  assertNothingDropped,
  assertNotLogged,
  type CapturableLogger,
  type CaptureOptions,
  captureLogs,
  type LogExpectation,
  type LogTest,
  logMatchers,
  startLogTest,
} from '../../src/testing/index.ts';
import { describeTestLogs } from '../../src/testing/report/test-logs.ts';
import { captureConsole } from '../../transports/capture/console/index.ts';
import { isConsoleCaptured } from '../../transports/capture/console/patch-console.ts';
import { createPinoStream, createPinoTransport } from '../../transports/pino/index.ts';
import { LogTransport } from '../../transports/winston/index.ts';
import { log, NINE } from './log.ts';

async function start(...options: Parameters<typeof startLogTest>): Promise<LogTest> {
  const logs = await startLogTest(...options);
  onTestFinished(() => logs.close());
  return logs;
}

function sink(): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}

const PINO_FILE = resolve(import.meta.dirname, '../../dist/pino.js');

const ofPino = (stream: pino.DestinationStream): [object, (text: string) => void] => {
  const logger = pino(stream);
  return [logger, (text) => logger.error(text)];
};

const ofWinston = (transport: LogTransport): [object, (text: string) => void] => {
  const logger = winston.createLogger({ transports: [transport] });
  return [logger, (text) => logger.error(text)];
};

const ofIngester = (ingester: Ingester): [object, (text: string) => void] => [
  ingester,
  (message) => ingester.add({ attributes: { level: 'error', message } }),
];

async function trackPino(): Promise<[LogTest, pino.Logger]> {
  const logs = await startLogTest();
  const retries = { minRetryDelayMs: 20, maxRetryDelayMs: 200, closeTimeoutMs: 2_500, onWarning: () => {} };
  const logger = pino({ base: null }, createPinoStream({ ...logs.connection, ...retries }));
  logs.track(logger);
  return [logs, logger];
}

describe('A log test', () => {
  it('has its own repository, with a client and tokens', async () => {
    const [one, other] = [await start(), await start()];
    await new LogIngestClient(one.connection).ingestMessages(['who=one']);
    await assertLogged(one, 'who=one');
    expect(await other.records()).toEqual([]);
    expect(one.env).toEqual({
      LOGSCALE_URL: one.baseUrl,
      LOGSCALE_REPOSITORY: one.repository,
      LOGSCALE_TOKEN: one.userToken,
      LOGSCALE_INGEST_TOKEN: one.ingestToken,
      LOGSCALE_FLUSH_INTERVAL_MS: '10',
    });
  });

  it('shows no token when it is printed', async () => {
    const logs = await start();
    const shown = inspect(logs, { depth: 9, showHidden: true });
    expect([shown.includes(logs.userToken), shown.includes(logs.ingestToken)]).toEqual([false, false]);
  });

  it('receives records of a child process that has its environment', async () => {
    const logs = await start();
    const program = `import { LogIngestClient } from 'logclient'; await new LogIngestClient().ingestMessages(['from=child']);`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, ...logs.env },
    });
    await assertLogged(logs, 'from=child');
  });

  it('gets a new repository on a given server, and deletes it at the end', async () => {
    await using server = await startLocalServer();
    const before = server.inspect.jobs().length;
    const inProcess = await startLogTest({ server });
    const { url, userToken } = server;
    const byAddress = await startLogTest({ server: { url, userToken } });
    await new LogIngestClient(inProcess.connection).ingestMessages(['who=one']);
    await new LogIngestClient(byAddress.connection).ingestMessages(['who=two']);
    expect((await inProcess.records()).map((record) => record['@rawstring'])).toEqual(['who=one']);
    expect((await byAddress.records()).map((record) => record['@rawstring'])).toEqual(['who=two']);
    expect(inProcess.clock).toBe(server.clock);
    expect(() => byAddress.clock).toThrow('The server runs in another process');
    await inProcess.close();
    await byAddress.close();
    expect(() => server.inspect.store(inProcess.repository)).toThrow('Known: sandbox.');
    await expect.poll(() => server.inspect.jobs()).toHaveLength(before);
  });

  it.each([
    [{ sever: 1 }, 'startLogTest has no option "sever". Did you mean "server"?'],
    [{ url: 'http://x' }, 'startLogTest: pass the server as "server: { url, userToken }".'],
    [{ server: {} }, 'startLogTest: "server.url" must be a non-empty string (got undefined).'],
    [
      { server: { url: 'http://x' }, serverOptions: {} },
      '"server" and "serverOptions" can\'t be combined; pass only one.',
    ],
  ])('rejects the options %j', async (options, message) => {
    await expect(startLogTest(options as object)).rejects.toThrow(message);
  });

  it("resolves relative times by its server's clock", async () => {
    const logs = await start();
    logs.clock.set(NINE);
    await log(logs, [{ msg: 'password was wrong', user: 'eve' }], NINE);
    logs.clock.advance(10 * 60_000);
    await log(logs, [{ msg: 'password was wrong', user: 'bob' }], NINE + 9 * 60_000);
    await assertLoggedTimes(logs, 'password', 2);
    await assertLoggedTimes(logs, 'password', 1, { start: '5 minutes' });
    await assertLogged(logs, 'setTimeInterval(start=5m) | password | user=bob');
    await assertNotLogged(logs, { user: 'eve' }, { start: '5 minutes' });
  });

  it('finds records from the future and from long ago', async () => {
    const logs = await start();
    await log(logs, [{ when: 'past' }], 1);
    await log(logs, [{ when: 'future' }], Date.UTC(2100, 0));
    await assertLoggedInOrder(logs, ['when=past', 'when=future']);
  });

  it('keeps records of one millisecond in order of arrival', async () => {
    const logs = await start();
    const events = Array.from({ length: 300 }, (_, n) => ({ timestamp: NINE, attributes: { n } }));
    await logs.client.ingestJsonData([{ events }]);
    expect((await logs.records()).map((record) => Number(record.n))).toEqual(events.map((_, n) => n));
    const inTurn = async (...order: number[]) => {
      const verdict = logMatchers.toHaveLoggedInOrder.call(
        {},
        logs,
        order.map((n) => ({ n })),
      );
      return (await verdict).pass;
    };
    expect([await inTurn(3, 4, 299), await inTurn(4, 3), await inTurn(3, 3)]).toEqual([true, false, false]);
  });

  it('keeps records of one millisecond in the order of their log calls, whatever captured logger wrote them', async () => {
    const logs = await start();
    const first = pino({ timestamp: () => `,"time":${NINE}` }, sink().stream);
    const second = pino({ timestamp: () => `,"time":"${new Date(NINE).toISOString()}"` }, sink().stream);
    const time = winston.format((info) => ({ ...info, timestamp: new Date(NINE).toISOString() }));
    const third = winston.createLogger({ format: time(), transports: [new winston.transports.Console()] });
    for (const logger of [third, second, first]) logs.capture(logger, { quiet: true });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const [index, name] of names.entries())
      ([first, third, second][index % 3] as winston.Logger).info({ name, message: name });
    expect((await logs.records()).map(({ name }) => name)).toEqual(names);
    expect((await logs.records('*')).map((record) => record['@timestamp'])).toEqual(names.map(() => NINE));
  });

  it('waits in assertEventuallyLogged() until the expected records arrive', async () => {
    const logs = await start();
    const waiting = assertEventuallyLogged(logs, 'msg=late', { times: 2 });
    await log(logs, [{ msg: 'late' }]);
    await log(logs, [{ msg: 'late' }]);
    await waiting;
  });

  it('does not wait in assertEventuallyLogged() if there are already too many records', async () => {
    const logs = await start();
    await log(logs, [{ msg: 'late' }, { msg: 'late' }]);
    const waiting = assertEventuallyLogged(logs, 'msg=late', { times: 1, timeoutMs: 600_000 });
    await expect(waiting).rejects.toThrow('Expected 1 matching record, found 2:');
  });

  it('finds a record in assertEventuallyLogged() that the flush at its timeout delivers', async () => {
    const logs = await start();
    const flush = async (): Promise<void> => {
      // Longer than the assertion waits between two queries.
      await setTimeout(50);
      await log(logs, [{ msg: 'late' }]);
    };
    logs.track({ flush });
    await assertEventuallyLogged(logs, 'msg=late', { timeoutMs: 1 });
  });

  it('finds a record that was delivered on a retry after a 503', async () => {
    const logs = await start();
    const ingester = new Ingester(logs.connection);
    onTestFinished(() => ingester.close());
    logs.faults.add({ path: 'ingest', times: 1, status: 503 });
    logs.track(ingester);
    ingester.add({ attributes: { msg: 'still here' } });
    await assertLogged(logs, 'msg="still here"');
  });
});

it.each([
  ['pino', () => pino(sink().stream)],
  [
    'winston',
    () => winston.createLogger({ transports: [new winston.transports.Stream({ stream: sink().stream })] }),
  ],
])(
  'A captured %s logger has the tags of capture, so that a query for #service matches',
  async (_, create) => {
    const logger = create() as pino.Logger;
    const logs = await captureLogs(logger, { tags: { service: 'payments' } });
    onTestFinished(() => logs.close());
    logger.info('charged');
    await assertLogged(logs, '#service=payments charged');
  },
);

describe('A server that accepts no records', () => {
  it('is the reason, with the number of records, if a tracked logger has delivered nothing', async () => {
    const logs = await startLogTest();
    onTestFinished(() => logs.close());
    const transport = createPinoTransport({ ...logs.connection, onWarning: () => {}, closeTimeoutMs: 500 });
    onTestFinished(() => void transport.end());
    const logger = pino({ base: null }, transport);
    logs.track(logger);
    logs.faults.add({ path: 'ingest', status: 503 });
    logger.info('kept');
    await expect(assertEventuallyLogged(logs, 'kept', { timeoutMs: 2_000 })).rejects.toThrow(
      /No record has arrived\.\n\nNot delivered: 1 record of the tracked logger\. .*status 503/,
    );
  });

  it('makes assertions, flush() and records() fail with what was not delivered within 2 seconds, and why', async () => {
    const [logs, logger] = await trackPino();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const flush = vi.fn(() => held);
    logs.track({ flush });
    logs.faults.add({ path: 'ingest', status: 503 });
    logger.info('kept');
    logger.info('kept');
    const missing =
      /Not all records were delivered within 2000 ms\.\nNot delivered: 2 records of the tracked logger\. Records stay queued and are retried: .*status 503/;
    const asked = [
      assertLogged(logs, 'kept'),
      assertNotLogged(logs, 'kept'),
      assertLoggedTimes(logs, 'kept', 0),
      logs.flush(),
      logs.records(),
    ].map((look) => expect(look).rejects.toThrow(missing));
    const waiting = assertEventuallyLogged(logs, 'kept', { timeoutMs: 500 });
    await expect(waiting).rejects.toThrow(
      'No record has arrived.\n\nNot delivered: 2 records of the tracked logger.',
    );
    await Promise.all(asked);
    const flushes = flush.mock.calls.length;
    await describeTestLogs({ id: '1', name: 'keeps' });
    expect(flush, 'the report waits again').toHaveBeenCalledTimes(flushes);
    logs.faults.clear();
    release();
    await assertLoggedTimes(logs, 'kept', 2);
    await logs.close();
  });

  it('names the fault if the request is unanswered', async () => {
    const [logs, logger] = await trackPino();
    const hanging = logs.faults.add({ path: 'ingest', hang: true });
    logger.info('kept');
    await expect(logs.flush()).rejects.toThrow(
      "The fault { path: 'ingest', hang: true } has affected a request.",
    );
    hanging.remove();
    await logs.close();
  });

  it('does not fail an assertion that the received records satisfy', async () => {
    const [logs, logger] = await trackPino();
    logger.info('here');
    await logs.flush();
    logs.faults.add({ path: 'ingest', status: 503 });
    logger.info('kept');
    await assertLogged(logs, 'here');
    logs.faults.clear();
    await logs.close();
  });
});

it("A fault affects the requests of the program, not those of captures, matchers and the kit's own close()", async () => {
  const logger = pino(sink().stream);
  const logs = await captureLogs(logger);
  const faults = ['ingest', 'query'].map((path) => logs.faults.add({ path, times: 1, status: 500 }));
  logger.info('here');
  await assertLogged(logs, 'here');
  expect(faults.map(({ hits }) => hits)).toEqual([0, 0]);
  await expect(log(logs, [{}])).rejects.toThrow('500');
  await expect(logs.client.query('*', { maxRetries: 0 })).rejects.toThrow('500');
  expect(faults.map(({ hits }) => hits)).toEqual([1, 1]);
  await logs.close();
});

describe('A fault that has affected no request', () => {
  const wrong = { path: 'ingst', status: 503 };

  it('fails close()', async () => {
    const logs = await startLogTest();
    logs.faults.add(wrong);
    await expect(logs.close()).rejects.toThrow(
      "The fault { path: 'ingst', status: 503 } has affected no request, so this test did not test it. It spares captured loggers",
    );
  });

  it('does not fail close() if the test has read its hits or removed it, if an assertion has failed, or by chance', async () => {
    const logs = await startLogTest();
    logs.faults.add(wrong).remove();
    expect(logs.faults.add(wrong).hits).toBe(0);
    logs.faults.add({ ...wrong, probability: 0.1 });
    logs.faults.add({ path: 'ingest', times: 1, status: 503 });
    logs.capture(pino(sink().stream));
    await assertNotLogged(logs, '*');
    await expect(log(logs, [{}])).rejects.toThrow('503');
    await logs.close();
    const failed = await startLogTest();
    failed.faults.add(wrong);
    await expect(assertLogged(failed, '*')).rejects.toThrow('No record matches');
    await failed.close();
  });
});

describe('Dropped records', () => {
  const tooMany = { maxQueueBytes: 1, onWarning: () => {} };

  it('fail assertNothingDropped() for a tracked stream, transport or ingester', async () => {
    const shippers = {
      stream: (logs: LogTest) => createPinoStream({ ...logs.connection, ...tooMany }),
      transport: (logs: LogTest) => new LogTransport({ ...logs.connection, ...tooMany, worker: false }),
      ingester: (logs: LogTest) => new Ingester({ ...logs.connection, ...tooMany }),
    };
    for (const [name, make] of Object.entries(shippers)) {
      const logs = await startLogTest();
      const shipper = make(logs);
      logs.track(shipper);
      await assertNothingDropped(logs);
      if (shipper instanceof Ingester) shipper.add({ attributes: { msg: 'lost' } });
      else if (shipper instanceof LogTransport) winston.createLogger({ transports: [shipper] }).info('lost');
      else pino(shipper).info('lost');
      await expect(assertNothingDropped(logs), name).rejects.toThrow(
        'Expected no dropped records, found 1: 1 overflow.',
      );
      expect((await logMatchers.toHaveDropped.call({}, logs)).pass, name).toBe(true);
      await logs.close();
    }
  });

  it('fail all assertions that a missing record could satisfy, with the reason', async () => {
    const [logs, logger] = await trackPino();
    onTestFinished(() => logs.close());
    const lost =
      /^Dropped records of the tracked logger: 1 rejected\. Rejected by the service\. .* status 400/;
    logger.info('here');
    await logs.flush();
    logs.faults.add({ path: 'ingest', status: 400, times: 1 });
    logger.info('boom');
    await assertLogged(logs, 'here');
    await expect(assertLogged(logs, 'boom')).rejects.toThrow(new RegExp(lost.source.slice(1)));
    const asked = [assertNotLogged(logs, 'boom'), assertLoggedTimes(logs, 'boom', 0), assertNoSecrets(logs)];
    for (const look of [...asked, logs.records('boom'), logs.flush()])
      await expect(look).rejects.toThrow(lost);
    await expect(assertNotLogged(logs, 'boom')).rejects.toThrow('so this proves nothing. Let the logger');
  });

  it.each<[string, keyof typeof logMatchers, unknown[], { isNot: boolean; isProved: boolean }]>([
    ['at least some', 'toHaveLoggedTimes', ['here', { min: 2 }], { isNot: false, isProved: true }],
    ['at most some', 'toHaveLoggedTimes', ['here', { max: 2 }], { isNot: false, isProved: false }],
    ['a number', 'toHaveLoggedTimes', ['here', 2], { isNot: false, isProved: false }],
    ['not an exceeded number', 'toHaveLoggedTimes', ['here', 1], { isNot: true, isProved: true }],
    ['fewer', 'toHaveLoggedTimes', ['here', { min: 3 }], { isNot: true, isProved: false }],
    ['no order', 'toHaveLoggedInOrder', [['last', 'here']], { isNot: true, isProved: false }],
    ['a secret', 'toHaveNoSecrets', [], { isNot: true, isProved: true }],
    ['a drop', 'toHaveDropped', [], { isNot: false, isProved: true }],
  ])(
    'fail an assertion only if they could change its result: %s',
    async (_, name, args, { isNot, isProved }) => {
      const [logs, logger] = await trackPino();
      onTestFinished(() => logs.close());
      for (const msg of ['here', 'here', 'last']) logger.info({ password: 'hunter22' }, msg);
      await logs.flush();
      logs.faults.add({ path: 'ingest', status: 400, times: 1 });
      logger.info('boom');
      const look = Reflect.apply(logMatchers[name], { isNot }, [logs, ...args]);
      if (isProved) expect(await look).toMatchObject({ pass: !isNot });
      else await expect(look).rejects.toThrow('so this proves nothing. Let the logger deliver all records');
    },
  );

  it('are counted for a tracked pino worker until the log test is closed', async () => {
    const logs = await start();
    const transport = pino.transport({
      target: resolve(import.meta.dirname, '../../dist/pino.js'),
      options: { ...logs.connection, maxQueueBytes: 1 },
    });
    await once(transport, 'ready');
    const listeners = transport.listenerCount('drop');
    logs.track(pino(transport));
    logs.capture(pino(sink().stream));
    const { pass, message } = await logMatchers.toHaveDropped.call({}, logs);
    expect({ pass, text: message() }).toEqual({
      pass: false,
      text: 'expect(logs).toHaveDropped(): No records were dropped.',
    });
    pino(transport).info('lost');
    await expect
      .poll(() => assertNothingDropped(logs).then(String, String))
      .toContain('found 1: 1 overflow.');
    await logs.close();
    expect(transport.listenerCount('drop')).toBe(listeners);
    transport.end();
  });

  it('can be checked only if a logger is captured or tracked, and has counters', async () => {
    const logs = await start();
    await expect(assertNothingDropped(logs)).rejects.toThrow('No logger is captured or tracked');
    logs.track({ flush() {} });
    await expect(assertNothingDropped(logs)).rejects.toThrow('so nothing is known of what it dropped');
  });
});

it('A captured logger that has logged nothing proves silence, but nothing about the content of records', async () => {
  const logs = await captureLogs(pino(sink().stream));
  onTestFinished(() => logs.close());
  await assertNotLogged(logs, 'level=error');
  await assertLoggedTimes(logs, '*', 0);
  for (const look of [
    assertNoSecrets(logs),
    logMatchers.toHaveNoNewPatterns.call({}, logs, '/no/such/p.json'),
  ])
    await expect(look).rejects.toThrow('No record was captured, so this proves nothing: capture the logger');
});

it('A captured pino logger proves no silence if only another one has logged that no test captures', async () => {
  const [logger, concurrent, other] = [sink(), sink(), sink()].map(({ stream }) => pino(stream));
  const logs = await captureLogs(logger!);
  onTestFinished(() => logs.close());
  const stop = logs.capture(concurrent!);
  concurrent!.child({}).info('elsewhere');
  await using concurrentLogs = await captureLogs(pino(sink().stream));
  await assertNotLogged(concurrentLogs, 'level=error');
  await stop();
  other!.error('boom');
  for (const look of [
    assertNotLogged(concurrentLogs, 'level=error'),
    assertLoggedTimes(concurrentLogs, { level: 'error' }, 0),
    concurrentLogs.records('boom'),
  ])
    await expect(look).rejects.toThrow(
      'Another pino logger has logged, but the captured ones have not. Check',
    );
  await assertNotLogged(concurrentLogs, '*');
  await assertLoggedTimes(concurrentLogs, '*', 0);
  await assertNotLogged(logs, 'level=error');
});

it('A tracked console is restored when the log test is closed, with all its records delivered', async () => {
  const mute = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => mute.mockRestore());
  const logs = await start();
  const restore = captureConsole({ ...logs.connection, worker: false });
  logs.track(restore);
  console.warn('slow');
  await logs.close();
  expect([isConsoleCaptured(), restore.stats.delivered]).toEqual([false, 1]);
});

describe('A log test without a logger', () => {
  it.each<[string, (logs: LogTest) => Promise<unknown>]>([
    ['assertNotLogged', (logs) => assertNotLogged(logs, 'level=error')],
    ['assertLoggedTimes', (logs) => assertLoggedTimes(logs, 'level=error', 0)],
    ['assertNoSecrets', assertNoSecrets],
    ['toHaveNoNewPatterns', (logs) => logMatchers.toHaveNoNewPatterns.call({}, logs, '/no/such/p.json')],
  ])('proves no absence before a record arrives: %s', async (name, look) => {
    const logs = await start();
    await expect(look(logs)).rejects.toThrow(
      'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.',
    );
    if (name === 'toHaveNoNewPatterns') return;
    await log(logs, [{ level: 'info' }]);
    await look(logs);
  });

  it.each<[string, () => CapturableLogger]>([
    ['pino', () => pino(sink().stream)],
    ['winston', () => winston.createLogger()],
  ])('proves absence if a record arrived before the capture of %s ended', async (_, create) => {
    const logger = create() as pino.Logger;
    const logs = await start();
    await logs.capture(logger)();
    logger.error('missed');
    await expect(assertNotLogged(logs, 'missed')).rejects.toThrow('No logger is captured or tracked');
    const stop = logs.capture(logger);
    logger.info('started');
    await stop();
    await assertNotLogged(logs, 'level=error');
    await expect(assertNotLogged(logs, 'level=debug')).rejects.toThrow('Set the level');
  });
});

it.each<[string, (connection: LogTest['connection']) => [object, (text: string) => void]]>([
  ['createPinoStream', (to) => ofPino(createPinoStream(to))],
  ['createPinoTransport', (to) => ofPino(createPinoTransport(to))],
  ['pino.transport', (options) => ofPino(pino.transport({ target: PINO_FILE, options }))],
  ['LogTransport', (to) => ofWinston(new LogTransport({ ...to, worker: false }))],
  ['Ingester', (to) => ofIngester(new Ingester(to))],
  ['captureConsole', (to) => [captureConsole({ ...to, worker: false }), (text) => console.error(text)]],
])('A tracked logger that delivers to another server proves no absence: %s', async (_, open) => {
  const [logs, other] = [await start(), await start()];
  const mute = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => mute.mockRestore());
  const [shipper, write] = open(other.connection);
  logs.track(shipper);
  write('lost');
  const reason = `The tracked logger delivers to ${other.baseUrl}, not to the server of this test: pass ...logs.connection to its transport.`;
  for (const look of [
    assertNotLogged(logs, 'level=error'),
    assertNoSecrets(logs),
    assertLogged(logs, 'lost'),
  ])
    await expect(look).rejects.toThrow(reason);
  await assertLogged(other, 'lost');
  if (typeof shipper === 'function') await shipper();
});

describe('An assertion that finds no record', () => {
  const silent = () => pino({ level: 'silent' });
  const info = () => pino(sink().stream);
  const print = () => new winston.transports.Stream({ stream: sink().stream });
  const openWinston = (options: winston.LoggerOptions) => () =>
    winston.createLogger({ transports: [new winston.transports.Console({ silent: true })], ...options });
  const numeric = winston.format((record) => ({ ...record, level: record.level === 'info' ? '6' : '3' }));
  const upper = winston.format((record) => ({ ...record, level: record.level.toUpperCase() }));
  const gcp = () =>
    pino({ formatters: { level: (name) => ({ severity: name.toUpperCase() }) } }, sink().stream);
  const RANGE = /No record in the time range \{".*\} can arrive, so this proves nothing\. Correct "start"/;
  const LEVELS = 'log info, warn, error, fatal. Set the level';
  const USED =
    'No record with a field "message" can arrive, so this proves nothing. The loggers write "msg".';
  const TIMED =
    'No record with a field "time" can arrive, so this proves nothing. Instead, the time is in "@timestamp": use';
  const wrote = (name: string, other: string, advice = (known: string) => `The loggers write "${known}".`) =>
    `No record with a field "${name}" can arrive, so this proves nothing. ${advice(other)}`;
  const DID = (other: string) => `Did you mean "${other}"?`;
  const keys = (options: pino.LoggerOptions) => () => pino(options, sink().stream);
  const absent = (expected: LogExpectation) => (logs: LogTest) => assertNotLogged(logs, expected);

  it.each<[string | RegExp, () => CapturableLogger, (logs: LogTest) => Promise<unknown>]>([
    ['No record can arrive, so this proves nothing.', silent, absent('*')],
    ['log nothing. Set the level', silent, assertNoSecrets],
    ['log nothing. Set the level', silent, assertNothingDropped],
    ['log nothing. Set the level', openWinston({ silent: true }), (logs) => assertLoggedTimes(logs, '*', 0)],
    [LEVELS, info, absent('level=debug charged')],
    [LEVELS, info, absent({ level: 'TRACE', order: 'o-17' })],
    [LEVELS, info, absent('level=WARN')],
    [LEVELS, info, absent('charged | level=30')],
    [LEVELS, info, (logs) => assertLoggedTimes(logs, '(level=debug or level=trace) ms>5', { max: 3 })],
    [LEVELS, info, absent('boom | in(level, values=[debug, trace])')],
    [LEVELS, info, absent('case { level=debug; level=trace } | boom')],
    [LEVELS, info, absent('select([level, msg]) | l := upper(level) | l=DEBUG')],
    ['level>=50 can arrive', info, absent('level>=50')],
    ['log INFO, WARN, ERROR, FATAL. Set', gcp, absent('severity=DEBUG')],
    [wrote('level', 'severity'), gcp, absent({ level: 'error' })],
    [RANGE, info, (logs) => assertNotLogged(logs, '*', { start: Date.now() + 60_000 })],
    [RANGE, info, (logs) => assertLoggedTimes(logs, '*', 0, { end: '5 minutes' })],
    [LEVELS, info, (logs) => logMatchers.toHaveLoggedInOrder.call({ isNot: true }, logs, ['level=debug'])],
    [USED, info, absent('message=boom level=error')],
    [TIMED, info, absent('time > 0')],
    [TIMED, info, absent({ time: expect.any(Number) })],
    [TIMED.replace('time', 'timestamp'), info, absent({ timestamp: /2/ })],
    [USED.replace(/(message)(.*)msg/, 'msg$2message'), openWinston({}), absent({ msg: 'boom' })],
    [wrote('msg', 'text'), keys({ messageKey: 'text' }), absent('msg=boom')],
    [wrote('Level', 'level'), info, absent('Level=error')],
    [wrote('host_name', 'hostname'), info, absent({ host_name: 'a' })],
    [wrote('severity', 'level'), info, absent('severity=error')],
    [wrote('lvl', 'level'), openWinston({}), absent({ lvl: 'WARN' })],
    [wrote('level', 'severity'), gcp, absent('level=ERROR')],
    [wrote('levl', 'level', DID), info, absent('levl=error')],
    [wrote('levl', 'level', DID), info, absent('level=error or levl=fatal')],
    [wrote('hostnme', 'hostname', DID), info, absent('groupBy(hostnme) | _count > 1')],
    [wrote('hostnamee', 'hostname', DID), info, absent('max(hostnamee) | _max > 1')],
    [wrote('mesage', 'message', DID), openWinston({}), absent({ mesage: 'boom' })],
    [wrote('err.mesage', 'err.message', DID), info, absent({ err: { mesage: /boom/ } })],
    [wrote('hostnme', 'hostname', DID), info, (logs) => logs.records('hostnme=a')],
    [wrote('err.msg', 'err.message', DID), info, absent({ err: { msg: /boom/ } })],
    [wrote('error.msg', 'error.message', DID), openWinston({}), absent('error.msg=boom')],
    [wrote('levels', 'level', DID), info, (logs) => logs.snapshot({ levels: 'error' })],
    ['"order" is undefined, probably a missing variable', info, absent('level=error order=undefined')],
    ['"order" is [object Object], probably', info, absent('order="[object Object]" or order=7')],
    ['"order" is NaN, probably', info, absent({ order: 'NaN' })],
    ['"order" is undefined, probably', info, absent({ level: 'error', order: undefined })],
    ['log error, warn, info. Set', openWinston({}), absent('level=http')],
    ['log ERROR, WARN, INFO. Set', openWinston({ format: upper() }), absent('level=error')],
  ])('fails if none could arrive: %s', async (message, create, look) => {
    const logger = create() as pino.Logger;
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.info('started');
    await expect(look(logs)).rejects.toThrow(message);
  });

  it.each<[string, (logs: LogTest) => Promise<unknown>]>([
    [wrote('statusCode', 'res.statusCode'), absent('statusCode>=500')],
    [wrote('email', 'user.email'), absent('email=*')],
    [wrote('pin', 'user.pin'), (logs) => logs.records({ pin: '1' })],
    [wrote('ids', 'ids[0]'), (logs) => assertLoggedTimes(logs, 'ids=1', 0)],
    [wrote('user', 'user.email'), absent('user=*')],
    [wrote('user', 'user.email'), absent({ user: 'bob' })],
    ['', absent({ user: expect.objectContaining({ email: 'b' }) })],
    ['', absent('array:contains("ids[]", value=1)')],
    ['', absent('user.email=b or email=b')],
  ])('fails if records have the field in an object: %s', async (message, look) => {
    const logger = pino(sink().stream);
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.info({ res: { statusCode: 200 }, user: { email: 'a', pin: 7 }, ids: [2] }, 'started');
    if (message === '') await look(logs);
    else await expect(look(logs)).rejects.toThrow(message);
  });

  it.each<[() => CapturableLogger, LogExpectation, string]>([
    [info, { error: { message: /refused/ } }, 'The loggers write "err.message".'],
    [info, 'error.message="card refused"', 'The loggers write "err.message".'],
    [openWinston({}), { err: { code: 'E1' } }, 'The loggers write "error.code".'],
    [info, { error: { msg: /refused/ } }, 'The loggers write "err.message".'],
  ])('fails if the loggers have another name for the error: %#', async (create, expected, message) => {
    const logger = create() as pino.Logger;
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    const error = Object.assign(new Error('card refused'), { code: 'E1' });
    logger.error({ [logger instanceof winston.Logger ? 'error' : 'err']: error, message: 'x' });
    await expect(assertNotLogged(logs, expected)).rejects.toThrow(message);
  });

  it.each<[string, LogExpectation, object, string?]>([
    ['a value with spaces needs quotes', 'level=error msg=payment failed', {}],
    ['a value with spaces needs quotes', 'user = Eva Li', { user: 'Eva Li' }],
    ['is "payment failed"; "*" is a wildcard only in queries', { msg: 'payment*' }, {}],
    ['level is error, in another spelling', 'level=50 payment', {}],
    ['level is error, in another spelling', 'level>=50', {}],
    ['but a string looks the same', { msg: 'payment - failed' }, {}, 'payment \u2013 failed'],
    ['"error" was logged as {}, as pino', { error: { message: 'boom' } }, { error: new Error('boom') }],
    ['"cause" was logged as {}, as pino', 'cause.message=boom', { cause: new Error('boom') }],
    ['"error" was logged as {}, as pino', { error: /boom/ }, { error: new Error('boom') }],
    ['', { error: /boom/ }, { error: 'bang' }],
    ['', 'level=error msg=payment lost', {}],
    ['', { msg: 'order*' }, {}],
    ['ERROR: not found, but in another case', 'ERROR', {}],
    ['but in another case', 'Payment failed', {}],
    ['but in another case', '"Payment Failed"', {}],
    ['is "payment failed", in another spelling', { msg: 'Payment failed' }, {}],
    ['is "payment failed", in another spelling', 'msg="Payment failed"', {}],
    ['user is eva, in another spelling', { user: 'EVA' }, { user: 'eva' }],
    ['is "payment failed", in another spelling', 'msg=*Failed', {}],
    ['is "payment failed", in another spelling', { msg: expect.stringContaining('Fail') }, {}],
    ['but in another case', '*Fail*', {}],
    ['is "payment failed ", in another spelling', { msg: 'payment failed' }, {}, 'payment failed '],
    ['is "payment failed", in another spelling', 'msg="payment failed "', {}],
    ['', 'msg=* msg!=*payment*', {}],
    ['', 'msg=*Lost*', {}],
    ['', { msg: expect.not.stringContaining('payment') }, {}],
    ['', { user: /EVA/ }, { user: 'eva' }],
    ['', 'user=/EVA/', { user: 'eva' }],
    ['', 'OK', { user: 'token' }],
    ['', 'SANDBOX', {}],
    ['', { status: 50 }, { status: 500 }],
    ['', { user: { id: 7 } }, { user: {} }],
    ['', 'level=40 or level=60', {}],
  ])(
    'fails if a record only has a value in another form: %s',
    async (hint, expected, fields, msg = 'payment failed') => {
      const logs = await start();
      const logger = pino({}, createPinoStream(logs.connection));
      logs.track(logger);
      // The levels of other processes are unknown.
      await log(logs, [{ level: 'info' }]);
      logger.error(fields, msg);
      if (hint === '') await assertNotLogged(logs, expected);
      else
        await expect(assertNotLogged(logs, expected)).rejects.toThrow(
          new RegExp(
            `^This proves nothing, because a record almost matches:\n.* error payment.*\n.*${hint.replace(/[*{}]/g, '\\$&')}`,
          ),
        );
    },
  );

  it.each<[string, CaptureOptions['tags'], LogExpectation]>([
    ['no tags; tags are those of', undefined, '#service=payments level=error'],
    ['no tags; tags are', undefined, { '#service': 'payments' }],
    ['can arrive, so this proves nothing.', undefined, '#level=error'],
    ['have #service=pay; tags are', { service: 'pay' }, '#service=payments'],
    ['The loggers write "#service".', { service: 'pay' }, 'service=pay'],
    ['', { service: 'pay' }, '#service=pay #repo=sandbox level=error'],
    ['', { service: 'pay' }, '(#service=pay or #service=x) level=error'],
  ])('proves something only for tags that a capture can have: %s', async (message, tags, expected) => {
    const logger = info() as pino.Logger;
    const logs = await captureLogs(logger, { tags });
    onTestFinished(() => logs.close());
    for (const begin of [() => {}, () => logger.info('started')]) {
      begin();
      if (message === '') await assertNotLogged(logs, expected);
      else await expect(assertNotLogged(logs, expected)).rejects.toThrow(message);
    }
    await log(logs, [{ level: 'warn' }]);
    await assertNotLogged(logs, expected);
  });

  it('passes for a level of a child that was created later, or has logged', async () => {
    const logger = info() as pino.Logger;
    const { onChild } = logger;
    const earlier = logger.child({}, { level: 'debug' });
    const logs = await captureLogs(logger);
    await expect(assertNotLogged(logs, 'level=debug')).rejects.toThrow(
      'before it creates a child with the level',
    );
    earlier.info('started');
    await assertNotLogged(logs, 'level=debug');
    logger.child({}).child({}, { level: 'trace' });
    await assertNotLogged(logs, 'level=trace or (message=x or msg=x)');
    await logs.close();
    expect(logger.onChild).toBe(onChild);
  });

  it.each<[string, (logger: winston.Logger) => unknown]>([
    ['configure()', (logger) => logger.configure({ transports: [print()] })],
    ['clear()', (logger) => logger.clear().add(print())],
    ['remove()', (logger) => logger.remove(logger.transports[0]!)],
    ['close()', (logger) => logger.close()],
  ])('finds what a captured winston logger logs after %s', async (_, end) => {
    const logger = winston.createLogger({ transports: [print()] });
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.info('started');
    end(logger);
    logger.error('boom');
    await expect(assertNotLogged(logs, 'boom')).rejects.toThrow('Expected no matching record, found 1');
    await assertNotLogged(logs, 'bang');
  });

  it('fails if configure() has removed the transport of a tracked winston logger, until it is tracked again', async () => {
    const logs = await start();
    const logger = winston.createLogger({ transports: [new LogTransport(logs.connection)] });
    logs.track(logger);
    logger.info('started');
    await logs.flush();
    logger.configure({ transports: [print()] });
    for (const look of [() => assertNotLogged(logs, 'boom'), () => assertLoggedTimes(logs, 'started', 1)])
      await expect(look()).rejects.toThrow(
        'No record can arrive, so this proves nothing. configure(), clear()',
      );
    logger.add(new LogTransport(logs.connection));
    logs.track(logger);
    await assertNotLogged(logs, 'boom');
  });

  it.each<[string, (logs: LogTest) => (message: string) => unknown]>([
    [
      'its capture of pino has ended',
      (logs) => {
        const logger = info() as pino.Logger;
        const stop = logs.capture(logger);
        return (message) => (message === 'end' ? stop() : logger.error(message));
      },
    ],
    [
      'its capture of winston has ended',
      (logs) => {
        const logger = winston.createLogger({ transports: [print()] });
        const stop = logs.capture(logger);
        return (message) => (message === 'end' ? stop() : logger.error(message));
      },
    ],
    [
      'its tracked winston logger was closed',
      (logs) => {
        const logger = winston.createLogger({ transports: [new LogTransport(logs.connection)] });
        logs.track(logger);
        return (message) => (message === 'end' ? logger.close() : logger.error(message));
      },
    ],
    [
      'captureConsole() was undone',
      (logs) => {
        const restore = captureConsole({ ...logs.connection, worker: false });
        logs.track(restore);
        return (message) => (message === 'end' ? restore() : console.debug(message));
      },
    ],
  ])('fails if the program has logged after %s', async (what, open) => {
    const logs = await start();
    const say = open(logs);
    say('started');
    await logs.flush();
    await assertNotLogged(logs, 'boom');
    await say('end');
    if (!what.includes('undone')) await assertNotLogged(logs, 'boom');
    say('boom');
    await expect(assertNotLogged(logs, 'boom')).rejects.toThrow('Check that a record is absent before that');
  });

  it.each<[string, LogExpectation, (calls: Record<'assign' | 'spy' | 'undo', () => void>) => unknown]>([
    ['a method is mocked', 'level=error', ({ spy }) => spy()],
    ['a method is assigned', { message: 'boom' }, ({ assign }) => assign()],
    ['a spy of before is restored', 'boom', ({ undo }) => undo()],
  ])('proves something only if the console is still captured: %s', async (_, expected, change) => {
    const logs = await start();
    const own = Object.getOwnPropertyDescriptors(console);
    onTestFinished(() => void Object.defineProperties(console, own));
    const before = vi.spyOn(console, 'error').mockReturnValue();
    const restore = captureConsole({ ...logs.connection, worker: false });
    onTestFinished(() => restore());
    logs.track(restore);
    console.info('started');
    await assertNotLogged(logs, expected);
    const assign = () => Object.assign(console, { error: () => {} });
    const spy = () => vi.spyOn(console, 'error').mockImplementation(() => {});
    change({ assign, spy, undo: () => before.mockRestore() });
    console.error('boom');
    const undone = 'captureConsole() was undone, or a method of the console was replaced since.';
    await expect(assertNotLogged(logs, expected)).rejects.toThrow(`so this proves nothing. ${undone}`);
    for (const look of [
      () => assertLoggedTimes(logs, expected, 0),
      () => assertNoSecrets(logs),
      () => assertLogged(logs, expected),
    ])
      await expect(look()).rejects.toThrow(undone);
  });

  it('passes for a severity that is no level', async () => {
    const logs = await captureLogs(info());
    onTestFinished(() => logs.close());
    await assertNotLogged(logs, 'severity=high');
    await assertNotLogged(logs, { severity: 'high' });
  });

  it('waits for the records of captureConsole(), also if it is not tracked', async () => {
    const mute = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => mute.mockRestore());
    for (const end of [async () => {}, (restore: () => unknown) => void restore()]) {
      const logs = await captureLogs(info());
      onTestFinished(() => logs.close());
      const restore = captureConsole({ ...logs.connection, worker: false });
      onTestFinished(restore);
      console.error('boom');
      end(restore);
      await expect(assertNotLogged(logs, 'boom')).rejects.toThrow('found 1');
    }
  });

  it('fails if one of several loggers is silent', async () => {
    const logs = await captureLogs(silent());
    onTestFinished(() => logs.close());
    const other = info() as pino.Logger;
    logs.capture(other);
    other.info('started');
    await expect(assertNotLogged(logs, 'name=A level=error')).rejects.toThrow(
      'log info, warn, error, fatal. One logs nothing. Set the level',
    );
  });

  it('passes if the program has closed its winston logger, which then logs nothing', async () => {
    const logger = winston.createLogger({ transports: [print()] });
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.close();
    await assertNotLogged(logs, 'level=error');
  });

  it('passes for any level if a record of another process has arrived', async () => {
    const logger = info();
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.info('started');
    await expect(assertNotLogged(logs, 'level=debug')).rejects.toThrow(LEVELS);
    await log(logs, [{ level: 'warn' }]);
    await assertNotLogged(logs, 'level=debug');
  });

  it('fails if it asks for a level, and no record has one', async () => {
    const logs = await start();
    await log(logs, [{ prio: 'error' }]);
    await expect(assertNotLogged(logs, 'level=error')).rejects.toThrow('The records have no "level". Set');
  });

  it.each<[string, () => CapturableLogger, LogExpectation]>([
    ['of a logger', info, 'level=error'],
    ['in another form', info, { level: 50 }],
    ['of several', info, '(level=/^err/i or level=?level) order=*'],
    ['or another condition', info, '(level=debug or order=8) (message=x or order=8) not (level=info ms>5)'],
    ['that a step may write', info, 'case { boom | level := debug; * | x := 1 } | level=debug'],
    ['that a formatter names', gcp, 'severity=ERROR'],
    ['as a number in winston', openWinston({ format: numeric() }), 'level <= 3'],
    ['of a custom level', () => pino({ customLevels: { audit: 35 } }, sink().stream), 'level=audit'],
    ['that is in an array of another length', info, { level: 'error', ids: [1, 2], order: {} }],
    ['of records with a text that looks like a missing variable', info, 'order=/^undefined$/ undefined'],
    ['of a field that is the plural of another', info, { level: 'error', hostnames: 'a' }],
    ['of fields that differ in a number', info, { 'items[0]': 1, 'items[1]': 2, mesage: expect.anything() }],
    [
      'of a field that only resembles others',
      info,
      'names=x or host=x or id=7 or type=x or repo=x or (Level=* host_name=*)',
    ],
    ['of winston in upper case', openWinston({ format: upper() }), 'level=ERROR'],
  ])('passes for a level %s', async (_, create, expected) => {
    const logger = create() as pino.Logger;
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    logger.info('started');
    const hasParameter = String(expected).includes('?');
    await assertNotLogged(logs, expected, hasParameter ? { arguments: { level: 'fatal' } } : {});
  });

  it('fails for a level below that of the tracked entry of a multistream', async () => {
    const logs = await start();
    const stream = createPinoStream(logs.connection);
    logs.track(pino({}, pino.multistream([{ level: 'error', stream }, sink()])));
    await expect(assertNotLogged(logs, 'level=info')).rejects.toThrow('log error, fatal. Set the level');
    await assertNotLogged(logs, 'level=error');
  });

  it('passes for a level that the format of a tracked winston logger may write', async () => {
    const logs = await start();
    const transports = [new LogTransport(logs.connection)];
    const logger = winston.createLogger({ format: numeric(), transports });
    logs.track(logger);
    logger.info('started');
    await assertNotLogged(logs, 'level <= 3');
  });
});

describe('A program that does not close its log test', () => {
  it('still exits, but not while it awaits an assertion', async () => {
    const program = `import { assertEventuallyLogged, captureLogs } from 'logclient/testing';
      import pino from 'pino';
      const logger = pino({ base: null }, { write() {} });
      const logs = await captureLogs(logger);
      setTimeout(() => logger.info('late'), 100).unref();
      await assertEventuallyLogged(logs, 'msg=late');
      console.log((await logs.records()).length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 60_000,
    });
    expect(stdout).toBe('1\n');
  });
});

describe('A query in an assertion', () => {
  it('is rejected with its position if it is invalid, also by assertEventuallyLogged()', async () => {
    const logs = await start();
    const drawn =
      'The query can\'t be run. Expected a value after "=", found "(" (line 1, column 9)\n1 | service=(\n  |         ^';
    await expect(assertLogged(logs, 'service=(')).rejects.toThrow(drawn);
    await expect(assertNotLogged(logs, 'service=(')).rejects.toThrow(drawn);
    await expect(assertEventuallyLogged(logs, 'service=(', { timeoutMs: 60_000 })).rejects.toThrow(drawn);
    await expect(assertLogged(logs, '* | sortt(x)')).rejects.toThrow('Did you mean "sort"?');
  });

  it.each([
    ['level=error && order=o-2', '"&&" is SPL, KQL or Lucene. Write level=error and order=o-2 instead.'],
    ['level:error', '"level:error" is Lucene. Write level=error instead.'],
    ['groupBy(user) | count > 3', 'Did you mean "_count"?'],
  ])('is rejected with the warning of "logclient lint": %s', async (query, warning) => {
    const logs = await start();
    await log(logs, [{ level: 'error', order: 'o-2' }]);
    for (const look of [assertNotLogged(logs, query), assertLogged(logs, query), logs.records(query)])
      await expect(look).rejects.toMatchObject({
        name: 'LogOptionsException',
        message: expect.stringContaining(warning),
      });
    await assertNotLogged(logs, '"level:error"');
  });

  it('is rejected if it returns a row even when nothing was logged', async () => {
    const logs = await start();
    await expect(assertLogged(logs, 'level=error | count()')).rejects.toThrow(
      'The query returns a row even if nothing was logged, so it proves nothing: level=error | count()',
    );
    await expect(assertNotLogged(logs, 'setTimeInterval(start=1h) | count()')).rejects.toThrow(
      'proves nothing',
    );
    await log(logs, [{ level: 'error' }, { level: 'error' }]);
    await assertLogged(logs, 'level=error | count() | _count = 2');
    await assertNotLogged(logs, 'level=error | count() | _count > 2');
    await assertLogged(logs, 'level=error | groupBy(level)');
    await assertLogged(logs, 'level=error | select([level])');
  });

  it.each<[string, string]>([
    ['groupBy(user_id) | _count > 3', 'Did you mean "userId"?'],
    ['groupBy([level, usr]) | _count > 3', 'Correct the name of the field.'],
    ['groupBy(userId, function=sum(amont)) | _sum < 10', 'Did you mean "amount"?'],
    ['level=info | groupBy(shop, function=count(userId))', 'Did you mean "#shop"?'],
    ['groupBy(userId, function=max(amount)) | _max = 7', ''],
    ['level=info or severity=info | groupBy(userId)', ''],
    ['usr := lower(userId) | groupBy(usr)', ''],
    ['userId=/^(?<usr>.)/ | groupBy([usr, #shop])', ''],
    ['parseJson(msg) | groupBy(order)', ''],
    ['select([level, usr])', ''],
  ])('is rejected if it aggregates by a field that no record has: %s', async (query, advice) => {
    const logs = await start();
    await log(
      logs,
      Array(4).fill({ level: 'info', userId: 'a', amount: 7, '#shop': 'x', msg: '{"order":1}' }),
    );
    if (advice === '') await assertLogged(logs, query);
    else
      await expect(assertLogged(logs, query)).rejects.toThrow(
        new RegExp(`No record has .*\n.*${advice}`.replace('?', '\\?')),
      );
  });

  it('is rejected by assertions on count or order if its rows are not records', async () => {
    const logs = await start();
    await log(logs, [{ level: 'error' }]);
    const query = 'level=error | groupBy(level)';
    await expect(assertLoggedTimes(logs, query, 1)).rejects.toThrow(
      'Counting needs records, but this query returns rows without "@id"',
    );
    await expect(assertLoggedInOrder(logs, [query])).rejects.toThrow(
      'Checking the order needs records, but this query returns rows without "@id"',
    );
  });
});

describe('Invalid arguments', () => {
  it.each<[keyof typeof logMatchers, unknown[], string]>([
    [
      'toHaveLogged',
      [expect.objectContaining({ level: 'error' })],
      'or an object of fields, such as { message',
    ],
    [
      'toHaveLogged',
      ['level=error', { star: 1 }],
      'toHaveLogged has no option "star". Did you mean "start"?',
    ],
    ['toHaveLogged', ['level=error', { timeoutMs: 5 }], 'toHaveLogged has no option "timeoutMs".'],
    ['toHaveLogged', ['order=?id', { arguments: { id: undefined } }], 'the parameter "id" has no value, so'],
    [
      'toHaveLogged',
      ['order=?id'],
      'toHaveLogged: the parameter "id" has no value, so it would match any value.',
    ],
    [
      'toHaveLoggedInOrder',
      [['a=?{id=1}', 'b=?orderr'], { arguments: { order: 1 } }],
      'Did you mean "orderr"?',
    ],
    ['toHaveLoggedTimes', [{ a: 1 }, 1, { arguments: { a: 1 } }], 'the query has no parameter "a".'],
    ['toHaveLoggedTimes', ['level=error', {}], 'or a range { min, max } (got {}).'],
    ['toHaveLoggedTimes', ['level=error', { min: 2, max: 1 }], '(got { min: 2, max: 1 }).'],
    ['toHaveLoggedTimes', ['level=error', { min: 0 }], '(got { min: 0 }).'],
    ['toHaveLoggedTimes', ['level=error', { max: 1.5 }], '(got { max: 1.5 }).'],
    ['toHaveLoggedTimes', ['level=error', Infinity], '(got Infinity).'],
    ['toHaveLoggedTimes', ['level=error', { mim: 2 }], '"times" of toHaveLoggedTimes has no option "mim".'],
    [
      'toHaveLoggedTimes',
      ['level=error'],
      'a whole number of at least 0, or a range { min, max } (got undefined).',
    ],
    [
      'toHaveLoggedTimes',
      ['level=error', -1],
      'a whole number of at least 0, or a range { min, max } (got -1).',
    ],
    [
      'toHaveLoggedInOrder',
      ['level=error'],
      'expects an array of queries or objects of fields (got "level=error").',
    ],
    ['toHaveLoggedInOrder', [[]], 'expects an array of queries or objects of fields (got an empty array).'],
    ['toEventuallyHaveLogged', ['level=error', { timeoutMs: 0 }], '"timeoutMs" must be a whole number'],
    ['toEventuallyHaveLogged', ['level=error', { timeoutMs: null }], '"timeoutMs" must be a whole number'],
    ['toHaveLogged', ['level=error', { start: null }], '"start" must be whole epoch milliseconds'],
    [
      'toEventuallyHaveLogged',
      ['level=error', { times: { max: 1 } }],
      'of at least 1, or a range { min, max } above 0',
    ],
    [
      'toHaveLogged',
      ['a=1', {}, 'twice'],
      'toHaveLogged has no such argument (got "twice" as the last one).',
    ],
    ['toHaveNoSecrets', [{}, 1], 'toHaveNoSecrets has no such argument (got 1'],
    ['toHaveLoggedInOrder', [['a=1'], {}, 1], 'toHaveLoggedInOrder has no such argument (got 1'],
    ['toHaveDropped', ['x'], 'toHaveDropped has no such argument (got "x" as the last one).'],
    ['toEventuallyHaveLogged', ['level=error', 100], 'the options must be an object (got 100)'],
    ['toEventuallyHaveLogged', ['level=error', true], 'the options must be an object (got true)'],
  ])('are rejected: %s with %j', async (matcher, args, message) => {
    const logs = await start();
    const call = logMatchers[matcher] as (this: object, ...args: unknown[]) => Promise<unknown>;
    await expect(call.call({}, logs, ...args)).rejects.toThrow(message);
  });

  it('are rejected by captureLogs, which knows its own options and those of startLogTest and capture', async () => {
    const options = { quite: true } as never;
    await expect(captureLogs(pino(), options)).rejects.toThrow(
      'captureLogs has no option "quite". Did you mean "quiet"?',
    );
  });

  it('are rejected: a value that is not a LogTest, and not.toEventuallyHaveLogged', async () => {
    await expect(logMatchers.toHaveLogged.call({}, startLogTest, '*')).rejects.toThrow(
      'toHaveLogged expects the result of startLogTest() or captureLogs() (got a function).',
    );
    await expect(logMatchers.toHaveLogged.call({}, undefined, '*')).rejects.toThrow(
      "(got undefined). Both return a promise: add `await`. In vitest, the fixture needs import { logTest as test } from 'logclient/testing/vitest'.",
    );
    const logs = await start();
    await expect(assertLogged('x' as never, logs as never)).rejects.toThrow(
      'assertLogged expects the result of startLogTest() or captureLogs() (got "x").',
    );
    await expect(logMatchers.toEventuallyHaveLogged.call({ isNot: true }, logs, '*')).rejects.toThrow(
      'not.toEventuallyHaveLogged is not supported: it would wait forever.',
    );
  });
});

describe('An assertion without await', () => {
  it('fails the test at its end', async () => {
    const logs = await startLogTest();
    void logMatchers.toHaveLogged.call({}, logs, '*');
    await expect(logs.close()).rejects.toThrow(
      expect.objectContaining({
        code: 'LOG_NOT_AWAITED',
        message: expect.stringMatching(
          /^Still running when the test ended: `toHaveLogged\(\)`\. Add `await`/,
        ),
      }),
    );
  });

  it('does not delay the end of the test until its timeout', async () => {
    const logs = await startLogTest();
    void assertEventuallyLogged(logs, '*', { timeoutMs: 600_000 });
    await expect(logs.close()).rejects.toThrow(
      'Still running when the test ended: `assertEventuallyLogged()`',
    );
  });
});

describe('A captured pino logger', () => {
  it('is captured with its children and their levels, and works as before', async () => {
    const { stream, text } = sink();
    const hooks = { streamWrite: (line: string) => line.replace('4111', '****') };
    const logger = pino({ base: null, customLevels: { audit: 35 }, redact: ['card'], hooks }, stream);
    const child = logger.child({ service: 'payments' });
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    child.error({ err: new Error('timeout'), card: '4111' }, 'charge failed');
    logger.audit('refunded to 4111');
    child.child({}, { customLevels: { loud: 45 } }).loud('own level');
    pino(sink().stream).info('not of this logger');
    await assertLogged(logs, {
      level: 'error',
      service: 'payments',
      card: '[Redacted]',
      err: { message: 'timeout' },
    });
    expect((await logs.records()).map(({ level, msg }) => [level, msg])).toEqual([
      ['error', 'charge failed'],
      ['audit', 'refunded to ****'],
      ['loud', 'own level'],
    ]);
    expect(text().trim().split('\n')).toHaveLength(3);
  });

  it('is restored when the capture or the test ends', async () => {
    const logger = pino(sink().stream);
    const logs = await start();
    const stop = logs.capture(logger);
    logger.info('first');
    await stop();
    await stop();
    logger.info('second');
    expect((await logs.records()).map(({ msg }) => msg)).toEqual(['first']);
  });

  it('prints nothing while it is captured quietly, and prints again afterward', async () => {
    const { stream, text } = sink();
    const logger = pino({ base: null, timestamp: false }, stream);
    const child = logger.child({ from: 'child' });
    const logs = await captureLogs(logger, { quiet: true });
    logger.info('seen');
    child.info('seen');
    await assertLoggedTimes(logs, 'msg=seen', 2);
    const nested = await start();
    nested.capture(child, { quiet: true });
    child.info('seen by both');
    await nested.close();
    await assertLogged(logs, '"seen by both"');
    await logs.close();
    logger.info('written');
    child.info('written');
    expect(text().trim().split('\n')).toEqual([
      '{"level":30,"msg":"written"}',
      '{"level":30,"from":"child","msg":"written"}',
    ]);
  });

  it('is rejected if it is older than pino 9.10 or not a logger', async () => {
    const logs = await start();
    const old = { version: '9.9.5', level: 'info', levels: { labels: {} }, child: () => {} };
    expect(() => logs.capture(old)).toThrow('capture requires pino 9.10 or later (got 9.9.5).');
    await expect(captureLogs({} as never)).rejects.toThrow('capture expects the logger that pino() or');
    await expect(captureLogs(console as never)).rejects.toThrow(
      /For a console, track captureConsole\(logs\.connection\) of logclient\/console\.$/,
    );
  });

  it('is captured if it is a logger of pino 9.10', async () => {
    const logs = await start();
    const logger = Object.create(pino(sink().stream), { version: { value: '9.10.0' } });
    expect(() => logs.capture(logger)).not.toThrow();
  });

  it('is rejected if it, its parent or its child is already captured', async () => {
    const logger = pino({ base: null }, sink().stream);
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    expect(() => logs.capture(logger)).toThrow('capture: this logger is already captured');
    expect(() => logs.capture(logger.child({}))).toThrow('capture: its parent is already captured');
    expect(() => logs.track(logger)).toThrow('track: this logger is already captured');
    const shipper = pino(createPinoStream(logs.connection));
    logs.track(shipper);
    expect(() => logs.capture(shipper.child({}))).toThrow('capture: its parent is already tracked, so its');
    const child = winston.createLogger().child({});
    const stop = logs.capture(child);
    expect(() => logs.capture(Object.getPrototypeOf(child))).toThrow('capture: a child of this logger is');
    await stop();
    logs.capture(child);
  });

  it('cannot be the pino or winston module', async () => {
    const logs = await start();
    for (const module of [winston, pino, null])
      expect(() => logs.capture(module as never)).toThrow('capture expects the logger that pino() or');
  });

  it('adds a hint to the message if nothing was logged at its level', async () => {
    const logs = await captureLogs(pino(sink().stream));
    onTestFinished(() => logs.close());
    const { message } = await logMatchers.toHaveLogged.call({}, logs, '*');
    expect(message()).toMatch(
      /Nothing was logged\.\nThe captured and tracked loggers log info, warn, error, fatal\.\nCheck that the code uses this instance, /,
    );
  });

  it('adds a hint to the message if it is silent', async () => {
    const logs = await captureLogs(pino({ level: 'silent' }, sink().stream));
    onTestFinished(() => logs.close());
    const { message } = await logMatchers.toHaveLogged.call({}, logs, '*');
    expect(message()).toMatch(/Nothing was logged\.\nThe captured and tracked loggers log nothing\.\n/);
  });

  it('is captured while a test uses fake timers', async () => {
    const logger = pino(sink().stream);
    const logs = await captureLogs(logger);
    onTestFinished(() => logs.close());
    vi.useFakeTimers({ now: NINE });
    onTestFinished(() => void vi.useRealTimers());
    logger.info('in the past');
    await assertLogged(logs, '"in the past"', { start: NINE, end: NINE });
    await expect(assertEventuallyLogged(logs, 'never', { timeoutMs: 500 })).rejects.toThrow('Waited ');
    await using idle = await captureLogs(pino(sink().stream));
    await expect(assertLogged(idle, '*')).rejects.toThrow('Fake timers are on: ');
    vi.useRealTimers();
    await expect(assertLogged(idle, '*')).rejects.not.toThrow('Fake timers are on: ');
    mock.timers.enable({ apis: ['setTimeout'] });
    onTestFinished(() => mock.timers.reset());
    await expect(assertLogged(idle, '*')).rejects.toThrow('Fake timers are on: ');
    mock.timers.reset();
    vi.useFakeTimers({ now: NINE });
    logs.track({ flush: () => new Promise(() => {}) });
    await expect(logs.flush()).rejects.toThrow('Fake timers are on: retries and timers of your code wait');
  });
});

describe('A captured winston logger', () => {
  it('is captured with errors and children, and gets its own transports back at the end', async () => {
    const { stream, text } = sink();
    const own = new winston.transports.Stream({ stream });
    const logger = winston.createLogger({ transports: [own] });
    const logs = await captureLogs(logger);
    logger.child({ service: 'billing' }).error('invoice not sent', { cause: new Error('mailbox is full') });
    logger.debug('below the level');
    await assertLogged(logs, { level: 'error', service: 'billing', cause: { message: 'mailbox is full' } });
    await assertLoggedTimes(logs, '*', 1);
    await logs.close();
    expect(logger.transports).toEqual([own]);
    expect(text().trim().split('\n')).toHaveLength(1);
  });
});

describe('The records of a captured winston logger', () => {
  const print = (level: string | undefined, silent = false) =>
    new winston.transports.Stream({ stream: sink().stream, silent, ...(level && { level }) });
  const open = (...levels: (string | undefined)[]): winston.Logger =>
    winston.createLogger({ level: 'info', transports: levels.map((level) => print(level)) });
  const messages = async (logs: LogTest): Promise<unknown[]> =>
    (await logs.records()).map(({ message }) => message);

  it.each([false, true])('include those of its most verbose transport (quiet: %s)', async (quiet) => {
    const logger = open(undefined, 'debug', 'error');
    const logs = await captureLogs(logger, { quiet });
    for (const level of ['silly', 'debug', 'info', 'error']) logger.log(level, level);
    await expect(assertNotLogged(logs, 'level=debug')).rejects.toThrow('debug');
    expect(await messages(logs)).toEqual(['debug', 'info', 'error']);
    logger.transports[1]!.level = 'silly';
    logger.log('silly', 'later');
    expect(await messages(logs)).toEqual(['debug', 'info', 'error', 'later']);
    await logs.close();
  });

  it.each<[string, () => winston.Logger]>([
    ['less verbose', () => open('error')],
    ['silent', () => open().add(print('silly', true))],
    ['missing', () => open()],
  ])('are those of its own level if its transports are %s', async (_, create) => {
    const logger = create();
    const logs = await captureLogs(logger);
    for (const level of ['debug', 'info']) logger.log(level, level);
    expect(await messages(logs)).toEqual(['info']);
    await logs.close();
  });
});

describe('A winston logger that is captured quietly', () => {
  it('prints nothing until the test ends', async () => {
    const { stream, text } = sink();
    const silent = new winston.transports.Console({ silent: true });
    const logger = winston.createLogger({
      format: winston.format.simple(),
      transports: [new winston.transports.Stream({ stream }), silent],
    });
    const logs = await captureLogs(logger, { quiet: true });
    logger.info('seen');
    await assertLogged(logs, 'message=seen');
    await logs.close();
    logger.info('written');
    expect(text()).toBe('info: written\n');
    expect(silent.silent).toBe(true);
  });
});

describe('A tracked logger', () => {
  it('is flushed before an assertion: pino stream, pino logger, winston logger, ingester', async () => {
    const logs = await start();
    const streams = [createPinoStream(logs.connection), createPinoStream(logs.connection)];
    const transport = new LogTransport({ ...logs.connection, worker: false });
    const winstonLogger = winston.createLogger({ transports: [transport] });
    const ingester = new Ingester(logs.connection);
    onTestFinished(async () => {
      await ingester.close();
      winstonLogger.close();
      for (const stream of streams) stream.end();
    });
    const [first, second] = streams.map((stream) => pino(stream));
    for (const shipper of [streams[0]!, second!, winstonLogger, ingester]) logs.track(shipper);
    first!.info('one');
    second!.info('two');
    winstonLogger.info('three');
    ingester.add({ attributes: { msg: 'four' } });
    expect((await logs.records()).map(({ msg, message }) => msg ?? message).sort()).toEqual([
      'four',
      'one',
      'three',
      'two',
    ]);
    for (const wrong of [{}, null, 5])
      expect(() => logs.track(wrong as object)).toThrow('track expects a pino or winston logger');
    for (const logger of [pino(sink().stream), winston.createLogger()])
      expect(() => logs.track(logger)).toThrow('track: no stream or transport of this logger is one of');
  });
});
