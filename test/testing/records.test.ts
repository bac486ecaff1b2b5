import fc from 'fast-check';
import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import {
  assertLogged,
  assertNotLogged,
  captureLogs,
  type LogTest,
  startLogTest,
} from '../../src/testing/index.ts';
import { captureConsole } from '../../transports/capture/console/index.ts';
import { cases } from '../helpers/laws.ts';
import { type LogFields, log, NINE } from './log.ts';

const isOfService = (name: string): boolean => name.startsWith('@') || name.startsWith('#');

describe('logs.records()', () => {
  it("returns any JSON object as it was logged, followed by the service's fields", async () => {
    const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}(\.[a-z])?$/), fc.jsonValue(), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 5 }), async (records) => {
        await using logs = await startLogTest();
        await log(logs, records as LogFields[]);
        const returned = await logs.records();
        const own = returned.map((record) => Object.entries(record).filter(([name]) => !isOfService(name)));
        expect(own.map((entries) => Object.fromEntries(entries))).toEqual(
          JSON.parse(JSON.stringify(records)),
        );
        for (const record of returned) {
          const names = Object.keys(record);
          expect(names.slice(names.findIndex(isOfService)).every(isOfService)).toBe(true);
        }
      }),
      cases(10),
    );
  });

  it('returns flat fields if the raw string of a record is not JSON', async () => {
    await using logs = await startLogTest();
    const attributes = { status: 200, err: { code: 'E1' } };
    await logs.client.ingestJsonData([{ events: [{ timestamp: NINE, rawstring: 'not JSON', attributes }] }]);
    const expected = { status: '200', 'err.code': 'E1', '@timestamp': NINE, '@rawstring': 'not JSON' };
    expect(await logs.records()).toMatchObject([expected]);
  });

  it('returns integers that a number would round as strings', async () => {
    const logger = pino({}, { write() {} });
    await using logs = await captureLogs(logger);
    logger.info({
      id: 9007199254740993n,
      n: -12345678901234567890n,
      even: 2 ** 60,
      x: 0.1234567890123456,
      s: '{"id":9007199254740993}',
    });
    const [record] = await logs.records({ id: 9007199254740993n });
    expect(record).toMatchObject({
      id: '9007199254740993',
      n: '-12345678901234567890',
      x: 0.1234567890123456,
      s: '{"id":9007199254740993}',
    });
    expect(record).toMatchObject({ even: 2 ** 60 });
    expect(await logs.snapshot()).toMatchObject([{ id: '9007199254740993' }]);
  });

  it('returns the rows of an aggregate as client.query() does', async () => {
    await using logs = await startLogTest();
    await log(logs, [{ user: 'eve' }, { user: 'eve' }]);
    expect(await logs.records('groupBy(user)')).toEqual([{ user: 'eve', _count: '2' }]);
  });
});

describe('logs.snapshot()', () => {
  it("omits times, process, host, stack frames and the service's fields", async () => {
    const logger = pino({ name: 'payments' }, { write() {} });
    await using logs = await captureLogs(logger);
    logger.info({ amount: 10 }, 'charged');
    logger.error({ err: new TypeError('card\ndeclined', { cause: new Error('expired') }) }, 'failed');
    expect(await logs.snapshot()).toMatchInlineSnapshot(`
      [
        {
          "amount": 10,
          "level": "info",
          "msg": "charged",
          "name": "payments",
        },
        {
          "err": {
            "message": "card
      declined: expired",
            "stack": "TypeError: card
      declined",
            "type": "TypeError",
          },
          "level": "error",
          "msg": "failed",
          "name": "payments",
        },
      ]
    `);
    expect(await logs.snapshot({ level: 'info' })).toHaveLength(1);
  });
});

it('logs.snapshot() omits the stack frames of an error that the console prints', async () => {
  await using logs = await startLogTest();
  const restore = captureConsole({ ...logs.connection, worker: false });
  const mute = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  console.error(new Error('bad', { cause: new Error('worse') }), 'then');
  mute.mockRestore();
  await restore();
  const message = 'Error: bad {\n  [cause]: Error: worse\n} then';
  expect(await logs.snapshot()).toMatchObject([{ message, error: { stack: 'Error: bad' } }]);
});

describe('A search', () => {
  const SEARCHES = [
    ['records', (logs: LogTest, query: string) => logs.records(query)],
    ['snapshot', (logs: LogTest, query: string) => logs.snapshot(query)],
  ] as const;

  it.each(SEARCHES)('of %s() without a result fails if no matching record can arrive', async (_, search) => {
    const logger = pino({}, { write() {} });
    await using logs = await captureLogs(logger);
    logger.error('boom');
    expect(await search(logs, 'level=error msg=other')).toEqual([]);
    for (const query of ['level=errors', 'level=errors | count()'])
      await expect(search(logs, query)).rejects.toThrow('can arrive, so this proves nothing');
    await using idle = await startLogTest();
    await expect(search(idle, 'level=error')).rejects.toThrow('No logger is captured or tracked');
  });

  it.each([
    ['', 'waitFor: the query has no filter'],
    ['order=zzz | count()', 'The query returns a row even if nothing was logged'],
    ['order=?order', 'waitFor: the parameter "order" has no value'],
  ])('of client.waitFor(%j) fails as that of a matcher', async (query, message) => {
    await using logs = await startLogTest();
    await log(logs, [{ order: 'o-17' }]);
    await expect(logs.client.waitFor(query)).rejects.toThrow(message);
  });

  it('of client.waitFor() that times out shows the query without secrets, and the closest records', async () => {
    await using logs = await startLogTest();
    await log(logs, [{ order: 'o-17' }], Date.now());
    expect(await logs.client.waitFor('count()', ([row]) => row?._count === '1')).toHaveLength(1);
    await expect(logs.client.waitFor('order=zzz password=hunter2', 1, { timeoutMs: 1 })).rejects.toThrow(
      /for 1 row\(s\) of order=zzz password=\[redacted\]; .*\n\nThe only record:\n.*order=o-17\n.*order=zzz: order is o-17/,
    );
  });
});

it.each<[string, (client: LogTest['client']) => Promise<unknown>]>([
  ['query()', async (client) => (await client.query('boom'))[0]],
  ['streamingQuery()', async (client) => (await client.streamingQuery('boom').next()).value],
  ['createQueryJob()', async (client) => (await (await client.createQueryJob('boom')).poll()).events[0]],
  ['waitFor()', async (client) => (await client.waitFor('boom'))[0]],
])('%s of logs.client finds what was logged before', async (_, search) => {
  const logger = pino({}, { write() {} });
  await using logs = await captureLogs(logger);
  logger.error('boom');
  expect(await search(logs.client)).toMatchObject({ msg: 'boom' });
});

it('logs.client still shows what has arrived if other records do not, and does not exceed the time limit of a search', async () => {
  await using logs = await startLogTest();
  await log(logs, [{ msg: 'here' }], Date.now());
  logs.track({ flush: () => new Promise(() => {}) });
  expect(await logs.client.query('*')).toHaveLength(1);
  const late = logs.client.query('*', { signal: AbortSignal.abort() });
  await expect(late).rejects.toThrow('aborted');
});

it('Custom levels and the messageKey of a pino logger are names of the level and the message', async () => {
  const logger = pino({ customLevels: { audit: 35 }, messageKey: 'text' }, { write() {} });
  await using logs = await captureLogs(logger);
  logger.audit('boom');
  await assertLogged(logs, { level: 35, message: 'boom' });
  await expect(assertNotLogged(logs, { level: 35, message: 'boom' })).rejects.toThrow('found 1');
});

it('Nested levels of a pino formatter are fields with dots', async () => {
  const logger = pino({ formatters: { level: (label) => ({ log: { level: label } }) } }, { write() {} });
  await using logs = await captureLogs(logger);
  await expect(assertNotLogged(logs, { log: { level: 'errors' } })).rejects.toThrow(
    'log info, warn, error, fatal. Set',
  );
  await assertNotLogged(logs, { log: { level: 'error' } });
});
