import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
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
    {
      timestamp,
      rawstring: `${'['.repeat(150)}${'1,'.repeat(50_000)}1${']'.repeat(150)}`,
      attributes: { is: 'deep' },
    },
  ]);
});
afterAll(() => server.close());

const again = (step: string, times: number): string => Array.from({ length: times }, () => step).join(' | ');

it.each([
  [
    'Base64',
    `is=letters | concat([${Array.from({ length: 7 }, () => '@rawstring').join(', ')}]) | x := base64Encode(_concat)`,
  ],
  ['a long replacement', `is=letters | x := replace("a", with="${'b'.repeat(50_000)}")`],
  ['a group many times', `is=letters | x := replace("(a+)", with="${'$1'.repeat(20_000)}")`],
  ['wide places', `x := format("${'%10000s'.repeat(8000)}", field=[is])`],
  [
    'a field many times',
    `is=letters | concat([${Array.from({ length: 100 }, () => '@rawstring').join(', ')}])`,
  ],
  ['deep indentation', 'is=json | json:prettyPrint(step=100)'],
])('a string longer than a field can hold cancels the query: %s', async (_, query) => {
  const { cancelled, metaData } = await runJob(server, query);
  expect(cancelled).toBe(true);
  expect(metaData.warnings).toEqual([
    expect.stringMatching(/^The query was canceled: a step creates a string of more than 4194304 characters/),
  ]);
});

it('a query with 60 steps of case, of which each may change a field, does not double its work with each', async () => {
  const steps = again('case { is=letters | x := 1; is=json | y := 2; * }', 60);
  const { events } = await runJob(server, `${steps} | groupBy([x, y, is], function=sum(x))`);
  expect(events).toHaveLength(4);
});

it.each([
  ['replacements', again('replace("a", with="a")', 300)],
  ['digests', Array.from({ length: 1500 }, (_, n) => `x${n} := crypto:sha256(@rawstring)`).join(' | ')],
])('hundreds of expensive steps on one long value cancel the query: %s', async (_, steps) => {
  const { cancelled, metaData } = await runJob(server, `is=letters | ${steps}`);
  expect(cancelled).toBe(true);
  expect(metaData.warnings).toEqual([
    expect.stringMatching(/^The query was canceled: its steps need more than 100 ms for the long values/),
  ]);
});

it.each([
  [
    'an edit distance of long values',
    'is=letters | text:editDistance(target=@rawstring, reference=text:substring(@rawstring, begin=1), maxDistance=9)',
    /text:editDistance\(\) can't compare strings of 500000 and 499999 characters with maxDistance=9/,
  ],
  ['JSON with long paths', 'is=deep | parseJson()', /a step creates fields of more than 4194304 characters/],
])('a single step that could block other requests cancels the query: %s', async (_, query, problem) => {
  const { cancelled, metaData } = await runJob(server, query);
  expect(cancelled).toBe(true);
  expect(metaData.warnings).toEqual([expect.stringMatching(problem)]);
});

it.each([
  ['repeated groups in a long value', 'is=letters | /^(a|aa)+$/'],
  ['a long expression with repeated groups', `is=letters | /(a|${'ab|'.repeat(4000)}b)+$/`],
])('a regular expression that needs too many steps for a value is undecided: %s', async (_, query) => {
  const { cancelled, done, events, metaData } = await runJob(server, query);
  expect({ cancelled, done, events }).toEqual({ cancelled: false, done: true, events: [] });
  expect(metaData.warnings).toEqual([
    expect.stringMatching(
      /^The result is incomplete: the regular expression \/.* needs too many steps for \d+ values?\./,
    ),
  ]);
});

it('a request with more than 250,000 events is rejected with status 413', async () => {
  const lines = '{"create":{}}\n{}\n'.repeat(250_001);
  const response = await server.fetch(`${server.url}/api/v1/ingest/elastic-bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/x-ndjson' },
    body: lines,
  });
  expect([response.status, await response.text()]).toEqual([
    413,
    expect.stringContaining('A request can have at most 250000 events'),
  ]);
});

it('format() returns null for an integer of 500,000 digits', async () => {
  const { events } = await runJob(server, 'is=digits | x := format("%,d", field=@rawstring) | select(x)');
  expect(events).toEqual([{ x: 'null' }]);
});

it.each([
  ['optional groups', '(a|b)?'.repeat(8000), 'it has more than 500 repetitions'],
  ['stars', 'a*b'.repeat(501), 'it has more than 500 repetitions'],
])(
  'a regular expression that takes too long to compile is rejected with status 400: %s',
  async (_, regex, problem) => {
    const body = JSON.stringify({ queryString: `@rawstring=/${regex}/` });
    const response = await post(server, 'repositories/sandbox/query', body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
  },
);
