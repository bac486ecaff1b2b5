import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectationQuery, resolveExpectation } from '../../src/testing/expectations/expectation.ts';
import { addNames } from '../../src/testing/expectations/field-pattern.ts';
import { type LogFields, type LogTest, startLogTest } from '../../src/testing/index.ts';
import { log } from './log.ts';

describe('The query for expected fields', () => {
  let logs: LogTest;

  beforeAll(async () => {
    logs = await startLogTest();
    addNames({ 35: 'audit' }, 'said');
    await log(logs, [
      { level: 'error', msg: 'card declined', status: 402, ok: false, reason: null },
      { level: 'WARN', message: 'card declined', status: '402', 'odd name': 'x' },
      { level: 50, msg: 'a*b (1/2) [x] \\d', err: { code: 'E1' } },
      { level: 35, said: 'hello' },
      { level: 'errors', msg: 'axb', big: '9007199254740993', quote: '"; | drop' },
    ]);
  });

  afterAll(() => logs.close());

  const found = async (fields: LogFields): Promise<[unknown[], unknown[]]> => {
    const query = expectationQuery(resolveExpectation('test', fields));
    const ids = async (expected: string | LogFields) =>
      (await logs.records(expected)).map((record) => record['@id']);
    return [await ids(query === '' ? '*' : query), await ids(fields)];
  };

  it.each<[string, LogFields, number]>([
    ['a string', { msg: 'card declined' }, 1],
    ['a string with wildcards and the characters of expressions', { msg: 'a*b (1/2) [x] \\d' }, 1],
    ['a string with quotes', { quote: '"; | drop' }, 1],
    ['a number', { status: 402 }, 2],
    ['a big integer', { big: 9007199254740993n }, 1],
    ['a boolean', { ok: false }, 1],
    ['null', { reason: null }, 1],
    ['a regular expression', { msg: /^CARD/i }, 1],
    ['a nested field', { err: { code: 'E1' } }, 1],
    ['a name that must be quoted', { 'odd name': 'x' }, 1],
    ['`message`, which is also the msg of pino', { message: 'card declined' }, 2],
    ['a level in any case, and as a number of pino', { level: 'Error' }, 2],
    ['the number that pino gives a level, which others name', { level: 50 }, 2],
    ['a level of the logger, as its number', { level: 'AUDIT' }, 1],
    ['a message that a logger writes under another name', { message: 'hello' }, 1],
    ['another spelling of a level', { level: 'warning' }, 1],
    ['several fields', { level: 'error', status: 402 }, 1],
    ['no record', { msg: 'card declined', status: 7 }, 0],
  ])('finds the same records for %s', async (_, fields, count) => {
    const [byQuery, byFields] = await found(fields);
    expect(byQuery).toEqual(byFields);
    expect(byFields).toHaveLength(count);
  });

  it.each<[string, LogFields]>([
    ['a matcher', { msg: expect.stringContaining('declined'), status: 402 }],
    ['a Date', { at: new Date(0) }],
    ['an absent field', { err: undefined, status: 402 }],
    ['a flag that the query language lacks', { msg: /card/y }],
  ])('leaves out what it cannot describe, so it finds at least the same records: %s', async (_, fields) => {
    const [byQuery, byFields] = await found(fields);
    expect(byQuery).toEqual(expect.arrayContaining(byFields));
  });
});
