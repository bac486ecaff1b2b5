import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lql } from '../../src/index.ts';
import {
  assertLogged,
  assertLoggedInOrder,
  assertLoggedTimes,
  assertNotLogged,
  type LogExpectation,
  type LogFields,
  type LogTest,
  logMatchers,
  startLogTest,
} from '../../src/testing/index.ts';
import { cases } from '../helpers/laws.ts';
import { log, NINE } from './log.ts';

const OTHER_COPY = '../../src/testing/expectations/field-pattern.ts?copy';

describe('A pattern for records', () => {
  let logs: LogTest;

  beforeAll(async () => {
    logs = await startLogTest();
    await log(logs, [
      {
        level: 'error',
        msg: 'card declined',
        status: 402,
        ok: false,
        reason: null,
        big: '9007199254740993',
        err: { type: 'CardError', tries: [{ ms: 12 }, { ms: 30 }] },
        at: '2026-03-02T09:00:00.000Z',
        atMs: NINE,
        ids: ['7', 8],
        forms: ['1.0', '1e3', '0x10', '007'],
        'http.request': { path: '/pay' },
      },
      { level: 'WARN', message: 'slow', status: 'x402', empty: '' },
      { level: 50, msg: 'unlabeled' },
    ]);
  });

  afterAll(() => logs.close());

  it('is no regular expression and no list, also for the compiler, but any object with fields', async () => {
    // @ts-expect-error A regular expression has no fields.
    await expect(logs.records(/declined/)).rejects.toThrow('expects a query or an object of fields');
    // @ts-expect-error A list has no names.
    await expect(logs.records([{ level: 'error' }])).rejects.toThrow(
      'expects a query or an object of fields',
    );
    const fields: { level?: string } & object = new (class Fields {
      readonly level = 'error';
    })();
    expect(await logs.records(fields)).toHaveLength(2);
  });

  it('means the same to a second copy of the kit, such as that of a setup file', async () => {
    const own = await import('../../src/testing/expectations/field-pattern.ts');
    const copy: typeof own = await import(`${OTHER_COPY}`);
    expect(copy.flattenFields).not.toBe(own.flattenFields);
    copy.addNames({ 77: 'urgent' }, 'said');
    const record = { said: 'x', level: '77', 'roles[0]': 'admin' };
    const fields = { message: 'x', level: 'urgent', roles: ['admin'], user: {} };
    const patterns = [...copy.flattenFields('copy', fields)];
    expect(patterns.filter(([name, pattern]) => !own.fits(record, name, pattern))).toEqual([]);
  });

  const count = async (expected: LogFields): Promise<number> => (await logs.records(expected)).length;

  it.each<[string, LogFields, number]>([
    ['a text, as a whole', { msg: 'card declined' }, 1],
    ['a part of a text, which is not enough', { msg: 'card' }, 0],
    ['a number', { status: 402 }, 1],
    ['a number written as text', { status: '402' }, 1],
    ...[1, 1000, 16, 7].map((id, at): [string, LogFields, number] => [
      `${id}, but not another text of this number`,
      { [`forms[${at}]`]: id },
      0,
    ]),
    ['a number where the text is empty', { empty: 0 }, 0],
    ['a boolean', { ok: false }, 1],
    ['null', { reason: null }, 1],
    ['a big integer', { big: 9007199254740993n }, 1],
    ['a regular expression', { msg: /^card/ }, 1],
    ['a nested object', { err: { type: 'CardError' } }, 1],
    ['the dotted name of a nested field', { 'err.type': 'CardError' }, 1],
    ['arrays by place', { err: { tries: [{ ms: 12 }, { ms: expect.any(Number) }] } }, 1],
    ['a field that must not be there', { err: undefined, status: undefined, msg: /./ }, 1],
    ['`message` for the msg of pino', { message: 'card declined' }, 1],
    ['the name of a level in any case', { level: 'Warn' }, 1],
    ['the name of a level that was shipped as pino numbers it', { level: 'error' }, 2],
    ['the number of a level that was shipped by name', { level: 40 }, 1],
    ['a matcher for texts', { msg: expect.stringContaining('declined') }, 1],
    ['a matcher for numbers, in a text that is one', { status: expect.any(Number) }, 1],
    ['a matcher for numbers where the text is empty', { empty: expect.any(Number) }, 0],
    ['a matcher for booleans', { ok: expect.any(Boolean) }, 1],
    ['a matcher for booleans where the text is neither', { status: expect.any(Boolean) }, 0],
    ['a matcher that is turned around', { status: expect.not.stringContaining('x') }, 1],
    ['a matcher for any type, which receives the value as logged', { status: expect.toBeOneOf([402]) }, 1],
    ['a matcher for any type, for which text is no number', { big: expect.toSatisfy(Number.isFinite) }, 0],
    ['an object that must not be there, not even with one field', { msg: 'card declined', err: {} }, 0],
    ['an array that must not be there, not even with one element', { ids: [], status: 402 }, 0],
    ['an empty object, for no such fields', { err: {}, level: /./ }, 2],
    ['an array as a whole', { ids: ['7', 8] }, 1],
    ['the first elements of an array, which are not enough', { ids: ['7'] }, 0],
    ['the first elements of a nested array', { err: { tries: [{ ms: 12 }] } }, 0],
    ['more elements than an array has', { ids: ['7', 8, 9] }, 0],
    ['an empty array, for no such fields', { ids: [], level: /./ }, 2],
    ['an empty object where there is a text', { msg: {}, status: 402 }, 0],
    ['a matcher for objects', { err: expect.objectContaining({ type: 'CardError' }) }, 1],
    ['a matcher for objects, which another value fails', { err: expect.objectContaining({ type: 'x' }) }, 0],
    ['a matcher for arrays', { err: { tries: expect.arrayContaining([{ ms: 30 }]) } }, 1],
    ['a matcher for arrays, which a missing element fails', { ids: expect.arrayContaining([9]) }, 0],
    ['a matcher for arrays with texts and numbers as logged', { ids: expect.arrayContaining(['7', 8]) }, 1],
    ['a matcher for arrays where a number is no text', { ids: expect.arrayContaining(['8']) }, 0],
    [
      'a matcher that is turned around, for objects',
      { err: expect.not.objectContaining({ type: 'CardError' }) },
      0,
    ],
    ['a matcher for a type', { err: expect.any(Object), ids: expect.any(Array) }, 1],
    [
      'a matcher for what is inside of a dotted name',
      { http: { request: expect.objectContaining({ path: '/pay' }) } },
      1,
    ],
    ['a matcher for what would be inside of a text', { 'msg.0': expect.any(String) }, 0],
    ['a date, as ISO text', { at: new Date(NINE) }, 1],
    ['a date, as epoch milliseconds', { atMs: new Date(NINE) }, 1],
    ['another date', { at: new Date(NINE + 1) }, 0],
  ])('matches the expected number of records with %s', async (_what, expected, times) => {
    expect(await count(expected)).toBe(times);
  });

  it('ignores the lastIndex of a global regular expression', async () => {
    const pattern = /card/g;
    expect([await count({ msg: pattern }), await count({ msg: pattern })]).toEqual([1, 1]);
  });

  it('can be a query created with lql', async () => {
    await assertLogged(logs, lql`msg=${'card declined'} status=${402}`);
    await assertNotLogged(logs, lql`msg=${'card + declined'}`);
  });

  it.each<[unknown, string]>([
    ...['', '// order=o-17', '""', '**', 'order:="o-17"', 'true | a := 1'].map((query): [unknown, string] => [
      query,
      'records: the query has no filter. Use "*" to match any record.',
    ]),
    [{}, 'records: the object has no fields. Use the query "*" to match any record.'],
    ...[{ 'user id': undefined }, { 'user id': {}, order: [] }].map((expected): [unknown, string] => [
      expected,
      'records: "user id" is undefined and no other field has a value, so any record without it would match. If you mean that, use the query "user id"!=*',
    ]),
    [{ ms: Number.NaN }, expect.stringContaining('(got NaN).')],
    [{ msg: /(?:)/ }, expect.stringContaining('(got an empty RegExp).')],
    [{ level: ['error'] }, expect.stringContaining('or an object of these (got an array).')],
    [[], 'records expects a query or an object of fields, such as { message: /…/ } (got an array).'],
    [
      { at: new Date(Number.NaN) },
      'records: the field "at" must be a string, a number, a boolean, a Date, a RegExp, a matcher such as expect.stringContaining(), or an object of these (got an invalid Date).',
    ],
    [7, 'records expects a query or an object of fields, such as { message: /…/ } (got 7).'],
    [new Map(), expect.stringContaining('(got a Map).')],
    [new Error('x'), expect.stringContaining('(got a Error).')],
    [Promise.resolve(), expect.stringContaining('(got a promise: await it).')],
    [/card/, 'records expects a query or an object of fields, such as { message: /…/ } (got /card/).'],
    [
      { err: { code: () => 1 } },
      'records: the field "err.code" must be a string, a number, a boolean, a Date, a RegExp, a matcher such as expect.stringContaining(), or an object of these (got a function).',
    ],
  ])('cannot be %j', async (expected, message) => {
    await expect(logs.records(expected as LogExpectation)).rejects.toThrow(
      expect.objectContaining({ name: 'LogOptionsException', message }),
    );
  });
});

describe('Matchers and client.query()', () => {
  const levels = ['info', 'warn', 'error'] as const;
  const services = ['shop', 'mails'] as const;
  const record = fc.record({
    level: fc.constantFrom(...levels),
    service: fc.constantFrom(...services),
    status: fc.integer({ min: 198, max: 203 }),
  });
  const condition = fc.oneof(
    fc.constantFrom(...levels).map((level) => ({ query: `level=${level}`, fields: { level } as LogFields })),
    fc
      .constantFrom(...services)
      .map((service) => ({ query: `service=${service}`, fields: { service } as LogFields })),
    fc
      .integer({ min: 198, max: 203 })
      .map((status) => ({ query: `status=${status}`, fields: { status } as LogFields })),
  );

  it('agree on any records and conditions: queries, fields, times and order', async () => {
    await using logs = await startLogTest();
    // Without any record, their absence would prove nothing.
    await log(logs, [{ level: 'info' }], NINE - 1);
    let next = NINE;
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 6 }),
        fc.uniqueArray(condition, {
          minLength: 1,
          maxLength: 3,
          selector: ({ fields }) => Object.keys(fields)[0],
        }),
        async (records, conditions) => {
          // A separate minute in the same repository.
          const interval = { start: next, end: next + 59_999 };
          await log(logs, records, next);
          next += 60_000;
          const query = conditions.map((part) => part.query).join(' ');
          const fields: LogFields = Object.assign({}, ...conditions.map((part) => part.fields));
          const rows = await logs.client.query(query, interval);
          const { pass } = await logMatchers.toHaveLogged.call({}, logs, query, interval);
          expect(pass).toBe(rows.length > 0);
          await assertLoggedTimes(logs, query, rows.length, interval);
          // Two conditions on one field become one member of an object, which may match more.
          const isOnePerField = Object.keys(fields).length === conditions.length;
          if (isOnePerField) await assertLoggedTimes(logs, fields, rows.length, interval);
          if (records.length > 0) {
            const order = records.map(({ level, status }) => ({ level, status }));
            await assertLoggedInOrder(logs, order, interval);
          }
        },
      ),
      cases(10),
    );
  });
});
