import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PatternGroup, PatternGroups } from '../../src/core/records/pattern-groups.ts';
import { isSimilar } from '../../src/page/search/similar.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { answeredDuring } from './answered-during.ts';
import { ingest, post, stream } from './query-calls.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const NOW = Date.now();

function send(records: readonly Record<string, unknown>[], tags = {}): Promise<void> {
  const events = records.map((attributes, index) => ({
    timestamp: NOW - records.length + index,
    attributes,
  }));
  return ingest(server, events, tags);
}

function request(body: object, init = {}): Promise<Response> {
  return post(server, `repositories/${server.repository}/patterns`, JSON.stringify(body), init);
}

async function patternsOf(queryString: string, body = {}): Promise<PatternGroups> {
  const response = await request({ queryString, ...body });
  expect(response.status).toBe(200);
  return (await response.json()) as PatternGroups;
}

const VALUES = [
  '7',
  '12.5',
  '10.0.0.1',
  'a1b2c3d',
  '0xfe',
  crypto.randomUUID(),
  '"a b"',
  "'x/y'",
  '2026-11-24T17:05:09Z',
];
const TEMPLATES = [
  ...[
    'user # logged in',
    'GET /api/orders/# 200',
    'took #ms',
    '[#] {#} (#) $# ^#',
    'a.b*c?#',
    '# items',
    'x=#',
  ],
  ...[
    "can't read #",
    'C:\\tmp\\#',
    '# | head // no comment',
    'say "# and more',
    'Error: #\n    at f (/a.js:1:2)',
    'größe # 😀',
  ],
];

describe('The patterns of a result', () => {
  it('are those of all events, not of the newest 200', async () => {
    await send(
      Array.from({ length: 1000 }, (_, index) => ({
        msg: index === 0 ? 'start' : `user ${index} logged in`,
      })),
    );
    const { patterns, other } = await patternsOf('*');
    expect(other).toBe(0);
    expect(patterns.map(({ literals, count, first, last }) => [literals, count, first, last])).toEqual([
      [['user ', ' logged in'], 999, NOW - 999, NOW - 1],
      [['start'], 1, NOW - 1000, NOW - 1000],
    ]);
  });

  it('have a filter that selects exactly their events, and another that selects all others', async () => {
    const messages = TEMPLATES.flatMap((template) => VALUES.map((value) => template.replaceAll('#', value)));
    await send(messages.map((msg, id) => ({ msg, id })));
    const { patterns } = await patternsOf('*');
    expect(patterns.length).toBeGreaterThan(TEMPLATES.length);
    const ids = async (query: string) =>
      (await stream(server, `${query} | select(id)`)).map(({ id }) => Number(id));
    const seen: number[] = [];
    for (const group of patterns) {
      const found = await ids(isSimilar(group));
      expect([isSimilar(group), found.length]).toEqual([isSimilar(group), group.count]);
      const others = await ids(`not ${isSimilar(group)} not nope=x`);
      expect([...found, ...others].sort((left, right) => left - right)).toEqual([...messages.keys()]);
      seen.push(...found);
    }
    expect(seen.sort((left, right) => left - right)).toEqual([...messages.keys()]);
  });

  it('are those of the events that the query finds, with the fields that it changes', async () => {
    await send([
      { level: 'error', msg: 'a 1' },
      { level: 'error', message: 'b 2' },
      { level: 'info', msg: 'c 3' },
    ]);
    const { patterns } = await patternsOf('level=error | msg := concat([level, msg])');
    const shown = ({ field, literals, level, count }: PatternGroup) => [
      field,
      literals.join('#'),
      level,
      count,
    ];
    expect(patterns.map(shown).sort()).toEqual([
      ['msg', 'error', 'error', 1],
      ['msg', 'errora #', 'error', 1],
    ]);
  });

  it('have the service of the tags', async () => {
    await send([{ msg: 'a' }], { service: 'shop' });
    expect((await patternsOf('*')).patterns[0]).toMatchObject({ service: 'shop' });
  });

  it('are those of the time range, whose parts have the counts of the trend', async () => {
    await ingest(
      server,
      [30, 20, 10, 0].map((minutes) => ({ timestamp: NOW - minutes * 60_000, attributes: { msg: 'x' } })),
    );
    const { start, end, patterns } = await patternsOf('*', { start: NOW - 25 * 60_000, end: NOW });
    expect([start, end]).toEqual([NOW - 25 * 60_000, NOW]);
    expect(patterns[0]!.trend.flatMap((count, index) => (count > 0 ? [index] : []))).toEqual([6, 18, 29]);
  });

  it('of all time have a trend from the first to the last event', async () => {
    await ingest(
      server,
      [20, 10].map((minutes) => ({ timestamp: NOW - minutes * 60_000, attributes: { msg: 'x' } })),
    );
    const { start, end, patterns } = await patternsOf('*', { start: '100years' });
    expect([start, end]).toEqual([NOW - 20 * 60_000, NOW - 10 * 60_000]);
    expect([patterns[0]!.trend.at(0), patterns[0]!.trend.at(-1)]).toEqual([1, 1]);
    expect((await patternsOf('nope=x', { start: '100years' })).patterns).toEqual([]);
  });

  it('are at most 2,000, with the number of the other events', async () => {
    const word = (index: number) =>
      [...index.toString(20)].map((digit) => 'ghijklmnopqrstuvwxyz'[Number.parseInt(digit, 20)]).join('');
    await send([
      ...Array.from({ length: 5000 }, (_, index) => ({ msg: word(index) })),
      { msg: 'last' },
      { msg: 'last' },
    ]);
    const { patterns, other } = await patternsOf('*');
    expect([patterns.length, other]).toEqual([2000, 3001]);
    expect(patterns[0]).toMatchObject({ literals: ['last'], count: 2 });
  });

  it('are computed while other requests are answered', async () => {
    const portless = await startLocalServer({ listen: false });
    try {
      const events = Array.from({ length: 40_000 }, (_, index) => ({
        timestamp: NOW,
        attributes: { msg: `a ${index}` },
      }));
      await ingest(portless, events);
      const body = JSON.stringify({ queryString: '*' });
      const counting = () => post(portless, `repositories/${portless.repository}/patterns`, body);
      expect(await answeredDuring(counting, portless, 0.2)).toBeGreaterThan(10);
    } finally {
      await portless.close();
    }
  });
});

describe('A request for patterns', () => {
  it.each([
    [{ queryString: 'groupBy(x)' }, /omit its aggregate function/],
    [{ queryString: '*', isLive: true, start: '1h' }, /omit 'isLive'/],
    [{ queryString: '*', around: { eventId: 'x', timestamp: 1 } }, /'around' only works with query jobs/],
    [{ queryString: 'x=' + '(' }, /Expected/],
    [{ queryString: '*', start: 'soon' }, /soon/],
    [{}, /queryString/],
  ])('%j is answered with 400', async (body, reason) => {
    const response = await request(body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(reason)]);
  });

  it('needs the permission to query', async () => {
    const statuses = ['wrong', server.ingestToken].map(
      async (token) => (await request({ queryString: '*' }, { token })).status,
    );
    const query = ['wrong', server.ingestToken].map(
      async (token) =>
        (await post(server, `repositories/${server.repository}/query`, '{"queryString":"*"}', { token }))
          .status,
    );
    expect(await Promise.all(statuses)).toEqual(await Promise.all(query));
  });

  it('of an unknown repository is answered with 404', async () => {
    expect((await post(server, 'repositories/nope/patterns', '{"queryString":"*"}')).status).toBe(404);
  });

  it('that takes too long is answered with the limit', async () => {
    const slow = await startLocalServer({ queryTimeoutMs: 1 });
    try {
      await ingest(
        slow,
        Array.from({ length: 20_000 }, (_, index) => ({ timestamp: NOW, attributes: { msg: `a ${index}` } })),
      );
      const response = await post(slow, `repositories/${slow.repository}/patterns`, '{"queryString":"*"}');
      expect([response.status, await response.text()]).toEqual([
        500,
        expect.stringContaining('more than 1 ms'),
      ]);
    } finally {
      await slow.close();
    }
  });
});
