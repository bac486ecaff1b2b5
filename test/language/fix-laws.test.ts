import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdit, check, fixQuery, highlight, parse, print } from '../../src/language/index.ts';
import { MISTAKE_CASES } from '../engine/mistake-cases.ts';
import { cases, lawCases } from '../helpers/laws.ts';
import { anyPipeline } from './any-pipeline.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

const TYPED = Object.values(MISTAKE_CASES).flatMap((cases) => cases.map(([typed]) => typed));

/** Text that is a mistake outside of strings, regular expressions and comments. */
const TRAPS = [
  ...TYPED.filter((typed) => !/["/\\\n*]/.test(typed)),
  'user is null',
  'a between 1 and 5',
  'name in (x)',
  'count() as x',
  'a:>5',
  '&&',
  "a == 'b'",
];

const anyTrap = fc.constantFrom(...TRAPS);

/** Applies what `lint --fix` applies. */
const repaired = (query: string) => fixQuery(query);
const fixed = (query: string) => fixQuery(query, {}, () => true);
const corrected = (query: string) => fixQuery(query, {}, ({ severity }) => severity !== 'info');

/** Queries in which the text is part of a string, a regular expression or a comment. */
const ANYWHERE: readonly ((text: string) => string)[] = [
  (text) => `level=error msg="${text}"`,
  (text) => `"${text}" | status=500`,
  (text) => `msg=/${text}/i | status=500`,
  (text) => `/${text}/`,
  (text) => `level=error // ${text}\n| status=500`,
  (text) => `level=error /* ${text} */ | status=500`,
  (text) => `x := format("${text.replaceAll('%', '%%')}%s", field=[host])`,
  (text) => `case { msg=/${text}/ | x := "${text}"; * }`,
  (text) => `regex("${text}", field=msg)`,
];

describe('A fix changes nothing', () => {
  test('in a string, a regular expression or a comment', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ANYWHERE), anyTrap, (place, text) => {
        const query = place(text);
        expect(check(query).filter(({ code }) => !code.includes('regex'))).toEqual([]);
        expect(fixed(query)).toBe(query);
      }),
      cases(40),
    );
  });

  test('in a string, a regular expression or a comment beside a mistake', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ANYWHERE), anyTrap, fc.constantFrom(...TYPED), (place, text, typed) => {
        const kept = place(text);
        const query = `${kept}\n| ${typed.replace(/^\| /, '')}`;
        for (const { fix, code } of check(query)) {
          // It writes the strings of a search as regular expressions without case.
          if (fix === undefined || code === 'spl-search') continue;
          for (const { kind, span } of highlight(query)) {
            if (span.end > kept.length || !['string', 'regex', 'comment'].includes(kind)) continue;
            expect(applyEdit(query, fix)).toContain(query.slice(span.start, span.end));
          }
        }
      }),
      cases(20),
    );
  });

  test.each([
    '* | eval s=if(msg=="TEXT", 1, 2)',
    '* | eval s=if(msg=="TEXT" and level="x", 1, 2)',
    '* | eval s=case(msg=="TEXT", 1, true(), 2)',
    '* | extend s=iff(msg=="TEXT" and level=="x", 1, 2)',
    '* | stats count(eval(msg="TEXT")) as n by host',
    'if (msg=="TEXT") { x := 1 }',
    'SELECT CASE WHEN msg = "TEXT" THEN 1 ELSE 2 END AS x',
    'SELECT count(*) FROM logs WHERE msg = "TEXT" GROUP BY host HAVING count(*) > 5',
    'SELECT count(*) FROM logs GROUP BY host HAVING host = "TEXT"',
  ])('in a string of the phrase that it replaces: %s', (query) => {
    const text = '"a==b&& c=d ,e or sum(f)"';
    expect(fixed(query.replace('"TEXT"', text))).toContain(text);
  });

  test.each([
    ['a slash without a backslash', 'CommandLine=/:/\\/[0-9]+/'],
    ['a newline', 'f=/a\nb/'],
    ['a newline and a pipe', 'f=/a | b\nc/'],
  ])('in a regular expression that ends early because of %s', (_, query) => {
    expect(check(query)[0]).toMatchObject({ severity: 'error' });
    expect(fixed(query)).toBe(query);
  });

  test('in a query without findings', () => {
    fc.assert(
      fc.property(anyPipeline, (tree) => {
        const query = print(tree);
        if (check(query).length === 0) expect(fixed(query)).toBe(query);
      }),
      cases(),
    );
  });

  test('in a query that can be parsed, unless suggestions are wanted', () => {
    fc.assert(
      fc.property(anyPipeline, (tree) => {
        expect(repaired(print(tree))).toBe(print(tree));
      }),
      cases(),
    );
    for (const query of REALISTIC_QUERIES) expect(repaired(query)).toBe(query);
  });
});

/** A valid query with a mistake before or after it, and sometimes cut or changed. */
const anyMistake = fc
  .tuple(
    fc.constantFrom(...REALISTIC_QUERIES, 'level=error'),
    fc.constantFrom(...TYPED),
    fc.nat(5),
    fc.nat(200),
  )
  .map(([query, typed, form, place]) => {
    const step = typed.replace(/^\| /, '');
    const at = place % (query.length + 1);
    return [
      typed,
      `${query} | ${step}`,
      `${step} | ${query}`,
      `${query} ${step}`,
      query.slice(0, at) + query.slice(at + 1),
      `${query.slice(0, at)}'${query.slice(at)}`,
    ][form]!;
  });

test('each fix gives a query that can be parsed, without a new error, and fixing it again changes nothing; its message proposes no text that fails to parse', () => {
  fc.assert(
    fc.property(anyMistake, (query) => {
      const before = check(query);
      for (const { fix, code, message } of before) {
        const [, proposal = ''] = /Write (?!\w+ instead)(.*) instead\.$/s.exec(message) ?? [];
        if (fix === undefined) continue;
        expect(() => parse(proposal.replace(/^\|/, '')), `${query} ⇒ ${message}`).not.toThrow();
        const after = applyEdit(query, fix);
        expect(() => parse(after), `${query} ⇒ ${after}`).not.toThrow();
        const known = before.map((one) => one.code);
        const errors = check(after).filter((one) => one.severity === 'error' && !known.includes(one.code));
        expect(errors, `${code}: ${query} ⇒ ${after}`).toEqual([]);
        const all = corrected(after);
        expect(corrected(all)).toBe(all);
      }
    }),
    cases(40),
  );
}, 60_000);

test('no problem marks a part of a word, also in a query that ends in the middle of a mistake', () => {
  const anyStart = fc.tuple(
    fc.constantFrom(...TYPED),
    fc.constantFrom(...TYPED),
    fc.integer({ min: 1, max: 30 }),
  );
  fc.assert(
    fc.property(anyStart, ([typed, next, length]) => {
      const query = `${typed}\n| ${next.replace(/^\| /, '').slice(0, length)}`;
      for (const { span, message } of check(query)) {
        const isWhole = (at: number) => !/^\w\w$/.test(query.slice(at - 1, at + 1));
        expect(span.start === span.end || (isWhole(span.start) && isWhole(span.end)), message).toBe(true);
      }
    }),
    cases(100),
  );
});

test.each(['a=/', "'", 'a=" '])('the fixes of a syntax error in a long text of %s are found', (piece) => {
  expect(check(piece.repeat(10_001))[0]).toMatchObject({ code: 'syntax', severity: 'error' });
});

test('no fix puts test() into test()', () => {
  const conditions = TYPED.filter((typed) => /ago\(|now\(\)|len\(|length\(/.test(typed));
  const steps = conditions.map((typed) => typed.replace(/^\w+ \| /, ''));
  for (const step of [...steps, 'where Timestamp > ago(7d)', 'test(@timestamp > ago(7d))']) {
    for (const rest of ['sort by Timestamp', 'project Timestamp, user'])
      expect(fixed(`T | ${step} | ${rest}`)).not.toMatch(/test\(\s*test\(/);
  }
});

test('what a message says to write is what the fix writes', () => {
  for (const typed of lawCases(TYPED, 60)) {
    for (const { message, fix } of check(typed)) {
      const [, proposal] = /Write (.*) instead\.$/s.exec(message) ?? [];
      if (proposal !== undefined && !/…|straight double quotes/.test(proposal))
        expect(fix?.text.trim()).toBe(proposal);
    }
  }
});
