import { beforeEach, expect, test, vi } from 'vitest';
import { check, fixQuery } from '../../src/language/index.ts';
import { MISTAKE_CASES } from '../engine/mistake-cases.ts';
import { lawCases } from '../helpers/laws.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

/** What has been done since the test began. */
const work = vi.hoisted(() => ({ tokens: 0, nodes: 0 }));

vi.mock(import('../../src/language/grammar.ts'), async (original) => {
  const grammar = await original();
  return {
    ...grammar,
    parseQuery(tokens) {
      try {
        return grammar.parseQuery(tokens);
      } finally {
        work.tokens += tokens.taken.length + 1;
      }
    },
  };
});

vi.mock(import('../../src/language/walk.ts'), async (original) => {
  const module = await original();
  return {
    ...module,
    walk(root, visitor) {
      const counting = new Proxy(visitor, {
        get: (target, kind) => (node: never, parent: never) => {
          work.nodes += 1;
          return (target as Record<string | symbol, (node: never, parent: never) => unknown>)[kind]?.(
            node,
            parent,
          );
        },
      });
      module.walk(root, counting);
    },
  };
});

beforeEach(() => {
  work.tokens = 0;
  work.nodes = 0;
});

const TYPED = Object.values(MISTAKE_CASES).flatMap((cases) => cases.map(([typed]) => typed));

/** Queries with many problems. */
const MANY: readonly (readonly [name: string, query: string])[] = [
  ['240 steps of KQL', `a=1 ${'| take 5 '.repeat(240)}`],
  ['240 steps of SPL', `a=1 ${'| eval x=1 '.repeat(240)}`],
  ['100 foreign operators', `a=1 ${'or b contains "x" '.repeat(100)}`],
  ['100 missing fields', `count() ${'| x := y + 1 | drop(y) | z=1 '.repeat(100)}`],
  ['200 unclosed brackets', 'groupBy(host | '.repeat(200)],
  ['500 single quotes', "a='b' ".repeat(250)],
  ['100 unknown functions', 'cuont(x) | '.repeat(100)],
  ['60 clauses', `case { ${'b contains "x" | y := sqrt(z); '.repeat(60)} * }`],
  ['all typed mistakes', TYPED.filter((typed) => typed.startsWith('| ')).join(' ')],
  ['all queries', REALISTIC_QUERIES.join(' | ')],
];

/** The tokens and nodes of a query are at least these. */
function sizeOf(query: string): number {
  return query.match(/[\w.@#*]+|"[^"]*"|[^\s\w]/g)!.length;
}

test.each(lawCases(MANY, 4))(
  'check() does at most 100 times the work of parsing %s, fixQuery() 1,000 times',
  (_, query) => {
    const size = sizeOf(query);
    check(query);
    expect(work.tokens / size).toBeLessThanOrEqual(100);
    expect(work.nodes / size).toBeLessThanOrEqual(100);
    work.tokens = 0;
    work.nodes = 0;
    fixQuery(query, {}, () => true);
    expect(work.tokens / size).toBeLessThanOrEqual(1000);
    expect(work.nodes / size).toBeLessThanOrEqual(1000);
  },
);

test('a query without problems is parsed once', () => {
  const query = '#type=web path="/a" status>=500 | groupBy(host, function=[count()]) // all';
  expect(check(query)).toEqual([]);
  expect(work.tokens).toBe(23);
});

test('check() does at most 115 times the work of parsing a mistake of the table, also with valid steps around it', () => {
  const most = { check: 0, fixQuery: 0 };
  for (const typed of lawCases(TYPED, 60).flatMap((one) => [
    one,
    `level=error | ${one.replace(/^\| /, '')} | count()`,
  ])) {
    for (const [name, run] of [
      ['check', () => check(typed)],
      ['fixQuery', () => fixQuery(typed, {}, () => true)],
    ] as const) {
      work.tokens = 0;
      work.nodes = 0;
      run();
      const done = Math.max(work.tokens, work.nodes) / sizeOf(typed);
      if (done > (name === 'check' ? 115 : 1000)) console.info(name, typed, done);
      most[name] = Math.max(most[name], done);
    }
  }
  expect(most.check).toBeLessThanOrEqual(115);
  expect(most.fixQuery).toBeLessThanOrEqual(1000);
});
