import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery, type Plan } from '../../src/engine/index.ts';
import { createClock } from '../../src/server/clock.ts';
import { EventBuilder } from '../../src/server/ingest/event-builder.ts';
import { FormatCache, structuredText } from '../../src/server/ingest/structured-text.ts';
import type { EventBatch } from '../../src/server/store/event-batch.ts';
import { EventStore } from '../../src/server/store/event-store.ts';
import { RowBatch } from '../../src/server/store/row-batch.ts';
import type { StoredEvent } from '../../src/server/store/stored-event.ts';
import { cases } from '../helpers/laws.ts';
import { rowsIn } from './row-store.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const MINUTE = 60_000;
const CONTEXT = {
  start: NOW - 10 * MINUTE,
  end: NOW,
  now: NOW,
  timeZone: 'UTC',
  limits: { maxGroups: 20, maxBytes: 1e9 },
};
const known = new FormatCache();

function asText(events: readonly object[]): EventBatch {
  const body = Buffer.from(JSON.stringify([{ tags: { kind: 'test', type: 'web' }, events }]));
  const builder = new EventBuilder(createClock(NOW), 1e6);
  const reading = structuredText(body.toString(), { repository: 'here', builder, formats: known });
  for (let next = reading.next(); ; next = reading.next()) if (next.done === true) return next.value!;
}

/** A result, without the parts that depend on the time of the query. */
function resultOf(plan: Plan, feed: (run: ReturnType<Plan['open']>) => void): unknown {
  const run = plan.open(CONTEXT);
  feed(run);
  // Filters of columns run in another order, so a comparison may not run at all.
  const warnings = run.warnings.filter((warning) => !/ is never a number here, /.test(warning));
  return { rows: run.rows(), extraData: run.extraData, warnings, order: run.fieldOrder };
}

function streamed(plan: Plan, feed: (stream: ReturnType<Plan['openStream']>) => void): unknown {
  const rows: StoredEvent[] = [];
  feed(plan.openStream(CONTEXT, (row) => rows.push({ ...row })));
  return rows;
}

/** The definition is the result on rows; columns must give the same. */
function expectSame(query: string, store: EventStore): void {
  const plan = compileQuery(query);
  const ranges = store.snapshot(0, Number.MAX_SAFE_INTEGER);
  const byRows = (taker: { push(row: StoredEvent): void }): void => {
    for (const row of rowsIn(ranges)) taker.push(row);
  };
  const byColumns = (taker: Pick<ReturnType<Plan['open']>, 'from'>): void => {
    for (const { events, start, end } of ranges) {
      const take = taker.from(events);
      if (take !== undefined) for (let index = start; index < end; index++) take(index);
    }
  };
  expect(resultOf(plan, byColumns), query).toEqual(resultOf(plan, byRows));
  if (!plan.isAggregate) expect(streamed(plan, byColumns), query).toEqual(streamed(plan, byRows));
}

const word = fc.constantFrom(
  'error',
  'info',
  'a"b',
  'Zug',
  'timed out',
  'x.y',
  'ß',
  '',
  '7',
  '7.0',
  '1e3',
  '-0',
  'abc',
);
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.5, 1e21, 300, 1e-7));
const attributes = fc.record(
  {
    level: word,
    n: fc.oneof(number, word),
    m: number,
    id: fc.uuid(),
    v: fc.oneof({ arbitrary: fc.double({ noNaN: true }), weight: 9 }, word),
    deep: fc.record({ k: word, list: fc.array(number, { maxLength: 2 }) }),
    ok: fc.boolean(),
  },
  { requiredKeys: ['m'] },
);
const event = fc.record(
  {
    timestamp: fc.integer({ min: NOW - 11 * MINUTE, max: NOW }),
    attributes,
    rawstring: fc.oneof(
      word,
      attributes.map((members) => JSON.stringify(members)),
    ),
  },
  { requiredKeys: ['timestamp', 'attributes'] },
);

const field = fc.constantFrom(
  'level',
  'n',
  'm',
  'id',
  'v',
  'deep.k',
  'deep.list[0]',
  'ok',
  'missing',
  'x',
  'y',
  '@rawstring',
  '#kind',
  '#type',
  '@timezone',
  '@timestamp',
);
const bound = fc.constantFrom('0', '1', '-0.5', '1e3', '7');
const pattern = fc.constantFrom(
  'error',
  '*',
  'inf*',
  '*o*',
  '*r',
  '7',
  '7.0',
  '""',
  'tes*',
  '"a\\"b"',
  'timed*t',
  'z*g',
);
const regex = fc.constantFrom(
  '/err/',
  '/^in/',
  '/TIMED/i',
  '/\\bout\\b/',
  '/[a-f]\\d/',
  '/o{2}|rr/',
  '/b$/',
  '/"level":"e/',
);
const filter: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(field, fc.constantFrom('=', '!=', ' like '), pattern).map((parts) => parts.join('')),
    fc.tuple(field, fc.constantFrom('<', '<=', '>', '>='), bound).map((parts) => parts.join('')),
    fc.tuple(field, fc.constantFrom('=', '!='), regex).map((parts) => parts.join('')),
    fc
      .tuple(field, pattern)
      .map(([name, values]) => `in(field="${name}", values=[${JSON.stringify(values)}, info])`),
    fc.oneof(pattern, regex, fc.constantFrom('"a\\"b"', 'level', 'Z', '":"', '0', 'true', 'null')),
    fc.tuple(tie('any'), fc.constantFrom('and', 'or'), tie('any')).map(([a, how, b]) => `(${a} ${how} ${b})`),
    tie('any').map((inner) => `not (${inner})`),
  ),
})).any;

const simple = field.chain((name) =>
  fc.constantFrom(
    'count()',
    `count("${name}")`,
    `count("${name}", distinct=true)`,
    `avg("${name}")`,
    `max("${name}")`,
    `sum("${name}")`,
    `percentile("${name}")`,
    `collect("${name}")`,
    `selectLast("${name}")`,
    `{ level=error | max("${name}") }`,
    `{ x := "${name}" | count(x) }`,
  ),
);
const functions = fc.array(simple, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(', ')}]`);
const aggregate = fc.oneof(
  simple.filter((call) => !call.startsWith('{')),
  fc.tuple(field, functions).map(([name, all]) => `groupBy("${name}", function=${all})`),
  fc
    .tuple(field, field, functions)
    .map(([a, b, all]) => `groupBy(["${a}", "${b}"], function=${all}, limit=5)`),
  fc.tuple(field, field).map(([a, b]) => `top(["${a}", "${b}"], limit=4, rest=others)`),
  fc.tuple(field, field, fc.constantFrom('sum', 'max')).map(([a, b, by]) => `top("${a}", ${by}="${b}")`),
  fc
    .tuple(functions, fc.constantFrom('', ', field=level', ', field=[level, n]'))
    .map(([all, more]) => `bucket(span=3m, function=${all}${more})`),
  fc
    .tuple(field, fc.constantFrom('asc', 'desc'), fc.constantFrom('number', 'string', 'hex'))
    .map(([name, order, type]) => `sort("${name}", order=${order}, type=${type}, limit=7)`),
  fc.constantFrom(
    'tail(3)',
    'head(5)',
    'table([level, n])',
    'timeChart(level, span=2m)',
    'groupBy(level) | sort(_count)',
  ),
);
const changes = [
  'regex("(?<x>[a-z]+)", field=level)',
  'level=/(?<level>o)/',
  'regex("(?<x>\\\\d)", field=id, repeat=true, limit=3)',
  '/(?<x>rr)/',
  'x := m * 2',
  'm := m + 1 | error',
  'drop(level)',
  'case { level=error | y := 1; * | y := 2 }',
  'rename(field=n, as=o)',
  'rename([[n, level], [m, o]])',
  'x := format("%s-%s", field=[level, n])',
  'level := if(m > 0, then=lower(level), else="low")',
  'n := n * 2 | test(n > m)',
  'eval(a=m + 1, b=a * 2) | b > 4',
  'case { level=error | x := "bad" | drop(n); n > 1 | rename(field=n, as=x); m < 0 }',
  'level match { info => y := m; /(?<y>o)/ => *; * => y := 1 }',
  'default(field=[level, x], value=none)',
  'lowercase(level, include=both)',
  'replace("o", with="0", field=level, as=x)',
  '"@rawstring" := level | error',
  '"@timestamp" := m',
  'x := m | "#type" := n | zug',
  'select([level, m])',
  'test(m * 2 > n) | not (cidr(n, subnet="10.0.0.0/8"))',
  'kvParse(level) | splitString(level, by=o, index=0, as=x)',
  'x := now() | x > 5',
  'sample(50, field=id)',
  'x := v * 2',
  'v := v / m',
  'x := v % m | test(x < v)',
  'x := -v + 1',
  'x := v == m',
  'x := 0 * v',
  'test(v != x)',
  'm := id',
  'regex("(?<x>[a-f])(?<y>\\d)?", field=id)',
  'id=/(?<level>a)|(?<x>b)|(?<id>\\d)/ | regex("(?<y>.)", field=id)',
  'regex("(?<x>\\d+)(?<v>[.]\\d)?", field=v) | test(x > 1)',
];
const change = fc.constantFrom(...changes);
const query = fc
  .tuple(fc.array(filter, { maxLength: 3 }), fc.option(change), fc.option(filter), fc.option(aggregate))
  .map((parts) => {
    const steps = parts.flat().filter((step) => step !== null);
    return steps.length === 0 ? '*' : steps.join(' | ');
  });

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Nine of ten events have a unique ID and number. */
function withOwnValues(one: Event, n: number): Event {
  if (n % 10 === 9) return one;
  const { id = 'e', v } = one.attributes;
  const number = (typeof v === 'number' && Number.isFinite(v) ? v : 0.5) + n;
  return { ...one, attributes: { ...one.attributes, id: `${id}${n}`, v: number } };
}

/** Enough events of each kind for columns with few distinct values, and with many. */
function storeOf(events: readonly Event[], isMixed: boolean): EventStore {
  const store = new EventStore({ maxEvents: isMixed ? 800 : 1e6, maxBytes: 1e9 });
  const many = Array.from({ length: 120 }, (_, n) => withOwnValues(events[n % events.length]!, n));
  const text = asText(many);
  store.append(text);
  if (isMixed)
    store.append(new RowBatch(Array.from({ length: 60 }, (_, index) => ({ ...text.rowAt(index) }))));
  if (isMixed) store.append(asText(events));
  return store;
}

describe('Query over columns', () => {
  it('returns the same result as over rows', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 90 }),
        fc.boolean(),
        fc.array(query, { minLength: 8, maxLength: 8 }),
        (events, isMixed, queries) => {
          const store = storeOf(events, isMixed);
          for (const one of queries) expectSame(one, store);
        },
      ),
      cases(5),
    );
  });

  it.each(changes)(
    'returns the same result as over rows when nearly every event has unique values: %s',
    (step) => {
      const events = Array.from({ length: 150 }, (_, n) => ({
        timestamp: NOW - 1000 + n,
        attributes: {
          level: n % 3 === 0 ? 'error' : `info ${n}`,
          m: n % 5,
          n: n / 7,
          id: `${n % 2 === 0 ? 'a' : 'g'}${n}`,
          v: n % 9 === 0 ? 'none' : n + 0.5,
          ...(n % 8 === 0 && { x: n }),
        },
      }));
      const store = new EventStore({ maxEvents: 1e6, maxBytes: 1e9 });
      store.append(asText(events));
      for (const name of ['level', 'm', 'n', 'id', 'v', 'x', 'y']) {
        expectSame(`${step} | [collect(${name}, limit=max), count(${name}), sum(${name})]`, store);
        expectSame(`${step} | top(${name})`, store);
      }
    },
  );
});
