import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogClient, type LogEvent } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { LineQuery, type LineQueryOptions } from '../../src/server/line-query/index.ts';
import { cases } from '../helpers/laws.ts';

const BEGIN = Date.UTC(2026, 0, 1, 10);

/** The rows of a query over text. */
async function rowsOf(
  queryString: string,
  text: string | readonly (string | Uint8Array)[],
  options?: LineQueryOptions,
): Promise<LogEvent[]> {
  const rows: LogEvent[] = [];
  const query = new LineQuery(queryString, options);
  for await (const some of query.run(typeof text === 'string' ? [text] : text)) rows.push(...some);
  return rows;
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({ time: BEGIN + n * 1000, level: n % 3 === 0 ? 'error' : 'info', n, user: { id: n % 5 } }),
  ).join('\n');
}

describe('LineQuery', () => {
  it('reads members of JSON lines as fields, and other lines as text with their leading time', async () => {
    const text =
      '{"a":{"b":[1,"x"]},"time":1700000000123,"big":12345678901234567890}\n2026-01-01T10:00:00Z started\n\n{"no';
    expect(await rowsOf('', text)).toEqual([
      {
        '@timestamp': 1_700_000_000_123,
        '@rawstring': text.split('\n')[0],
        'a.b[0]': '1',
        'a.b[1]': 'x',
        time: '1700000000123',
        big: '12345678901234567890',
      },
      { '@timestamp': BEGIN, '@rawstring': '2026-01-01T10:00:00Z started' },
      { '@timestamp': expect.any(Number), '@rawstring': '{"no' },
    ]);
  });

  it('reads the pairs of logfmt and the columns of access logs as fields', async () => {
    const text = [
      'ts=2026-01-01T10:00:00Z level=error msg="order \\"7\\"\\nfailed" path=/a,b?c=d user=',
      '10.0.0.1 - eve [01/Jan/2026:11:00:01 +0100] "GET /cart?x=1 HTTP/1.1" 404 17 "-" "curl/8.5"',
      '10.0.0.1 - - [01/Jan/2026:10:00:02 +0000] "-" 400 -',
      '2026-01-01T10:00:03Z a sentence with x=1',
      'Notice: x=1',
    ];
    const rows = await rowsOf('drop(@rawstring)', text.join('\n'), { now: BEGIN });
    expect(rows).toEqual([
      {
        '@timestamp': BEGIN,
        ts: '2026-01-01T10:00:00Z',
        level: 'error',
        msg: 'order "7"\nfailed',
        path: '/a,b?c=d',
        user: '',
      },
      {
        '@timestamp': BEGIN + 1000,
        client: '10.0.0.1',
        userid: 'eve',
        method: 'GET',
        url: '/cart?x=1',
        httpversion: 'HTTP/1.1',
        statuscode: '404',
        responsesize: '17',
        referrer: '-',
        useragent: 'curl/8.5',
      },
      {
        '@timestamp': BEGIN + 2000,
        client: '10.0.0.1',
        userid: '-',
        statuscode: '400',
        responsesize: '-',
      },
      { '@timestamp': BEGIN + 3000 },
      { '@timestamp': BEGIN + 3000, level: 'notice' },
    ]);
  });

  it.each([
    ['#type=accesslog | select(n)', [{ n: '1' }]],
    ['#repo=prod #type=json @id=* | select([n, @timezone])', [{ n: '2', '@timezone': 'Z' }]],
    ['/^GET/ | groupBy(@rawstring, function=[])', [{ '@rawstring': 'GET /a' }, { '@rawstring': 'GET /b' }]],
    ['@rawstring=/^GET.*b$/ | select(n)', [{ n: '2' }]],
    ['accesslog', []],
    ['ann | select(n)', [{ n: '2' }]],
    ['@id!=* | select(@rawstring)', [{ '@rawstring': '{"n":3}' }]],
  ])('reads an event that a query returned as the same event again: %s', async (query, expected) => {
    const events = [
      {
        '@timestamp': BEGIN,
        '@id': 'a',
        '@rawstring': 'GET /a',
        '#repo': 'prod',
        '#type': 'accesslog',
        n: 1,
      },
      {
        '@id': 'b',
        '@rawstring': 'GET /b',
        '@timezone': 'Z',
        '#repo': 'prod',
        '#type': 'json',
        n: 2,
        user: 'ann',
      },
      { n: 3 },
    ];
    const rows = await rowsOf(query, events.map((event) => JSON.stringify(event)).join('\n'));
    const isOwn = ([name]: [string, unknown]) => !name.startsWith('@timestamp');
    expect(rows.map((row) => Object.fromEntries(Object.entries(row).filter(isOwn)))).toEqual(expected);
  });

  it('gives a line without a time that of the line before, the first lines the first time, and no line the current time', async () => {
    const timed = (second: number): string => `${new Date(BEGIN + second * 1000).toISOString()} line`;
    const untimed = Array.from({ length: 5 }, (_, n) => `INFO part ${n}`);
    const text = ['header', '', timed(1), ...untimed, timed(2), '{"msg":"none"}', timed(3)].join('\n');
    const times = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3].map((second) => BEGIN + second * 1000);
    const rows = await rowsOf('select(@timestamp)', text, { now: 1 });
    expect(rows.map((row) => row['@timestamp'])).toEqual(times);
    const chunks = text.split(/(?<=part 2\n)/);
    expect(await rowsOf('select(@timestamp)', chunks, { now: 1 })).toEqual(rows);
    const found = await rowsOf('part', chunks, { now: 1, start: BEGIN, end: BEGIN + 1500 });
    expect(found.map((row) => row['@timestamp'])).toEqual(untimed.map(() => BEGIN + 1000));
    expect(await rowsOf('part', chunks, { now: Date.now(), start: '1h' })).toEqual([]);
  });

  it('marks the time of lines of which none has one: unknown in a file, that of the arrival elsewhere', async () => {
    const row = (text: string, source: string) => {
      return { '@timestamp': BEGIN, '@timestamp.source': source, '@rawstring': text };
    };
    const rows = await rowsOf('', 'one\ntwo', { modified: BEGIN });
    expect(rows).toEqual([row('one', 'unknown'), row('two', 'unknown')]);
    expect(await rowsOf('', 'one', { now: BEGIN })).toEqual([row('one', 'arrival')]);
    const text = `one\n${new Date(BEGIN).toISOString()} two\nthree`;
    expect(await rowsOf('@timestamp.source=*', text)).toEqual([]);
    const counts = await rowsOf('groupBy(@timestamp.source)', 'one\n{"@timestamp.source":"x"}', {
      modified: 1,
    });
    expect(counts).toEqual([{ '@timestamp.source': 'unknown', _count: '2' }]);
    const before = Date.now();
    const [arrived] = await rowsOf('', 'one');
    expect(arrived!['@timestamp']).toBeGreaterThanOrEqual(before);
  });

  it('gives a record without a time that of its arrival after a pause', async () => {
    const chunks = [
      `${new Date(BEGIN).toISOString()} INFO one\n  of one\n`,
      'INFO two\n',
      '',
      'INFO three\n',
    ];
    const rows = await rowsOf('', chunks, { now: BEGIN + 1000 });
    expect(rows.map((row) => [row['@timestamp'], row['@timestamp.source']])).toEqual([
      [BEGIN, undefined],
      [BEGIN, undefined],
      [BEGIN + 1000, 'arrival'],
    ]);
  });

  it('finds text and levels in all lines that have them, wherever others are', async () => {
    const all = Array.from({ length: 600 }, (_, n) => {
      const level = n % 7 === 0 ? '50' : n % 7 === 1 ? '"error"' : n % 7 === 2 ? '30,"level":50' : '30';
      return `{"level":${level},"time":${BEGIN + n},"n":${n},"msg":"${n % 5 === 0 ? 'level news' : 'b\\n'}"}`;
    });
    const text = all.join('\n');
    expect(await rowsOf('level=error | count()', text)).toEqual([{ _count: '258' }]);
    expect(await rowsOf('news | count()', text)).toEqual([{ _count: '120' }]);
    expect(await rowsOf('news level=error | count()', text)).toEqual([{ _count: '52' }]);
    expect(await rowsOf('news level!=error | count()', text)).toEqual([{ _count: '68' }]);
  });

  it('reads the log of a container only in objects whose first member it is', async () => {
    const log = '"log":"level=error a=b"';
    const others = '"stream":"stderr","time":"2026-01-01T10:00:00Z"';
    const text = `{${log},${others}}\n{${others},${log}}\n`.repeat(20);
    expect(await rowsOf('level=error | groupBy(a)', text)).toEqual([{ a: 'b', _count: '20' }]);
    expect(await rowsOf('log=* level!=* | count()', text)).toEqual([{ _count: '20' }]);
  });

  it('finds levels of logfmt between lines of JSON', async () => {
    const text = `${lines(9)}\ntime=2026-01-01T10:00:00Z level=fatal\n${lines(9)}`;
    expect(await rowsOf('level=fatal | count()', text)).toEqual([{ _count: '1' }]);
  });

  it.each([
    '"@timestamp":"2026-01-01T10:00:00.000Z"',
    '"timestamp":"2026-01-01T11:00:00+0100"',
    `"time":${BEGIN / 1000}`,
    `"ts":${BEGIN / 1000}.0`,
    `"ts":${BEGIN}`,
    `"ts":"${BEGIN}"`,
    `"ts":${BEGIN}000`,
    `"ts":${BEGIN}000000`,
    `"time":"soon","ts":${BEGIN}`,
  ])('reads the time of {%s} in any layout and alone', async (member) => {
    const text = `{${member},"n":1}\n`.repeat(9);
    const rows = await rowsOf('groupBy(@timestamp)', text, { now: 0 });
    expect(rows).toEqual([{ '@timestamp': BEGIN, _count: '9' }]);
  });

  it('yields rows while lines arrive, without holding events', async () => {
    const query = new LineQuery('level=error | n > 2');
    expect(query.whyHeld).toBeUndefined();
    const seen: string[] = [];
    const input = (async function* () {
      for (const line of lines(10).split('\n')) {
        yield `${line}\n`;
        seen.push('read');
      }
    })();
    for await (const rows of query.run(input)) for (const row of rows) seen.push(`row ${row.n}`);
    expect(seen.join(' ')).toBe('read read read row 3 read read read row 6 read read read row 9 read');
    expect(query.lines).toBe(10);
  });

  it('returns the same rows for any chunk boundaries', async () => {
    const text = `${lines(3)}\n{"level":"error","msg":"日本語 👍"}`;
    const whole = await rowsOf('* | count() | x := _count', text);
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 5 }),
        async (cuts) => {
          const places = [0, ...cuts.sort((left, right) => left - right), bytes.length];
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
          expect(await rowsOf('* | count() | x := _count', chunks)).toEqual(whole);
          expect((await rowsOf('msg=*', chunks)).map(({ msg }) => msg)).toEqual(['日本語 👍']);
        },
      ),
      cases(15),
    );
  });

  it.each([
    'groupBy([level, user.id], function=[count(), sum(n)])',
    'level=error | timeChart(span=1min)',
    'bucket(span=2min, function=max(n))',
    'top(user.id) | sort(user.id)',
    'level=error | select([n]) | sort(n, type=number, limit=5)',
    'selfJoinFilter(field=user.id, where=[{n=3}, {n=8}]) | count()',
  ])('returns the same result for %s as a server with the same events', async (queryString) => {
    await using server = await startLocalServer({ listen: false });
    const { url: baseUrl, repository, userToken, fetch } = server;
    const client = new LogClient({ baseUrl, repository, userToken, fetch });
    const events = lines(200)
      .split('\n')
      .map((line) => JSON.parse(line) as { time: number })
      .map((attributes) => ({ timestamp: attributes.time, attributes }));
    await client.ingestJsonData([{ events: events as never }]);
    const interval = { start: BEGIN, end: BEGIN + 199_000 };
    const expected = await client.query(queryString, interval);
    expect(expected.length).toBeGreaterThan(0);
    expect(await rowsOf(queryString, lines(200), interval)).toEqual(expected);
    // The interval of the lines themselves is the same.
    expect(await rowsOf(queryString, lines(200))).toEqual(expected);
  });

  it('sets whyHeld only for a query that has to hold all events', () => {
    const why = (queryString: string, options?: LineQueryOptions) =>
      new LineQuery(queryString, options).whyHeld;
    expect(why('groupBy(level)')).toBeUndefined();
    expect(why('TimeChart(level)')).toBe('TimeChart() needs an interval, and none is set');
    expect(why('timeChart(level)', { start: '1h', end: 'now' })).toBeUndefined();
    expect(why('x := start()')).toContain('start()');
    expect(why('bucket(15m)')).toBeUndefined();
    expect(why('timeChart(level, span="1h")')).toBeUndefined();
    expect(why('timeChart(span=auto, buckets=10)')).toContain('needs an interval');
    expect(why('timeChart(span=1h, function=window(count(), buckets=2))')).toContain('window() needs');
    expect(why('selfJoinFilter(field=a, where=[{b=1}, {b=2}])')).toContain('reads events before');
  });

  it('rejects with LOG_TOO_LARGE and the reason when it holds more than maxBytes', async () => {
    await expect(rowsOf('timeChart(level)', lines(2000), { maxBytes: 10_000 })).rejects.toMatchObject({
      code: 'LOG_TOO_LARGE',
      message: expect.stringContaining('timeChart() needs an interval, and none is set'),
    });
    expect(await rowsOf('count()', lines(2000), { maxBytes: 10_000 })).toEqual([{ _count: '2000' }]);
    await expect(rowsOf('groupBy(n)', lines(2000), { maxBytes: 10_000 })).rejects.toThrow(/needs more than/);
  });

  it('cancels a query beyond its limit of CPU time, also within a function that runs once per row', async () => {
    const limits = { maxCpuMs: 1, maxCpuMsPerLine: 0 };
    const query = 'head(10000) | accumulate({ groupBy(n) | count() })';
    await expect(rowsOf(query, lines(2000), limits)).rejects.toThrow(
      'The query was canceled: it needed more than 1 ms of CPU time, its limit.',
    );
    await expect(
      rowsOf('selfJoinFilter(field=n, where=[{n=1}, {n=2}])', lines(9000), limits),
    ).rejects.toThrow('its limit');
    await expect(rowsOf('x := format("%9000s", field=n)', lines(9000), limits)).rejects.toThrow('its limit');
  });

  it('runs 7,000 steps, and cancels a query with more steps than the stack can hold', async () => {
    expect(await rowsOf(Array(7000).fill('n=*').join('|'), lines(1))).toHaveLength(1);
    await expect(rowsOf(Array(3500).fill('case{n=1;*}').join('|'), lines(1))).rejects.toThrow(
      'The query was canceled: it has too many steps.',
    );
  });

  it.each(['bucket(span=10s)', 'timeChart(level, span=20s)'])(
    'runs %s, which sets its span, without holding events, over the interval of the lines',
    async (queryString) => {
      const rows = await rowsOf(queryString, lines(200), { maxBytes: 50_000 });
      expect(rows).toEqual(await rowsOf(queryString, lines(200), { start: BEGIN, end: BEGIN + 199_000 }));
      expect(rows.length).toBeGreaterThan(5);
    },
  );

  it.each([
    'groupBy(n, limit=max)',
    'groupBy(n, limit=max) | sort(n, limit=max)',
    'select(n) | table(n, limit=max)',
  ])('yields the rows of an aggregate in batches of at most 10,000: %s', async (queryString) => {
    const batches: (readonly LogEvent[])[] = [];
    for await (const batch of new LineQuery(queryString).run([lines(25_001)])) batches.push(batch);
    expect(batches.map((batch) => batch.length)).toEqual([10_000, 10_000, 5_001]);
    expect(new Set(batches.flat().map((row) => row.n)).size).toBe(25_001);
  });

  it('rejects an interval whose start is after its end', () => {
    for (const options of [
      { start: '1h', end: '2h' },
      { start: BEGIN, end: BEGIN - 1 },
    ]) {
      expect(() => new LineQuery('count()', options)).toThrow('The start of the query is after its end.');
    }
    expect(() => new LineQuery('setTimeInterval(start=1h, end=2h) | count()')).toThrow('after its end');
    expect(() => new LineQuery('count()', { start: BEGIN, end: BEGIN })).not.toThrow();
  });

  it('omits empty buckets, with a warning, if the lines cover too many', async () => {
    const query = new LineQuery('bucket(span=1ms)');
    const rows: unknown[] = [];
    for await (const batch of query.run([lines(3)])) rows.push(...batch);
    expect(rows).toHaveLength(3);
    expect(query.warnings).toEqual([
      'The events cover more than 1500 buckets of 1 millisecond; empty ones are omitted. Set a longer span.',
    ]);
  });

  it.each([
    'defineTable(query={ n<5 | groupBy(id) }, include=id, name=known, start=1d, end=100s) | !match(table=known, field=id)',
    '!join({ n<5 | groupBy(id) }, field=id, start=1d, end=100s)',
    `defineTable(query={ n<5 | groupBy(id) }, include=id, name=known, start=${BEGIN}, end=${BEGIN + 50_000}) | !match(table=known, field=id)`,
  ])('reads the interval of a subquery beyond that of the query: %s', async (query) => {
    // The first five have IDs 0 to 4; at the end, there is a new one.
    const text = Array.from({ length: 10 }, (_, n) =>
      JSON.stringify({ time: BEGIN + n * 10_000 + (n < 5 ? 0 : 200_000), n, id: n === 9 ? 'new' : n % 5 }),
    );
    const options = { start: '60s', now: BEGIN + 300_000 };
    for (const input of [text, text.toReversed()]) {
      const rows = await rowsOf(`${query} | select(id)`, input.join('\n'), options);
      expect(rows).toEqual([{ id: 'new' }]);
    }
  });

  it('reads only events from start to end, both inclusive', async () => {
    const between = { start: BEGIN + 1000, end: BEGIN + 3000 };
    const dates = { start: new Date(BEGIN + 1000), end: new Date(BEGIN + 3000).toISOString() };
    for (const interval of [between, dates])
      expect((await rowsOf('', lines(10), interval)).map(({ n }) => n)).toEqual(['1', '2', '3']);
    expect(await rowsOf('count()', lines(10), { start: '1h' })).toEqual([{ _count: '0' }]);
  });

  it('accepts arguments for parameters, and rejects invalid queries and options with a hint', async () => {
    expect(await rowsOf('level=?level | count()', lines(9), { arguments: { level: 'error' } })).toEqual([
      { _count: '3' },
    ]);
    expect(() => new LineQuery('count(')).toThrow(
      expect.objectContaining({ excerpt: expect.stringContaining('^') }),
    );
    expect(() => new LineQuery('readFile("x.csv")')).toThrow(/no lookup file/);
    expect(() => new LineQuery('', { tiemZone: 'UTC' } as never)).toThrow(/Did you mean "timeZone"/);
    expect(() => new LineQuery('', { timeZone: 'Nope' })).toThrow(
      'LineQuery: "timeZone" must be the name of a time zone such as "Europe/Berlin" (got "Nope").',
    );
  });
});
