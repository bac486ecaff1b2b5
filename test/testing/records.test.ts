import fc from 'fast-check';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { captureLogs, startLogTest } from '../../src/testing/index.ts';
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
