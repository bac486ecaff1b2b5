import { describe, expect, it } from 'vitest';
import { limitNames } from '../../../src/ingest/record/limit-names.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';

function limited(attributes: object): Record<string, unknown> {
  const record = createRecord(JSON.stringify({ timestamp: 1, attributes }), '{}');
  return JSON.parse(limitNames(record).eventText).attributes;
}

const many = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a long name ${n}`, n]));

/** The number of fields that the service makes of a value. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + namesIn(each), 0);
}

describe('A record with more than 1,000 fields', () => {
  it('keeps level and message: the smallest nested value that is enough becomes text', () => {
    const response = { headers: many(20), body: many(2_000) };
    const err = { message: 'boom', response };
    const attributes = limited({ level: 'error', err, msg: 'failed' });
    const body = JSON.stringify(response.body);
    expect(attributes).toEqual({
      level: 'error',
      err: { ...err, response: { ...response, body } },
      msg: 'failed',
    });
    expect(namesIn(attributes)).toBeLessThanOrEqual(1_000);
  });

  it('has the largest values of its top level as text if no single one is enough', () => {
    const values = { a: many(700), b: many(650), c: many(10), d: [many(300)] };
    const attributes = limited({ level: 'info', ...values });
    expect(attributes).toEqual({ level: 'info', ...values, a: JSON.stringify(values.a) });
    const three = { a: many(900), b: many(901), c: many(902) };
    expect(limited(three)).toEqual({ ...three, b: JSON.stringify(three.b), c: JSON.stringify(three.c) });
  });

  it('has its last fields as the text of one field, but keeps level, message and error', () => {
    const err = { type: 'Error', message: 'boom', stack: 'Error: boom' };
    const attributes = limited({
      level: 'error',
      req: { url: '/', n: 1 },
      ...many(1_200),
      err,
      msg: 'failed',
      severity: 'ERROR',
      ts: 1,
    });
    expect(attributes).toMatchObject({ level: 'error', req: '{"url":"/","n":1}', err, msg: 'failed' });
    expect(attributes).toMatchObject({ severity: 'ERROR', ts: 1 });
    expect(namesIn(attributes)).toBe(1_000);
    const more = JSON.parse(String(attributes._more));
    expect({ ...attributes, ...more }).toMatchObject(many(1_200));
    expect(limited({ _more: 1, ...many(1_200) })).toMatchObject({
      _more: expect.stringContaining('"_more":1'),
    });
  });

  it('leaves places for tags and for the fields of the batch', () => {
    const record = createRecord(
      JSON.stringify({ attributes: { msg: 1, a: Array(997).fill(0) } }),
      '{"service":"a"}',
    );
    expect(limitNames(record, 1)).toBe(record);
    expect(JSON.parse(limitNames(record, 2).eventText).attributes).toEqual({ msg: 1, a: expect.any(String) });
  });

  it('is unchanged if it is text', () => {
    const text = createRecord(JSON.stringify(','.repeat(6_000)), '{}');
    expect(limitNames(text)).toBe(text);
  });
});

it.each([
  ['1,000 fields', { ...many(499), nested: many(501) }],
  ['commas in its strings', { text: ','.repeat(6_000), nested: { a: 1, b: 2 } }],
  ['fields in a few bytes', { nested: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [n, n])) }],
])('A record with %s is unchanged', (_, attributes) => {
  expect(limited(attributes)).toEqual(attributes);
});
