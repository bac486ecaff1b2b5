import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { events, rowsOf, runOf } from './run-query.ts';

/** The values of `n` in the events that pass, in order. */
function passing(
  query: string,
  input: readonly Record<string, string>[],
  args?: Record<string, string>,
): string {
  const numbered = input.map((event, index) => ({ ...event, n: String(index) }));
  return rowsOf(query, numbered, { arguments: args ?? {} })
    .map(({ n }) => n)
    .toReversed()
    .join('');
}

const VALUES = events('f=foobar', 'f=foo', 'f=', 'g=foo', 'f=FOO');

describe('Patterns', () => {
  test.each([
    ['f=foo', '1'],
    ['f=foo*', '01'],
    ['f=*oo*', '01'],
    ['f=*', '0124'],
    ['f=""', '2'],
    ['f!=foo', '0234'],
    ['f!=*', '3'],
    ['f!=foo*', '234'],
    ['f like foo', '01'],
    ['f like "o*b"', '0'],
    ['f like *', '0124'],
    ['f like /O$/', '4'],
    ['f=/o$/', '1'],
    ['f=/^foo$/i', '14'],
    ['f!=/o/', '234'],
    ['"f"=foo', '1'],
    ['f=foo or f=foobar g!=*', '01'],
    ['not f=foo', '0234'],
    ['!(f=foo or g=foo)', '024'],
    ['true', '01234'],
    ['false', ''],
  ])('%s', (query, expected) => {
    expect(passing(query, VALUES)).toBe(expected);
  });
});

test('the = operator compares strings, not numbers', () => {
  expect(passing('f=200', events('f=200', 'f=200.0'))).toBe('0');
});

describe('Numeric comparisons', () => {
  const numbers = events('f=5', 'f=10', 'f=x', 'f=', 'g=7', 'f=1e1', 'f=-3');
  test.each([
    ['f > 5', '15'],
    ['f >= "5"', '015'],
    ['f < 5', '6'],
    ['f <= 5', '06'],
    ['not f > 5', '02346'],
    ['f > ?min', '15'],
  ])('%s', (query, expected) => {
    expect(passing(query, numbers, { min: '5' })).toBe(expected);
  });
});

describe('Precedence', () => {
  const letters = events('a=1', 'b=1', 'c=1', 'a=1 c=1', 'b=1 c=1', 'a=1 b=1');
  test.each([
    ['a=1 or b=1 c=1', '34'],
    ['c=1 a=1 or b=1', '34'],
    ['c=1 and not a=1 or b=1', '24'],
    ['a=1 | b=1', '5'],
    ['a=1 AND b=1', '5'],
    ['(a=1 c=1) or (a=1 b=1)', '35'],
  ])('%s', (query, expected) => {
    expect(passing(query, letters)).toBe(expected);
  });
});

describe('Free text', () => {
  const stored: Fields[] = [
    { '@rawstring': 'GET /index', '@id': 'needle', '@timestamp': '42', '#tag': 'needle' },
    { '@rawstring': 'x', other: 'a needle here' },
    { '@display': 'needle' },
    { '@ingesttimestamp': 'needle' },
  ];

  test('searches all fields except tags, @id and the timestamps', () => {
    expect(passing('needle', stored)).toBe('12');
    expect(passing('/n[e]{2}dle$/', stored)).toBe('2');
    expect(passing('42', stored)).toBe('');
    expect(passing('"/index"', stored)).toBe('0');
    expect(passing('GET*index', stored)).toBe('0');
    expect(passing('not needle', stored)).toBe('03');
    expect(passing('index or needle', stored)).toBe('012');
  });

  test('searches the event as it was stored, without changes of earlier steps', () => {
    expect(passing('drop(other) | needle', stored)).toBe('12');
    expect(passing('x := "unseen" | unseen', stored)).toBe('');
    expect(passing('x := "unseen" | case { unseen; x=unseen | index }', stored)).toBe('0');
  });

  test('extracts from @rawstring before other fields', () => {
    const event = { a: 'id=1', '@rawstring': 'id=2' };
    expect(rowsOf('/id=(?<id>\\d)/', [event])).toEqual([{ ...event, id: '2' }]);
    expect(rowsOf('/id=(?<id>\\d)/', [{ a: 'id=1' }])).toEqual([{ a: 'id=1', id: '1' }]);
  });
});

describe('Regular expression extraction', () => {
  test('sets or overwrites fields that later conditions read', () => {
    expect(rowsOf('f=/(?<k>\\w)=(?<v>\\d)/ v > 1', [{ f: 'a=1', v: '9' }, { f: 'b=2' }])).toEqual([
      { f: 'b=2', k: 'b', v: '2' },
    ]);
  });

  test('returns one event for each match with the flag g', () => {
    expect(rowsOf('f=/1|2/g | count()', events('f=1a2', 'f=a'))).toEqual(events('_count=2'));
    expect(rowsOf('f=/(?<d>\\d)/g', events('f=1a2'))).toEqual(events('f=1a2 d=2', 'f=1a2 d=1'));
  });

  test('keeps a field if the group of its name took no part in the match', () => {
    expect(rowsOf('f=/(?<a>x)|(?<b>y)/', events('f=y a=0'))).toEqual(events('f=y a=0 b=y'));
  });

  test('does not change the stored event', () => {
    const event = Object.freeze({ f: 'ab' });
    expect(rowsOf('f=/(?<x>a)/ | f=/(?<y>b)/ | f := x', [event])).toEqual([{ f: 'a', x: 'a', y: 'b' }]);
  });
});

describe('Parameters', () => {
  const input = events('f=a*', 'f=ab', 'g=ab');
  test.each([
    ['f=?p', { p: 'a*' }, '01'],
    ['f=?p', {}, '01'],
    ['f=?{p=ab}', {}, '1'],
    ['f=?{p=ab}', { p: 'a' }, ''],
    ['g=?p or f=?{p=ab}', {}, '12'],
    ['?p', { p: 'b' }, '12'],
    ['?p', {}, '012'],
    ['f=?{"p q"="a*"}', { 'p q': '/a/' }, ''],
    ['f match { ?p => * }', { p: '*b' }, '1'],
    ['test(f == ?p)', { p: 'ab' }, '1'],
  ])('%s with %j', (query, args, expected) => {
    expect(passing(query, input, args as Record<string, string>)).toBe(expected);
  });
});

describe('case and match', () => {
  const input = events('f=1', 'f=2', 'f=3', 'g=1');

  test('the first clause that passes the event is used', () => {
    expect(rowsOf('case { }', input)).toEqual([]);
    const query = 'case { f=1; f<3 | k:="two"; * | k:="rest" }';
    expect(rowsOf(query, input)).toEqual(events('g=1 k=rest', 'f=3 k=rest', 'f=2 k=two', 'f=1'));
  });

  test('changes by a clause that does not pass the event are discarded', () => {
    expect(rowsOf('x := 0 | case { x := 1 | f=1; * }', input)).toEqual(
      events('g=1 x=0', 'f=3 x=0', 'f=2 x=0', 'f=1 x=1'),
    );
  });

  test('match guards can be values, patterns, regular expressions, functions and wildcards', () => {
    expect(passing('f match { 1 => *; /(?<d>2)/ => d=2 }', input)).toBe('01');
    expect(passing('f match { in(values=[1, 3]) => * }', input)).toBe('02');
    expect(passing('f match { "*" => * }', input)).toBe('012');
    expect(passing('f match { ** => * }', input)).toBe('012');
    expect(passing('f match { 1 => false; * => * }', input)).toBe('0123');
  });

  test('case statements can be nested', () => {
    const query = 'case { f=* | case { f=1; f=2 | x:="y" }; * | x:="n" } | groupBy(x)';
    expect(rowsOf(query, input)).toEqual(events('x=n _count=2', 'x=y _count=1', '_count=1'));
  });
});

describe('Laws of filters', () => {
  const field = fc.constantFrom('a', 'b', 'c');
  const word = fc.string({ unit: fc.constantFrom('x', 'y', '1', '2', ''), maxLength: 3 });
  const event = fc.dictionary(field, word, { maxKeys: 3 });
  const comparison = fc.oneof(
    fc
      .tuple(field, fc.constantFrom('=', '!='), word)
      .map(([name, operator, value]) => `${name}${operator}"${value}"`),
    fc
      .tuple(field, fc.constantFrom('<', '>='), fc.nat(30))
      .map(([name, operator, value]) => `${name}${operator}${value}`),
    fc.tuple(field, word).map(([name, value]) => `${name}=*${value}*`),
    word.map((value) => `"${value}"`),
  );
  const filter = fc.oneof(
    comparison,
    fc.tuple(comparison, fc.constantFrom(' or ', ' and ', ' '), comparison).map((parts) => parts.join('')),
    comparison.map((inner) => `not (${inner})`),
  );
  const count = (query: string, input: readonly Record<string, string>[]): number =>
    Number(rowsOf(`${query} | count()`, input)[0]?._count);

  test('the events that match f and those that match not f add up to all events', () => {
    fc.assert(
      fc.property(filter, fc.array(event, { maxLength: 20 }), (source, input) => {
        expect(count(`(${source})`, input) + count(`not (${source})`, input)).toBe(input.length);
      }),
      cases(),
    );
  });

  test('f or g returns the same events as case { f; g }', () => {
    fc.assert(
      fc.property(comparison, comparison, fc.array(event, { maxLength: 20 }), (f, g, input) => {
        expect(rowsOf(`${f} or ${g}`, input)).toEqual(rowsOf(`case { ${f}; ${g} }`, input));
      }),
      cases(),
    );
  });

  test('f | g returns the same events as f and g', () => {
    fc.assert(
      fc.property(filter, filter, fc.array(event, { maxLength: 20 }), (f, g, input) => {
        const piped = runOf(`(${f}) | (${g})`, input);
        expect(piped.rows()).toEqual(rowsOf(`(${f}) (${g})`, input));
      }),
      cases(),
    );
  });
});

describe('A comparison of text with a number', () => {
  const warningsOf = (query: string, ...texts: string[]) => {
    const run = runOf(query, events(...texts));
    run.rows();
    return run.warnings;
  };

  test('warns with a few of the values, and for levels with what to write', () => {
    expect(warningsOf('level >= 40', 'level=info', 'level=error', 'other=1')).toEqual([
      '"level" is never a number here, only text such as "info", "error": level >= 40 finds nothing. Write in(level, values=[warn, error, fatal]).',
    ]);
    expect(warningsOf('a=1 | state > 2 | count()', 'a=1 state=on', 'a=1 state=off')).toEqual([
      '"state" is never a number here, only text such as "on", "off": state > 2 finds nothing.',
    ]);
  });

  test.each([
    ['sum(size)', 'sum(size)'],
    ['groupBy(a, function=[count(), avg(size)])', 'avg(size)'],
    ['percentile(size)', 'percentile(size)'],
  ])('%s of text warns that %s finds nothing', (query, call) => {
    expect(warningsOf(query, 'a=1 size=2KB', 'a=2 size=3KB')).toEqual([
      `"size" is never a number here, only text such as "2KB", "3KB": ${call} finds nothing.`,
    ]);
    expect(warningsOf(query, 'a=1 size=2KB', 'a=2 size=3')).toEqual([]);
    expect(warningsOf(query, 'a=1', 'a=2')).toEqual([]);
  });

  test.each([
    ['level >= 40', 'level=50', 'level=error'],
    ['level >= 40', 'level=error', 'level=10'],
    ['level >= 40', 'other=1', 'x=2'],
    ['a=2 | level >= 40', 'a=1 level=error', 'a=1'],
    ['case { level >= 40; * }', 'level=30', 'level=x'],
  ])('%s does not warn about the events %s and %s', (query, ...texts) => {
    expect(warningsOf(query, ...texts)).toEqual([]);
  });
});
