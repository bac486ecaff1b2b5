import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeRegex } from '../../src/core/escape-regex.ts';
import { patternOf, readPattern, regexOf, templateOf } from '../../src/core/records/message-pattern.ts';
import { PatternCollector } from '../../src/core/records/pattern-groups.ts';
import { toRecord } from '../../src/page/records/log-record.ts';
import {
  byChange,
  centeredAt,
  groupSimilar,
  halvesOf,
  isSimilar,
  newSince,
  trendPath,
} from '../../src/page/search/similar.ts';
import { cases } from '../helpers/laws.ts';

function templateFor(message: string): string {
  const { key, kinds } = patternOf(message);
  return templateOf(readPattern(key, kinds));
}

function groupsOf(messages: readonly string[], maxPatterns?: number) {
  const patterns = new PatternCollector(0, 1000, maxPatterns);
  for (const [time, message] of messages.entries()) {
    patterns.add({ field: 'msg', message, time, level: 'info', service: 'shop' });
  }
  return patterns.result();
}

describe('The template of a message', () => {
  it.each([
    ['user 4711 logged in', 'user ‹n› logged in'],
    ['took 12.5ms', 'took ‹n›ms'],
    ['from 10.0.0.7:443', 'from ‹n›:‹n›'],
    ['job 123e4567-e89b-12d3-a456-426614174000 done', 'job ‹id› done'],
    ['commit a1b2c3d', 'commit ‹id›'],
    ['at 0x7ffee4', 'at ‹id›'],
    ['key "a b" missing', 'key ‹text› missing'],
    ["can't read user's 'name'", "can't read user's ‹text›"],
    ['a decade ago', 'a decade ago'],
    ['Loading…', 'Loading…'],
    ['Error: 5\n    at f (/a.js:1:1)', 'Error: ‹n› …'],
    ['', ''],
    [`${'x'.repeat(199)}${'\u{1F600}'.repeat(60)}`, `${'x'.repeat(199)} …`],
  ])('of %j is %j', (message, template) => {
    expect(templateFor(message)).toBe(template);
  });

  it('names what all messages of the group have in that place', () => {
    const { patterns } = groupsOf(['job 12345678', 'job 1234567a', 'user "a"', 'user 5', 'wait…', 'wait5']);
    expect(patterns.map(templateOf)).toEqual(['wait‹n›', 'user ‹text›', 'job ‹id›']);
  });
});

describe('The filter of a pattern', () => {
  const values = fc.oneof(
    fc.nat().map(String),
    fc.double({ min: 0.1, max: 1e6, noNaN: true }).map((number) => number.toFixed(2)),
    fc.uuid(),
    fc.stringMatching(/^[a-f]{1,4}\d[\da-f]{2,8}$/),
    fc.nat().map((number) => `0x${number.toString(16)}`),
    fc.stringMatching(/^[a-z ()\d]{0,8}$/).map((text) => `"${text}"`),
    fc.stringMatching(/^[a-z ()\d]{0,8}$/).map((text) => `'${text}'`),
  );
  const words = fc.constantFrom(
    ...[
      'user',
      'bad',
      'decade',
      "can't",
      'GET',
      '/api/orders',
      'a.b*c',
      '[x]',
      '(y)|z',
      '^$',
      '\\d',
      'ümlaut',
      '😀',
    ],
    ...['http://x', '…', 'constructor', '\t', '%s', '{}', '// no comment', '<b>'],
  );
  const units = fc.constantFrom('ms', 's', '%', ':', ',', ';');
  const part = fc.oneof(
    values,
    words,
    fc.tuple(fc.nat(), units).map((all) => all.join('')),
    fc.tuple(words, values).map((all) => all.join('=')),
  );
  const message = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
  const withLines = fc.tuple(message, fc.constantFrom('', '', '', '\n', '\nat f')).map((all) => all.join(''));
  // Many messages that differ in their values only.
  const similar = fc
    .array(withLines, { minLength: 2, maxLength: 12 })
    .map((all) => [...all, ...all.map((text) => text.replace(/ \d+(?![-\w])/g, ' 7'))]);

  it('matches exactly the messages of the pattern', () => {
    fc.assert(
      fc.property(similar, (messages) => {
        for (const group of groupsOf(messages).patterns) {
          const regex = new RegExp(regexOf(group, escapeRegex), 'u');
          const { key } = patternOf(messages[group.first]!);
          for (const each of messages) {
            expect([each, regex.source, regex.test(each)]).toEqual([
              each,
              regex.source,
              patternOf(each).key === key,
            ]);
          }
        }
      }),
      cases(60),
    );
  });

  it('matches all long messages of the pattern, whatever the length of their values', () => {
    const long = ' and so on'.repeat(40);
    const messages = ['1', '22', 'abc4711', '"text"'].map((value) => `${value}${long}${value}`);
    const { patterns } = groupsOf(messages);
    expect(patterns.map(({ count }) => count)).toEqual([4]);
    expect(messages.map((each) => new RegExp(regexOf(patterns[0]!, escapeRegex)).test(each))).not.toContain(
      false,
    );
  });

  it.each([
    ['user 4711 logged in', String.raw`msg=/^user \d[\d.]* logged in$/`],
    ['GET /a?b=1', String.raw`msg=/^GET \/a\?b=\d[\d.]*$/`],
    ['key "x"', 'msg=/^key "[^"]*"$/'],
    ['plain\nlines', String.raw`msg=/^plain\n/`],
    ['x'.repeat(400), `msg=/^${'x'.repeat(200)}/`],
  ])('of %j is short', (message, filter) => {
    expect(isSimilar(groupsOf([message]).patterns[0]!)).toBe(filter);
  });
});

describe('Groups of similar messages', () => {
  it('have their number, times and trend', () => {
    const [group] = groupsOf(['user 1', 'user 2', 'user 3']).patterns;
    expect(group).toMatchObject({ count: 3, first: 0, last: 2, level: 'info', service: 'shop' });
    expect(group!.trend).toEqual([3, ...Array.from({ length: 29 }, () => 0)]);
  });

  it('read the message of several records once, unless it is that of another field', () => {
    const read: string[] = [];
    const patterns = new PatternCollector(0, 1, 10, (message) => read[read.push(message) - 1]!);
    for (const field of ['msg', 'msg', 'event', 'event', 'msg'])
      patterns.add({ field, message: 'user 1', time: 0, level: '', service: '' });
    expect(read).toHaveLength(3);
    expect(patterns.result().patterns.map(({ field, count }) => [field, count])).toEqual([
      ['msg', 3],
      ['event', 2],
    ]);
  });

  it('have no level and no service where their records differ', () => {
    const patterns = new PatternCollector(0, 1);
    const common = { field: 'msg', message: 'x', time: 0 };
    patterns.add({ ...common, level: 'info', service: 'a' });
    patterns.add({ ...common, level: 'warn', service: 'b' });
    expect(patterns.result().patterns[0]).toMatchObject({ level: '', service: '', count: 2 });
  });

  it('keep the most frequent ones of too many, and count the others', () => {
    const word = (index: number): string =>
      `word${String.fromCharCode(103 + (index % 20), 103 + Math.floor(index / 20))}`;
    const messages = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? 'often' : word(index)));
    const { patterns, other } = groupsOf(messages, 10);
    expect(patterns).toHaveLength(10);
    expect(patterns[0]).toMatchObject({ literals: ['often'], count: 100 });
    expect(patterns.reduce((sum, { count }) => sum + count, other)).toBe(300);
  });

  it('are of one field, whatever the names of other fields', () => {
    const rows: readonly Record<string, string>[] = [
      { msg: 'a 1' },
      { msg: 'a 2', message: 'b' },
      { message: 'a 3' },
      { '@rawstring': '' },
    ];
    const records = rows.map((row, index) => toRecord({ ...row, '@timestamp': index }));
    const groups = groupSimilar(records, 0, 10).patterns.map(({ field, count }) => [field, count]);
    expect(groups).toEqual([
      ['msg', 2],
      ['', 1],
      ['message', 1],
    ]);
  });

  it('without an interval have a trend', () => {
    const patterns = new PatternCollector(Number.NaN, Number.NaN);
    patterns.add({ field: 'msg', message: 'x', time: Number.NaN, level: '', service: '' });
    expect(patterns.result().patterns[0]!.trend[0]).toBe(1);
  });
});

describe('The choices of what is new', () => {
  it('are those within the interval', () => {
    expect([...newSince({ start: 0, end: 1_000_000 })]).toEqual([
      ['the last 5 min', 700_000],
      ['the last 15 min', 100_000],
      ['the second half', 500_000],
    ]);
    expect(newSince({ start: 5, end: 5 }).size).toBe(0);
  });
});

describe('A trend line', () => {
  it('has a bar for each part with records', () => {
    expect(trendPath([0, 2, 1])).toBe('M1 16v-16h.8V16M2 16v-8.5h.8V16');
  });
});

describe('Two halves of the interval', () => {
  const groups = [
    { name: 'steady', trend: [5, 5, 5, 5] },
    { name: 'gone', trend: [2, 1, 0, 0] },
    { name: 'grown', trend: [0, 1, 4, 3] },
  ];

  it('have their numbers of records', () => {
    expect(groups.map(halvesOf)).toEqual([
      [10, 10],
      [3, 0],
      [1, 7],
    ]);
  });

  it('put the patterns that changed most first', () => {
    expect(byChange(groups).map(({ name }) => name)).toEqual(['grown', 'gone', 'steady']);
  });

  it('put new patterns before large ones whose number hardly changed', () => {
    const changed = [
      { name: 'large', trend: [93_900, 91_900] },
      { name: 'new', trend: [0, 1_600] },
      { name: 'doubled', trend: [500, 1_000] },
    ];
    expect(byChange(changed).map(({ name }) => name)).toEqual(['new', 'doubled', 'large']);
  });
});

describe('The time around a moment', () => {
  it('is as long before it as after it, within the interval', () => {
    expect(centeredAt(30, { start: 0, end: 100 })).toEqual({ start: 0, end: 60 });
    expect(centeredAt(90, { start: 0, end: 100 })).toEqual({ start: 80, end: 100 });
    for (const outside of [0, 100, -5, Number.NaN])
      expect(centeredAt(outside, { start: 0, end: 100 })).toBeUndefined();
  });
});
