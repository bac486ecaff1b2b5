import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/engine/index.ts';
import { createClock } from '../../src/server/clock.ts';
import { EventBuilder } from '../../src/server/ingest/event-builder.ts';
import type { RepositoryParsers } from '../../src/server/ingest/repository-parsers.ts';
import { structuredEvents } from '../../src/server/ingest/structured-events.ts';
import { FormatCache, structuredText } from '../../src/server/ingest/structured-text.ts';
import type { EventBatch } from '../../src/server/store/event-batch.ts';
import { RowBatch } from '../../src/server/store/row-batch.ts';
import { type StoredEvent, weightOf } from '../../src/server/store/stored-event.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';
import { jsonValues } from './json-values.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const MAX_EVENT_BYTES = 20_000;
const newBuilder = (): EventBuilder => new EventBuilder(createClock(NOW), MAX_EVENT_BYTES);

/** Formats are cached between requests. */
const remembered = new FormatCache();

function readText(text: string, known = remembered): EventBatch | undefined {
  const options = { repository: 'here', builder: newBuilder(), formats: known };
  const reading = structuredText(text, options);
  for (let next = reading.next(); ; next = reading.next()) if (next.done === true) return next.value;
}

/** The events by definition; `undefined` if the request is rejected. */
function define(text: string): StoredEvent[] | undefined {
  const target = {
    repository: 'here',
    parser: undefined,
    parsers: {} as RepositoryParsers,
    builder: newBuilder(),
    now: NOW,
  };
  try {
    return [...structuredEvents(parseExactJson(text), target)].flat();
  } catch {
    return undefined;
  }
}

/** IDs differ in their random part; the order of properties is part of an event. */
const facts = (event: StoredEvent): [string, string][] =>
  Object.entries(event).map(([name, value]) => [name, name === '@id' ? value.replace(/^[^_]*/, '') : value]);

function expectSame(text: string, known = remembered): EventBatch | undefined {
  const batch = readText(text, known);
  if (batch === undefined) return undefined;
  const defined = define(text);
  expect(defined).toBeDefined();
  const rows = Array.from({ length: batch.length }, (_, index) => batch.rowAt(index));
  expect(rows.map(facts)).toEqual(defined!.map(facts));
  for (const [index, row] of rows.entries()) {
    expect(batch.timestampAt(index)).toBe(Number(row['@timestamp']));
    expect(batch.weightAt(index)).toBe(weightOf(row));
    for (const name of [...Object.keys(row), 'missing', 'constructor']) {
      expect(batch.reader(name)(index)).toBe(Object.hasOwn(row, name) ? row[name] : undefined);
    }
    const values = Object.entries(row).filter(([name]) => !/^[@#]/.test(name));
    if (batch.isInText(index)) for (const [, value] of values) expect(row['@rawstring']).toContain(value);
  }
  return batch;
}

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'a.b',
    'level',
    'x[0]',
    '',
    '7',
    '@x',
    '#k',
    '@timestamp',
    '@id',
    'ä"',
    '__proto__',
  ),
  fc.string({ maxLength: 3 }),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('"', '\\', '\n', '\u0001\u001f', '🙂', '\ud800', 'a"b\\c'),
);
const number = fc.constantFrom(0, 1, -1, 7.5, 1e21, 1e-7, 123456789012345);
const value = jsonValues({ name, text, number });
/** Requests can have them in any order. */
const MEMBERS = ['timestamp', 'timezone', 'attributes', 'rawstring'];
const eventInOrder = fc.record(
  {
    timestamp: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 ** 42 }) },
      fc.constantFrom(1.5, -1, '2026-02-03T10:00:00.123456+01:00', '2026-02-03T10:00:00Z', 'now', 1e16),
    ),
    timezone: fc.constantFrom('Z', 'Europe/Berlin'),
    attributes: fc.dictionary(name, value, { maxKeys: 5 }),
    rawstring: text,
  },
  { requiredKeys: ['timestamp', 'attributes'] },
);
const event = fc
  .tuple(eventInOrder, fc.shuffledSubarray(MEMBERS, { minLength: MEMBERS.length }))
  .map(([members, order]) => {
    const all = new Map<string, unknown>(Object.entries(members));
    return Object.fromEntries(order.filter((name) => all.has(name)).map((name) => [name, all.get(name)]));
  });
/** Like nearly all events: it need not be parsed. */
const usualEvent = fc.record({
  timestamp: fc.integer({ min: 0, max: 2 ** 42 }),
  attributes: fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'level'), fc.oneof(fc.string(), number), {
    minKeys: 1,
  }),
});
const requestsOf = (event: fc.Arbitrary<object>) =>
  fc.array(
    fc.record(
      {
        tags: fc.dictionary(fc.constantFrom('kind', 'type', 'repo', 'host'), fc.string(), { maxKeys: 2 }),
        events: fc.array(event, { maxLength: 4 }),
      },
      { requiredKeys: ['events'] },
    ),
    { maxLength: 3 },
  );
const request = fc.oneof(requestsOf(event), requestsOf(usualEvent));

/** Enough to cache a format, and for a batch that stays text. */
const COPIES = 40;
const SIGNS = [...'"{}[],:\\ 0-.e\n\u0000', '', 'null'];

/** The same events repeatedly, with other values of the same types, and with whitespace around each. */
function withMany(groups: readonly { tags?: object; events: readonly object[] }[], space: string): string {
  const parts = groups.map(({ tags, events }) => {
    const copies = Array.from({ length: COPIES }, (_, n) => events.map((one) => varied(one, n))).flat();
    const texts = copies.map((copy) => `${space}${JSON.stringify(copy)}${space}`);
    return `{${tags === undefined ? '' : `"tags":${JSON.stringify(tags)},`}"events":[${texts}]}`;
  });
  return `[${parts}]`;
}

const ENDINGS = ['', '', '', '7', ' ß', '"', '\\', '\n', '\u0001', '}', ',"a":1'];

function varied(value: unknown, n: number, name?: string): unknown {
  if (typeof value === 'number') return n % 9 === 8 ? value / 7 : value + n;
  if (typeof value === 'string') {
    return name === 'timezone' || name === 'timestamp' ? value : value + ENDINGS[n % ENDINGS.length]!;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => varied(item, n));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, varied(member, n, key)]));
}

describe('structuredText()', () => {
  it('reads the same events as structuredEvents()', () => {
    let read = 0;
    fc.assert(
      fc.property(request, (groups) => {
        if (expectSame(JSON.stringify(groups)) !== undefined) read++;
      }),
      cases(50),
    );
    expect(read).toBeGreaterThan(10);
  });

  it('reads the same events as structuredEvents() when many have the same formats', () => {
    let kept = 0;
    fc.assert(
      fc.property(request, fc.constantFrom('', '\n', ' \r\n\t'), (groups, space) => {
        const batch = expectSame(withMany(groups, space), new FormatCache());
        if (batch !== undefined && !(batch instanceof RowBatch)) kept++;
      }),
      cases(15),
    );
    expect(kept).toBeGreaterThan(3);
  });

  it('keeps the quotation marks of a rawstring that precedes the attributes', () => {
    const event = { timestamp: NOW, rawstring: '{"a":"\\"}', attributes: { a: '\\' } };
    const last = { timestamp: NOW, rawstring: 'none', attributes: {} };
    expect(expectSame(JSON.stringify([{ events: [event, last] }]))).toHaveLength(2);
  });

  it('keeps the time zone of an event from other events of the same format', () => {
    const attributes = { a: 'b' };
    const zoned = Array(9).fill({ timestamp: 1, attributes, timezone: 'Europe/Berlin' });
    expect(
      expectSame(JSON.stringify([{ events: [...zoned, { timestamp: 1, attributes }] }]), new FormatCache()),
    ).toHaveLength(10);
  });

  it('reads no request that structuredEvents() rejects', () => {
    const event =
      '{"timestamp":1,"attributes":{"a":"b\\"c","n":-1.5,"o":{"p":[true,null,{}]}},"rawstring":"\\n"}';
    const requestOf = (events: readonly string[]): string => `[{"tags":{"k":"v"},"events":[${events}]}]`;
    const whole = requestOf([event]);
    const before = Array<string>(9).fill(event);
    expect(readText(whole)).toBeDefined();
    expect(readText(requestOf(before), new FormatCache())).toBeDefined();
    const change = fc.record({
      at: fc.nat({ max: whole.length }),
      cut: fc.nat({ max: 3 }),
      put: fc.oneof(fc.constantFrom(...SIGNS), fc.string({ maxLength: 2 })),
    });
    const changed = (text: string, { at, cut, put }: { at: number; cut: number; put: string }): string =>
      text.slice(0, at) + put + text.slice(at + cut);
    fc.assert(
      fc.property(change, (what) => void expectSame(changed(whole, what))),
      cases(120),
    );
    fc.assert(
      fc.property(change, (what) => {
        expectSame(requestOf([...before, changed(event, what)]), new FormatCache());
      }),
      cases(60),
    );
  });

  it('keeps many events of a few formats as text, with and without non-ASCII characters', () => {
    const events = Array.from({ length: 300 }, (_, n) => ({
      timestamp: NOW + n,
      attributes: {
        n,
        ratio: n / 7,
        text: n % 50 === 0 ? `ß "${n}"` : `plain ${n}`,
        ...(n % 3 === 0 && { deep: { list: [n, { x: n }], none: [] } }),
      },
      ...(n % 5 === 0 && { rawstring: `line\t${n}` }),
    }));
    const groups = [{ tags: { kind: 'test' }, events }];
    const batch = expectSame(JSON.stringify(groups));
    expect(batch).toHaveLength(300);
    expect(batch).not.toBeInstanceOf(RowBatch);
    const ascii = expectSame(JSON.stringify(groups).replaceAll('ß', 's'));
    expect(ascii).not.toBeInstanceOf(RowBatch);
    expect([1, 2, 5, 50].map((index) => ascii?.isInText(index))).toEqual([true, true, false, false]);
  });

  it('keeps numbers as they were written', () => {
    const numbers = '[7.0,1E5,12345678901234567890,-0,0.10]';
    const events = `{"timestamp":1,"attributes":{"n":${numbers}}}`;
    const batch = expectSame(`[{"events":[${Array(40).fill(events).join(',')}]}]`);
    expect(batch?.reader('@rawstring')(39)).toBe(`{"n":${numbers}}`);
    expect(batch?.reader('n[2]')(39)).toBe('12345678901234567890');
  });

  it.each([
    ['whitespace', '[ {"events":[{"timestamp":1,"attributes":{}}]}]'],
    ['a member twice', '[{"events":[{"timestamp":1,"attributes":{"a":1,"a":2}}]}]'],
    ['two members of the same name', '[{"events":[{"timestamp":1,"attributes":{"a":{"b":1},"a.b":2}}]}]'],
    ['an object twice', '[{"events":[{"timestamp":1,"attributes":{"a":{"b":1},"a":{"c":2}}}]}]'],
    ['names that are numbers', '[{"events":[{"timestamp":1,"attributes":{"b":1,"7":2}}]}]'],
    ['an escape that nothing needs', '[{"events":[{"timestamp":1,"attributes":{"b":"\\u0041"}}]}]'],
    ['a slash that is escaped', '[{"events":[{"timestamp":1,"attributes":{"b":"\\/"}}]}]'],
    ['a member that is unknown', '[{"events":[{"timestamp":1,"attributes":{}}],"host":"a"}]'],
    [
      'a large event',
      JSON.stringify([{ events: [{ timestamp: 1, attributes: { a: 'x'.repeat(MAX_EVENT_BYTES) } }] }]),
    ],
    [
      'deep nesting',
      `[{"events":[{"timestamp":1,"attributes":{"a":${'['.repeat(300)}1${']'.repeat(300)}}}]}]`,
    ],
    ['many empty arrays', `[{"events":[{"timestamp":1,"attributes":{"a":[${Array(1e5).fill('[]')}]}}]}]`],
  ])('returns undefined for a request with %s', (_, json) => {
    expect(readText(json)).toBeUndefined();
  });
});
