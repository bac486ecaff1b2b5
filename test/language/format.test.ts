import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatted } from '../../src/language/format/format.ts';
import { format, parse, print, QuerySyntaxError } from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';
import { anyPipeline } from './any-pipeline.ts';
import { edited, insertedBefore } from './edits.ts';
import { withoutSpans } from './outline.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

const LAYOUTS: readonly (readonly [title: string, query: string, expected: string])[] = [
  [
    'a query on one line stays on one line',
    'level = error|groupBy( [host,user] ,limit = max)|  sort(_count)',
    'level=error | groupBy([host, user], limit=max) | sort(_count)',
  ],
  [
    'line breaks between steps stay, for all steps',
    'level=error\n|groupBy(host)|sort(_count)',
    'level=error\n| groupBy(host)\n| sort(_count)',
  ],
  ['missing pipes are written', 'x := 1\ny := 2', 'x := 1\n| y := 2'],
  ['a parameter within a word stays there', 'host:web?1  a=1 ?b', 'host:web?1 a=1 ?b'],
  ['empty steps are dropped', '| a=1 | | b=2 |', 'a=1 | b=2'],
  [
    'a long call has one argument on each line',
    '#type=web | groupBy([host, user], function=[count(as=requests), max(ms, as=slowest)], limit=max)',
    '#type=web\n| groupBy(\n    [host, user],\n    function=[count(as=requests), max(ms, as=slowest)],\n    limit=max\n  )',
  ],
  [
    'a long filter has one operand on each line',
    'service=checkout level=error message="*payment declined*" or message="*card expired*" region=eu-west-1',
    'service=checkout\n  level=error\n  message="*payment declined*" or message="*card expired*"\n  region=eu-west-1',
  ],
  [
    'clauses on lines of their own end with a semicolon',
    'case { a=1\n| x := 1; * | y := 2 }',
    'case {\n  a=1\n    | x := 1;\n  * | y := 2;\n}',
  ],
  ['an empty case has no lines of its own', 'a|case{\n}|b', 'a | case { } | b'],
  ['clauses on one line do not', 'case { a=1 | x := 1; *; }', 'case { a=1 | x := 1; * }'],
  ['a comma before a closing bracket goes', 'in(a, values=[1, 2,],)', 'in(a, values=[1, 2])'],
  [
    'an argument that is one array keeps its brackets on the line',
    'select([@timestamp, service, level, message, user, request, response, duration, bytes, host])',
    'select([\n  @timestamp,\n  service,\n  level,\n  message,\n  user,\n  request,\n  response,\n  duration,\n  bytes,\n  host\n])',
  ],
  ['operators have spaces', 'x:=-a+b*(c-!d)', 'x := -a + b * (c - !d)'],
  ['comparisons have spaces except = and !=', 'a = 1 b != 2 c<3 d>=4', 'a=1 b!=2 c < 3 d >= 4'],
  ['a tilde after = keeps its space', 'x = ~y', 'x= ~y'],
  ['one empty line between steps stays', 'a=1\n\n\n| b=2\n| c=3', 'a=1\n\n| b=2\n| c=3'],
  ['a query of white space is empty', ' \n ', ''],
];

const COMMENTS: readonly (readonly [title: string, query: string, expected: string])[] = [
  [
    'at the top, with the empty line after it',
    '// Failed logins\n\n#type=auth | count()',
    '// Failed logins\n\n#type=auth | count()',
  ],
  ['before a step', 'a=1\n// then\n|b=2', 'a=1\n// then\n| b=2'],
  ['before a step, after its pipe', 'a=1 |\n// then\nb=2', 'a=1\n// then\n| b=2'],
  ['at the end of a line', 'a=1 // one\n| b=2 // two', 'a=1 // one\n| b=2 // two'],
  [
    'at the end of a step, which stays on one line',
    'level=error // all\n| groupBy(host) // by host\n| x := f([a, b]) // c\n| in(a, values=[1]) or b // d\n| case { a; * } /* e */ // f',
    'level=error // all\n| groupBy(host) // by host\n| x := f([a, b]) // c\n| in(a, values=[1]) or b // d\n| case { a; * } /* e */ // f',
  ],
  [
    'at the end of a step, without counting its length',
    `groupBy([host, user], function=count(as=requests)) // ${'long '.repeat(12)}\n| b`,
    `groupBy([host, user], function=count(as=requests)) // ${'long '.repeat(12)}\n| b`.replace(' \n', '\n'),
  ],
  ['in a step', 'a=1|/* b */b=2', 'a=1 | /* b */ b=2'],
  [
    'between arguments',
    'groupBy(host, // by host\n limit=max)',
    'groupBy(\n  host, // by host\n  limit=max\n)',
  ],
  ['before a comma', 'groupBy(host // by host\n, limit=max)', 'groupBy(\n  host, // by host\n  limit=max\n)'],
  [
    'in clauses',
    'case {\n// first\na=1|x:=1;// one\n*|x:=2 // two\n// last\n}',
    'case {\n  // first\n  a=1 | x := 1; // one\n  * | x := 2; // two\n  // last\n}',
  ],
  ['between operands', 'a=1 // one\nb=2', 'a=1 // one\n  b=2'],
  ['at the end', 'a=1\n\n// the end', 'a=1\n\n// the end'],
  ['alone', '// nothing else', '// nothing else'],
  ['after a colon', 'https: // not a URL', 'https: // not a URL'],
];

test.each(LAYOUTS)('%s', (_title, query, expected) => {
  expect(format(query, { width: 80 })).toBe(expected);
});

describe('A comment is kept', () => {
  test.each(COMMENTS)('%s', (_title, query, expected) => {
    expect(format(query)).toBe(expected);
  });
});

/** Ignores comment marks in strings and regular expressions. */
function commentsOf(query: string): string[] {
  const parts = query.match(
    /"(?:[^"\\]|\\.)*"|(?<=[=(|{;,] ?|^)\/(?![/*])(?:[^/\\\n]|\\.)+\/|(?<!:)\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g,
  );
  return (parts ?? []).filter((part) => /^\/[/*]/.test(part)).map((part) => part.trimEnd());
}

/** The formatter's output, before checking that the meaning is the same. */
function layout(query: string, width: number): string {
  return formatted(query, parse(query), width);
}

function expectLaws(query: string, width: number): void {
  const text = layout(query, width);
  expect(withoutSpans(parse(text))).toEqual(withoutSpans(parse(query)));
  expect(layout(text, width)).toBe(text);
}

describe('A formatted query means the same, and formatting it again changes nothing', () => {
  it.each([20, 60, 100])('for realistic queries and a width of %i', (width) => {
    for (const query of REALISTIC_QUERIES) {
      expectLaws(query, width);
      expect(commentsOf(layout(query, width))).toEqual(commentsOf(query));
    }
  });

  it('for any query with comments and line breaks anywhere', () => {
    const trivia = fc.constantFrom(' ', ' /* c */ ', ' // c\n', '\n', '\n// c\n', '\n\n/* c */\n', '\r\n\t');
    fc.assert(
      fc.property(
        anyPipeline,
        fc.array(trivia, { maxLength: 8 }),
        fc.nat(),
        fc.integer({ min: 20, max: 120 }),
        (pipeline, texts, seed, width) => {
          const query = print(pipeline);
          const places = insertedBefore(parse(query), '');
          const edits = texts.map((text, index) => ({
            ...places[(seed + index * 7) % places.length]!,
            text,
          }));
          const once = new Map(edits.map((edit) => [edit.at.start, edit]));
          const text = edited(query, [...once.values()]);
          const inserted = [...once.values()].filter((edit) => edit.text.includes('c')).length;
          // A minus before the value of a saved query's argument is the rare case in which the text stays unchanged.
          const result = format(text, { width });
          expect(withoutSpans(parse(result))).toEqual(withoutSpans(parse(text)));
          expect(format(result, { width })).toBe(result);
          expect((result.match(/\/\* c \*\/|\/\/ c$/gm) ?? []).length).toBeGreaterThanOrEqual(inserted);
        },
      ),
      cases(20),
    );
  });
});

test('lines are no longer than the width if possible', () => {
  const query = 'groupBy([alpha, beta, gamma], function=[count(as=requests), max(duration, as=slowest)])';
  for (const width of [40, 60, 80]) {
    for (const line of format(query, { width }).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  }
});

test('a query that cannot be parsed fails with the syntax error', () => {
  expect(() => format('groupBy(')).toThrow(QuerySyntaxError);
});

test.each([{ width: 10 }, { widht: 80 }])('the options %j are rejected', (options) => {
  expect(() => format('a=1', options as object)).toThrow(/width/);
});
