import { describe, expect, it, test } from 'vitest';
import { withNumbers } from '../../../src/core/number-columns.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

describe.each(SERVICE_KINDS)('With "numbers" (%s)', (kind) => {
  it('each way to run a query converts these columns, and no others', async () => {
    const { client, log } = await startServiceOfKind(kind);
    const timestamp = Date.now();
    await log([
      { timestamp, attributes: { n: '7', text: '7' } },
      { timestamp: timestamp - 1, attributes: { n: 'x', text: '8' } },
    ]);
    const numbers = ['n'];
    const seen: Record<string, unknown> = { query: await client.query('n=*', { numbers }) };
    await using job = await client.createQueryJob('n=*', { numbers });
    seen.createQueryJob = (await job.poll()).events;
    await using live = await client.createQueryJob('n=*', { numbers, isLive: true, start: '1h' });
    seen.createLiveQueryJob = (await live.poll()).events;
    const streamed = [];
    for await (const row of client.streamingQuery('n=*', { numbers })) streamed.unshift(row);
    seen.streamingQuery = streamed;
    seen.waitFor = await client.waitFor('n=*', 2, { numbers });
    for await (const { events, isDone } of client.watch('n=*', { numbers })) {
      seen.watch = events;
      if (isDone) break;
    }
    const tailed = [];
    for await (const event of client.tail('n=*', { numbers, last: 2 })) {
      if (tailed.unshift(event) === 2) break;
    }
    seen.tail = tailed;
    const rows = [
      expect.objectContaining({ n: 7, text: '7' }),
      expect.objectContaining({ n: 'x', text: '8' }),
    ];
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, rows])));
    expect(Object.keys(seen)).toHaveLength(7);
  });

  it('all pages of a result have numbers', async () => {
    const { client, log } = await startServiceOfKind(kind);
    const timestamp = Date.now() - 1_000;
    await log(
      Array.from({ length: 201 }, (_, n) => ({ timestamp: timestamp + n, attributes: { n: `${n}` } })),
    );
    const expected = Array.from({ length: 201 }, (_, n) => 200 - n);
    for (const limit of [undefined, 201]) {
      const rows = await client.query<{ n: number }>('n=*', { numbers: ['n'], limit });
      expect(rows.map(({ n }) => n)).toEqual(expected);
    }
  });

  it('names that are no array of strings are rejected', async () => {
    const { client } = await startServiceOfKind(kind);
    const numbers = 'n' as never;
    const message = '"numbers" must be an array of strings (got "n").';
    await expect(client.query('n=*', { numbers })).rejects.toThrow(`query: ${message}`);
    expect(() => client.streamingQuery('n=*', { numbers })).toThrow(`streamingQuery: ${message}`);
    expect(() => client.watch('n=*', { numbers })).toThrow(`watch: ${message}`);
    expect(() => client.tail('n=*', { numbers })).toThrow(`tail: ${message}`);
  });
});

test('Only decimal numbers become numbers', () => {
  const numbers = ['7', '-7', '+7', '007', '4.50', '.5', '5.', '1.0E21', '1e-7', '12345678901234567890'];
  const texts = ['', ' ', 'x', '1x', '0x10', '1_000', '1,5', 'NaN', 'Infinity', '1e', '١', ' 7'];
  const row = Object.fromEntries([...numbers, ...texts].map((text) => [text, text]));
  const converted = withNumbers<Record<string, unknown>>(row, Object.keys(row));
  expect(converted).toEqual(
    Object.fromEntries([
      ...numbers.map((text) => [text, Number(text)]),
      ...texts.map((text) => [text, text]),
    ]),
  );
  expect(row['7']).toBe('7');
});

test('Columns have any name, and only those of the row are converted', () => {
  const row = JSON.parse('{"__proto__":"1","constructor":"2","a":true,"b":null}');
  const converted = withNumbers(row, ['__proto__', 'constructor', 'toString', 'missing', 'a', 'b']);
  expect(JSON.stringify(converted)).toBe('{"__proto__":1,"constructor":2,"a":true,"b":null}');
  expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
});
