import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { ingest, post, runJob } from './query-calls.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer({ listen: false });
  const timestamp = Date.now() - 1000;
  await ingest(server, [
    { timestamp, rawstring: 'a'.repeat(500_000), attributes: { is: 'letters' } },
    {
      timestamp,
      rawstring: `${'['.repeat(150)}${'1,'.repeat(1_000)}1${']'.repeat(150)}`,
      attributes: { is: 'json' },
    },
    { timestamp, rawstring: '9'.repeat(500_000), attributes: { is: 'digits' } },
  ]);
});
afterAll(() => server.close());

const again = (step: string, times: number): string => Array.from({ length: times }, () => step).join(' | ');

it.each([
  ['Base64 of Base64', `is=letters | x := base64Encode(@rawstring) | ${again('x := base64Encode(x)', 80)}`],
  ['a long replacement', `is=letters | x := replace("a", with="${'b'.repeat(50_000)}")`],
  ['a group many times', `is=letters | x := replace("(a+)", with="${'$1'.repeat(20_000)}")`],
  ['wide places', `x := format("${'%10000s'.repeat(8000)}", field=[is])`],
  [
    'a field many times',
    `is=letters | concat([${Array.from({ length: 100 }, () => '@rawstring').join(', ')}])`,
  ],
  ['deep indentation', 'is=json | json:prettyPrint(step=100)'],
])('a text that grows beyond what a field may hold cancels the query: %s', async (_, query) => {
  const { cancelled, metaData } = await runJob(server, query);
  expect(cancelled).toBe(true);
  expect(metaData.warnings).toEqual([
    expect.stringMatching(/^The query was canceled: a step creates a string of more than 4194304 characters/),
  ]);
});

it('an integer of very many digits is no number for format', async () => {
  const { events } = await runJob(server, 'is=digits | x := format("%,d", field=@rawstring) | select(x)');
  expect(events).toEqual([{ x: 'null' }]);
});

it.each([
  ['optional groups', '(a|b)?'.repeat(8000), 'it has more than 500 repetitions'],
  ['stars', 'a*b'.repeat(501), 'it has more than 500 repetitions'],
])('an expression that takes ages to prepare is refused at once: %s', async (_, regex, problem) => {
  const body = JSON.stringify({ queryString: `@rawstring=/${regex}/` });
  const response = await post(server, 'repositories/sandbox/query', body);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
});
