import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrittenTimes } from '../../src/core/records/formats/written-times.ts';
import { recordPlaces, wholeRecords } from '../../src/core/records/log-records.ts';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { createClock } from '../../src/server/clock.ts';
import { EventBuilder } from '../../src/server/ingest/event-builder.ts';
import { LineQuery } from '../../src/server/line-query/index.ts';
import { LineBatches } from '../../src/server/line-query/line-batches.ts';
import { lineEvent, UNKNOWN_TIME } from '../../src/server/line-query/line-event.ts';
import { EventStore } from '../../src/server/store/event-store.ts';
import { newestFirst } from '../../src/tools/cli/view/newest-first.ts';
import { cases, lawCases } from '../helpers/laws.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const BEGIN = Date.UTC(2026, 0, 1, 10);

const TIMES = new WrittenTimes({ latest: NOW });

/** A record without a time has that of the one before; the first ones have the first time. */
function withTimes(events: readonly Fields[]): void {
  const first = events.find((event) => event['@timestamp'] !== UNKNOWN_TIME)?.['@timestamp'];
  let last = first ?? String(NOW);
  for (const event of events) {
    if (event['@timestamp'] === UNKNOWN_TIME) event['@timestamp'] = last;
    if (first === undefined) event['@timestamp.source'] = 'arrival';
    last = event['@timestamp']!;
  }
}

const FIRST_LINE = `{"level":30,"time":${BEGIN},"msg":"first"}`;

const QUERIES = [
  'count()',
  'level=error | count()',
  'level!=error | groupBy(level)',
  'error',
  'fatal or "b c"',
  '/e.{0,3}r/ | count()',
  '/^\\{"level":50/ | count()',
  'msg=* | groupBy(msg, function=[count(), max(n), collect([a.b])])',
  'groupBy([level, a.b, user], function=[count(), sum(n), min(@timestamp)])',
  'x := n * 2 | x > 3 | table([x, time, timestamp, @timestamp, @rawstring])',
  'tail(5)',
  'sort(n, limit=7)',
  'regex("(?<part>[a-c]+.*)", field=msg) | top(part)',
  'groupBy(@rawstring)',
  'select([@id, @timezone, #repo, #type])',
  'groupBy(@timestamp.nanos)',
  'case { level=error | k := "e"; n > 1 | k := n; * | k := user } | groupBy(k)',
  'selectLast([msg, time])',
  'fieldstats()',
  '/(?<who>b c|abc|日.|err?or)/ | groupBy(who)',
  '/(?<at>e.)/g | groupBy([at, level])',
  'not error | count()',
  'level=*r* | groupBy(level)',
  'level=/^er|al$/ or level=30 | groupBy(level)',
  'level!=/warn/ and user="b c"',
  'msg=/[bc] c|(longer) te?xt, more/ | count()',
  '/a+b(c), "lev/ or not /5.0/ | groupBy(msg)',
  'n=5e1 or n=1* or a.b=error',
  'user=error | level=error | x := level | x=error',
  'level := user | level=error | groupBy(level)',
  'msg=*本* or user=/👍$/ | groupBy([msg, café])',
  '"\ufffd" or "\ud83d" | count()',
  'café=é* | groupBy(café, function=collect(user))',
  'groupBy([statuscode, level, url, useragent], function=[count(), max(responsetime), min(@timestamp)])',
  'groupBy([class, method, message, eventid, stream], function=[count(), min(@timestamp)])',
  'method=* | groupBy([vhost, client, userid, httpversion, referrer, time], function=count(responsesize))',
];

/** Charts choose their span by the interval, which must be known. */
const CHARTS = [
  'bucket(span=10s, function=[count(), avg(n)])',
  'timeChart(level, span=20s)',
  'timeChart(level)',
];
const INTERVAL = { start: BEGIN, end: BEGIN + 45_000 };

/** The rows of a query that receives each line as a parsed event. @param isByTime as in a store, which sets some fields itself */
function rowByRow(
  queryString: string,
  lines: readonly string[],
  interval?: typeof INTERVAL,
  isByTime = false,
): readonly unknown[] {
  const plan = compileQuery(queryString);
  const { start, end } = interval ?? { start: 0, end: Number.POSITIVE_INFINITY };
  const events = lines.map((line) => lineEvent(line, TIMES, !isByTime));
  withTimes(events);
  const within = events.filter(
    (event) => Number(event['@timestamp']) >= start && Number(event['@timestamp']) <= end,
  );
  if (isByTime) within.sort((left, right) => Number(left['@timestamp']) - Number(right['@timestamp']));
  const context = { start, end, now: NOW, timeZone: 'UTC' };
  if (plan.isAggregate) {
    const run = plan.open(context);
    for (const event of within) run.push(event);
    return run.rows().map(shown);
  }
  const rows: unknown[] = [];
  const stream = plan.openStream(context, (row) => rows.push(shown(row)));
  for (const event of within) stream.push(event);
  return rows;
}

async function storeOf(chunks: readonly Uint8Array[]): Promise<EventStore> {
  const builder = new EventBuilder(createClock(NOW), 1e6);
  const lines = new LineBatches({ builder, repository: 'here', tags: {}, times: TIMES, otherwise: NOW });
  const store = new EventStore({ maxEvents: 1e6, maxBytes: 1e9 });
  for await (const bytes of wholeRecords(chunks)) store.append(lines.batchOf(bytes));
  return store;
}

function inStore(queryString: string, store: EventStore): readonly unknown[] {
  const run = compileQuery(queryString).open({
    start: 0,
    end: Number.POSITIVE_INFINITY,
    now: NOW,
    timeZone: 'UTC',
  });
  for (const { events, start, end } of store.snapshot(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
    const take = run.from(events);
    for (let index = start; take !== undefined && index < end; index++) take(index);
  }
  return run.rows().map(shown);
}

/** A row with its fields in order, and its time as the result of a query shows it. */
function shown(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.entries(row).map(([name, value]) => [name, name === '@timestamp' ? String(value) : value]);
}

async function overLines(
  queryString: string,
  chunks: readonly Uint8Array[],
  interval?: typeof INTERVAL,
): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const some of new LineQuery(queryString, { now: NOW, ...interval }).run(chunks))
    rows.push(...some.map(shown as never));
  return rows;
}

/** The records of the lines that a text editor would show. */
function recordsOf(text: Uint8Array): readonly string[] {
  const decoded = new TextDecoder('utf-8', { ignoreBOM: false }).decode(text);
  const { starts, ends } = recordPlaces(decoded);
  return starts.map((start, index) => decoded.slice(start, ends[index]));
}

const texts = fc.constantFrom(
  'error',
  'b c',
  'abc, "level":50',
  'a}b{',
  '',
  'line\nnext',
  'tab\t',
  'quote "',
  'back\\slash',
  '日本語 👍',
  'é\u00a0',
  '\u2028',
  '\ud83d',
  '__proto__',
  'warn',
  '2026-01-01T10:00:00.123456Z',
  'a longer text, more than 13 characters',
  '30',
);
const numbers = fc.constantFrom(
  '0',
  '1',
  '2.50',
  '-0',
  '5e1',
  '50',
  '30',
  '1e400',
  '12345678901234567890',
  '0.1',
  '-7',
  String(BEGIN),
  '1767261600.5',
  `${BEGIN}000000`,
);
const literals = fc.oneof(
  numbers,
  fc.constantFrom('true', 'false', 'null'),
  texts.map((text) => JSON.stringify(text)),
);
/** Strings in other spellings than that of `JSON.stringify`. */
const oddStrings = fc.constantFrom(
  '"\\u0065r\\u0072or"',
  '"a\\/b"',
  '"\\u00e9"',
  '"\\ud83d\\ude00"',
  '"\\u0033\\u0030"',
);
const nested = fc.oneof(
  literals,
  fc.constantFrom(
    '{"b":1}',
    '{"b":"error"}',
    '{}',
    '[]',
    '[1,"error",{"c":2}]',
    '{"b":{"b":"x"}}',
    '{"b":1,"b":2}',
  ),
);
const names = fc.constantFrom(
  'msg',
  'n',
  'user',
  'a',
  'a.b',
  'level',
  'time',
  'timestamp',
  'ts',
  '@timestamp',
  '@timestamp.nanos',
  '@id',
  '@rawstring',
  '@timezone',
  '#repo',
  '#type',
  '#tag',
  '@own',
  '__proto__',
  'constructor',
  '1',
  'b"c',
  'café',
);
const members = fc.tuple(
  names,
  fc.oneof({ weight: 6, arbitrary: nested }, { weight: 1, arbitrary: oddStrings }),
);
const objects = fc
  .tuple(fc.array(members, { maxLength: 6 }), fc.constantFrom('', '', '', ' ', '\t'))
  .map(
    ([list, space]) =>
      `{${list.map(([name, value]) => `${JSON.stringify(name)}:${space}${value}`).join(`,${space}`)}}`,
  );
/** What loggers write: many lines of few layouts. */
const records = fc
  .record({
    level: fc.constantFrom('30', '50', '"error"', '35', '5e1', '"50"', '-50'),
    time: fc.oneof(
      fc.integer({ min: 0, max: 60 }).map((second) => String(BEGIN + second * 1000)),
      fc.constantFrom('"2026-01-01T10:00:00.5Z"', '1767261600', '"1767261600123456"', '-1', 'null', '"soon"'),
    ),
    n: numbers,
    user: texts.map((text) => JSON.stringify(text)),
    msg: fc.oneof(
      texts.map((text) => JSON.stringify(text)),
      oddStrings,
    ),
    isNested: fc.boolean(),
  })
  .map(({ level, time, n, user, msg, isNested }) =>
    isNested
      ? `{"level":${level},"time":${time},"a":{"b":${n},"c":[${user}]},"café":${user},"msg":${msg}}`
      : `{"level":${level},"time":${time},"n":${n},"user":${user},"msg":${msg}}`,
  );
const seconds = fc.integer({ min: 0, max: 61 }).map((second) => String(second).padStart(2, '0'));
/** What web servers write. */
const accesses = fc
  .record({
    host: fc.constantFrom('', '', 'b:443 '),
    user: fc.constantFrom('- -', '- eve', '- eve smith', '- "eve"', '- [b c', 'c - b', 'x é\u00a0', '-'),
    time: fc.oneof(
      seconds.map((second) => `01/Jan/2026:10:00:${second} +0000`),
      fc.constantFrom('31/Jun/2026:10:00:00 +0000', '1/Jan', '01/Jan/2026:10:01:07 -0130'),
    ),
    request: fc.constantFrom(
      'GET /error HTTP/1.1',
      'GET /b',
      '-',
      '',
      '\\x16\\x03 b',
      'GET /\\"b HTTP/1.1',
      'POST /é?a=30 HTTP/2.0',
      'a b c d',
    ),
    status: fc.constantFrom('200', '500', '20', '5000'),
    size: fc.constantFrom('17', '-', '5e1'),
    end: fc.constantFrom(
      '',
      ' "-" "error"',
      ' "b c" "" 0.012',
      ' "a\\"b" "x"',
      ' b c',
      ' "-" "日本\t" 7 ',
      ' "", "b"',
    ),
  })
  .map(
    ({ host, user, time, request, status, size, end }) =>
      `${host}::1 ${user} [${time}] "${request}" ${status} ${size}${end}`,
  );
/** What Java and others write: a time and a level. */
const plains = fc
  .record({
    lead: fc.constantFrom('', '', '', '[', 'ERROR ', 'WARN  [', ' ', '1:M '),
    second: seconds,
    rest: fc.constantFrom(
      ',759 [main] ERROR b c',
      ',759 [main] ERRORS b c',
      ',75 INFO [b] a: error',
      '.759Z  WARN 7 --- [b c] error',
      '] [error] abc',
      ',759] level=error',
      '',
      ' error: b c',
      ' +0100 - a.b - FATAL - 30',
      ' - [01/Jan/2026:10:00:00 +0000] "',
      ':759 SEVERE',
      ' b c abc {"a":1} x ERROR',
      ' b c abc d x ERROR',
      ',759 INFORMATION b c',
      ',759 INFO\tb',
    ),
  })
  .map(({ lead, second, rest }) => `${lead}2026-01-01 10:00:${second}${rest}`);
const others = fc.constantFrom(
  '',
  '  ',
  '{',
  '{}',
  '[1]',
  '7',
  '{"a":1',
  '{"msg":"error"} ',
  ' {"msg":"error"}',
  '{"msg":"error"}}',
  '{"msg":"a"}{"msg":"b"}',
  '2026-01-01T10:00:20Z error',
  'plain error',
  'level=error ts=1767261601 msg="b c" user=é',
  'time=2026-01-01T10:00:03Z level=30 n=2.50 msg="a\\"b\\n"',
  'user=error level="er\\u0072or"',
  '10.0.0.1 - eve [01/Jan/2026:10:00:04 +0000] "GET /error HTTP/1.1" 200 17 "-" "curl/8 (x=1)"',
  '10.0.0.1 - - [99/Jan/2026:10:00:04 +0000] "-" 400 -',
  '{"msg":"tab\t"}',
  'null',
  '\u00a0',
  '{"level":50,"level":30,"time":1767261600000}',
  `{"msg":"${'x'.repeat(5000)}"}`,
  '\ufeff{"msg":"b"}',
  '    at error (/srv/a.js:1:2)',
  '\tat com.example.Shop(Shop.java:7)',
  'Caused by: b c',
  'java.lang.IllegalStateException: error',
  'ValueError: 日本語',
  'Traceback (most recent call last):',
  'During handling of the above exception, another exception occurred:',
  'goroutine 1 [running]:',
  'main.main(...)',
  '}',
  '\u00a0 error',
  '10:00:07.123 [main] ERROR b c',
  'Jan 1, 2026 10:00:08 AM com.example.Shop run',
  'SEVERE: b c',
  '2026-01-01T10:00:09Z stdout P {"level":50,"msg":"b',
  '2026-01-01T10:00:09Z stdout F  c"}',
  '<error>',
  '1 error',
  '  2026-01-01T10:00:30Z indented',
  '2026-01-01 10:00:31.500 info: Shop.Orders[7] b c',
  '10:00:32 fail: Shop.Orders[7]',
  '2026-01-01 10:00:33 UTC [7] LOG:  b c',
  '\u001b[31mERROR\u001b[0m: b c',
  '2026-01-01 10:00:34 [b] \u001b[31mER\u001b[0mROR abc',
  'level=warn msg="b c" bare user=error',
  '{b} ERROR abc',
  '{"t":{"$date":"2026-01-01T10:00:35Z"},"s":"E","msg":"b c"}',
  '{"log":"ERROR b c","stream":"stdout","time":"2026-01-01T10:00:36Z"}',
);
const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: records },
    { weight: 2, arbitrary: objects },
    { weight: 2, arbitrary: accesses },
    { weight: 2, arbitrary: plains },
    { weight: 2, arbitrary: others },
  ),
  {
    maxLength: 80,
  },
);
/** Bytes of no character, and characters of several bytes, of which one is whitespace as a character of its own. */
const oddBytes = fc.oneof(
  fc.integer({ min: 0x80, max: 0xff }).map((byte) => Buffer.of(byte)),
  fc
    .constantFrom('\u00a0', '\u00a0\u00a0', 'à', '\u202f', '\u2028', '\ufeff', '日')
    .map((text) => Buffer.from(text)),
);
const input = fc
  .tuple(
    lines,
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '{"msg":"half'),
    fc.boolean(),
    fc.array(fc.tuple(fc.nat(5000), oddBytes, fc.nat(1)), { maxLength: 4 }),
  )
  .map(([list, end, last, hasMark, odd]) => {
    // The first time is in the first chunk, and nothing changes it.
    const first = Buffer.from(`${hasMark ? '\ufeff' : ''}${FIRST_LINE}${list.length === 0 ? '' : end}`);
    let rest = Buffer.from(`${list.join(end)}${last === '' ? '' : end + last}`);
    for (const [place, bytes, replaced] of odd) {
      if (place < rest.length)
        rest = Buffer.concat([rest.subarray(0, place), bytes, rest.subarray(place + replaced)]);
    }
    return Buffer.concat([first, rest]);
  });

describe('A query on lines', () => {
  it.each(QUERIES)(
    '%s returns the same as on parsed events, whatever the lines are and wherever chunks end',
    async (queryString) => {
      await fc.assert(
        fc.asyncProperty(input, fc.integer({ min: 0, max: 4000 }), async (bytes, cut) => {
          const at = FIRST_LINE.length + 5 + cut;
          const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
          expect(await overLines(queryString, chunks)).toEqual(rowByRow(queryString, recordsOf(bytes)));
        }),
        cases(3),
      );
    },
  );

  it.each(QUERIES.filter((query) => /count\(|groupBy|top\(/.test(query) && !query.includes('nanos')))(
    '%s returns the same in a store of these lines as on parsed events',
    async (queryString) => {
      await fc.assert(
        fc.asyncProperty(input, fc.integer({ min: 0, max: 4000 }), async (bytes, cut) => {
          const at = FIRST_LINE.length + 5 + cut;
          const store = await storeOf([bytes.subarray(0, at), bytes.subarray(at)]);
          const sorted = (rows: readonly unknown[]): readonly string[] =>
            rows.map((row) => JSON.stringify(row)).sort();
          expect(sorted(inStore(queryString, store))).toEqual(
            sorted(rowByRow(queryString, recordsOf(bytes), undefined, true)),
          );
        }),
        cases(3),
      );
    },
  );

  it.each([...CHARTS, ...QUERIES])(
    '%s returns the same as on parsed events within an interval',
    async (queryString) => {
      await fc.assert(
        fc.asyncProperty(input, async (bytes) => {
          const expected = rowByRow(queryString, recordsOf(bytes), INTERVAL);
          expect(await overLines(queryString, [bytes], INTERVAL)).toEqual(expected);
        }),
        cases(3),
      );
    },
  );

  it('has the same records in the parts that view reads, wherever these start and whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.nat(8000), async (bytes, cut) => {
        // The newest part has 1 MiB.
        const padding = 2 ** 20 - Math.min(cut, bytes.length) - 2;
        const whole = Buffer.concat([
          bytes,
          Buffer.from('\n'),
          Buffer.alloc(Math.max(0, padding), '7'),
          Buffer.from('\n'),
        ]);
        const read = async (into: Buffer, at: number, length: number, from: number): Promise<object> => {
          return { buffer: into, bytesRead: whole.copy(into, at, from, from + length) };
        };
        const parts: (readonly string[])[] = [];
        for await (const part of newestFirst({ read } as never, whole.length, TIMES))
          parts.unshift(recordsOf(part.bytes));
        expect(parts.flat()).toEqual(recordsOf(whole));
      }),
      cases(5),
    );
  });

  it('returns the same as on parsed events for bytes that are not UTF-8 or look like whitespace', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"msg":"a'),
      Buffer.from([0xff, 0xc3, 0x28, 0xe6, 0x97]),
      Buffer.from('"}\nJan 1, 2026 10:00:08 AM com.example.Voilà run\nSEVERE: b c\n'),
      Buffer.from('ERROR\u00a02026-01-01 10:00:37 abc\nb c\n'),
    ]);
    const many = Buffer.concat(Array.from({ length: 20 }, () => bytes));
    for (const queryString of QUERIES) {
      expect(await overLines(queryString, [many])).toEqual(rowByRow(queryString, recordsOf(many)));
    }
  });

  it('reads the values of a layout from the second to the last of a thousand lines', async () => {
    const list = Array.from({ length: 1000 }, (_, n) =>
      JSON.stringify({
        level: 50 - (n % 3) * 10,
        time: BEGIN + n,
        n,
        user: `user ${n % 7}`,
        a: { b: n % 5 },
        msg: `message ${n} "quoted"`,
      }),
    );
    const bytes = Buffer.from(list.join('\n'));
    for (const queryString of lawCases(QUERIES, 15)) {
      const expected: readonly unknown[] = rowByRow(queryString, list);
      expect(await overLines(queryString, [bytes])).toEqual(expected);
    }
    const row = lineEvent(list[3]!, TIMES, true) satisfies Fields;
    expect(row.level).toBe('error');
  });
});
