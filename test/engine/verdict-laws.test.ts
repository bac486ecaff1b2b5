import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileQuery, emptyLibrary, QueryError } from '../../src/engine/index.ts';
import { FUNCTION_GROUPS } from '../../src/language/functions/docs/index.ts';
import { check, QuerySyntaxError, type Span } from '../../src/language/index.ts';
import { cases, lawCases } from '../helpers/laws.ts';
import { REALISTIC_QUERIES } from '../language/realistic-queries.ts';

/** Where the engine rejects a query. */
function refusalOf(query: string): { readonly message: string; readonly span: Span } | undefined {
  try {
    compileQuery(query, { library: emptyLibrary });
    return undefined;
  } catch (error) {
    if (error instanceof QueryError || error instanceof QuerySyntaxError) return error;
    throw error;
  }
}

function errorsIn(query: string) {
  return check(query).filter(({ severity }) => severity === 'error');
}

function overlap(one: Span, other: Span): boolean {
  return one.start <= other.end && other.start <= one.end;
}

test.each([
  'a=1 or count()',
  'a=1 or (b=2 and count())',
  'not groupBy(a)',
  'a!=count()',
  'a=1 or b=count()',
  'a match { count() => * }',
  'x := count() + 1',
  'x := -count()',
  'x := [a, b] / 2',
  'x := { a=b } + 1',
  'x := parseJson(a) + 1',
  'eval(x = sum(a))',
  'test(count() > 5)',
  'if(count(), then=1, else=2)',
  'array:filter("a[]", var=x, function={ x=1 or count() })',
  'case { a=count() | x := 1; * }',
  '#type=count() error',
  'cidr(ip, subnet="10.x.0.0/8")',
  'cidr(ip, subnet=["10.0.0.0/8", "internal"])',
  'x := format("%d%", field=a)',
  'format("%s %y", field=[a, b], as=x)',
  'ioc:lookup(a, type=address)',
  'ioc:lookup(a, type=domain, confidenceThreshold=sure)',
  'table(fields=[a, b], 20000)',
  '[count, max(a)]',
  'groupBy(a, function=[count, sum(b)])',
  'groupBy(a, function=[x := b])',
])('%s is an error for the engine and the checker, at the same place', (query) => {
  const refusal = refusalOf(query);
  expect(refusal).toBeDefined();
  expect(errorsIn(query).some(({ span }) => overlap(span, refusal!.span))).toBe(true);
});

test.each([
  'a=count()',
  'x := count()',
  'a=1 and in(b, values=[1])',
  'x := if(cidr(ip, subnet="10/8"), then=1, else=2)',
  'cidr(ip, subnet=["10.0.0.0", "fd00::/8", "::ffff:10.0.0.0/104"])',
  'x := format("%5.2f %% %<s %1$s %tY %,d", field=[a, b])',
  'ioc:lookup(a, type=IP_ADDRESS, confidenceThreshold=Unverified)',
  'not (a=1 or in(b, values=[2]))',
])('%s is valid for both', (query) => {
  expect(refusalOf(query)).toBeUndefined();
  expect(errorsIn(query)).toEqual([]);
});

/** What the checker can't know or doesn't check: names of a server, and rules about several arguments. */
const ENGINE_ONLY =
  /There is no (?:saved query|lookup file|table|column)|has no value|accepts either|needs (?:either|ordered rows)|one per field|must (?:be an? (?:array|locale|time|number)|be field names|come before|contain)|correlate|does not support %|Invalid format: [^%]*$|only allowed|is not a (?:conversion|subnet)|callFunction\(\)|Percentiles/;

const PIECES = [
  '(',
  ')',
  '"',
  '|',
  ',',
  '=',
  ' or ',
  ' not ',
  'count()',
  ' x',
  '5m',
  '[a]',
  '{ a=b }',
  '/a(/',
  '-1',
];

/** A realistic query with a part that is cut, inserted, or replaced by another. */
const anyChanged = fc
  .tuple(fc.constantFrom(...REALISTIC_QUERIES), fc.nat(3), fc.nat(500), fc.constantFrom(...PIECES))
  .map(([query, form, place, piece]) => {
    const at = place % (query.length + 1);
    const word = [...query.matchAll(/\w+/g)][place % 10] ?? { index: 0, 0: '' };
    const isInserted = form < 2;
    const [start, end] = isInserted ? [at, at + form * 2] : [word.index, word.index + word[0].length];
    return query.slice(0, start) + (form === 1 ? '' : piece) + query.slice(end);
  });

test('a changed query is an error for both or for none', () => {
  let refused = 0;
  fc.assert(
    fc.property(anyChanged, (query) => {
      const refusal = refusalOf(query);
      const errors = errorsIn(query);
      if (refusal === undefined) {
        expect(errors, query).toEqual([]);
        return;
      }
      if (ENGINE_ONLY.test(refusal.message)) return;
      refused += 1;
      expect(errors, `${query}: ${refusal.message}`).not.toEqual([]);
    }),
    cases(40),
  );
  expect(refused).toBeGreaterThan(12);
}, 60_000);

/** Calls of every function: without arguments, and as in its example. */
const CALLS = FUNCTION_GROUPS.flatMap(({ functions }) =>
  Object.entries(functions).flatMap(([name, { example }]) => {
    const start = example.indexOf(`${name}(`);
    const call = /^[\w:]+\((?:[^()]|\([^()]*\))*\)/.exec(example.slice(start))?.[0];
    return start < 0 || call === undefined ? [`${name}()`] : [`${name}()`, call];
  }),
);

/** Places of a call. */
const PLACES = [
  'a =~ CALL',
  'a = CALL',
  'a != CALL',
  'not CALL',
  'CALL or b=1',
  'x := CALL',
  'x := 1 + CALL',
  'x := -CALL',
  'y := lower(CALL)',
  'coalesce([CALL])',
  'eval(x=CALL)',
  'test(CALL > 1)',
  'groupBy(a, function=CALL)',
  'groupBy(a, function=[CALL])',
  'bucket(function={ CALL })',
  'case { CALL; * }',
  'a match { CALL => x := 1; * => x := 2 }',
  'array:filter("a[]", var="v", function={ CALL })',
  'count() | CALL',
];

/** What depends on the values of arguments, on files, or on the steps around the call. */
const UNCHECKED =
  /needs (?:ordered rows|"ip"|"subnet"|either|the parameter "as")|only allowed in the argument|must (?:come before|be the first|be a step)|changes events here|read all events first|pairs of names|There is no (?:lookup file|table|file)/;

test('check reports a call that the engine refuses at the same place, whatever the function and the place', () => {
  let refused = 0;
  const queries = CALLS.flatMap((call) => PLACES.map((place) => place.replace('CALL', call)));
  const tried = lawCases(queries, 150);
  for (const query of tried) {
    const refusal = refusalOf(query);
    if (refusal === undefined || UNCHECKED.test(refusal.message)) continue;
    const found = check(query);
    if (found.some(({ code }) => code === 'unsupported-function')) continue;
    refused += 1;
    const errors = found.filter(({ severity }) => severity === 'error');
    expect(
      errors.some(({ span }) => overlap(span, refusal.span)),
      `${query} ⇒ ${refusal.message}`,
    ).toBe(true);
  }
  expect(refused).toBeGreaterThan(tried.length / 10);
}, 60_000);

test.each([
  ['count() | &&', 'and-mark'],
  ['count() | where x > 5', 'where'],
  ['level=error | summarize foo(user) by host', 'kql-summarize'],
  ['accumulate(count())', 'unordered-rows'],
])('a phrase or a step that the engine refuses is an error, not a warning: %s', (query, code) => {
  expect(check(query)).toContainEqual(expect.objectContaining({ code, severity: 'error' }));
  expect(refusalOf(query)).toBeDefined();
});

test.each(['createEvents("a=1") | a', 'readFile("x.csv") | a'])(
  'free text may follow %s, which ignores the events before it',
  (query) => {
    expect(check(query).filter(({ severity }) => severity === 'error')).toEqual([]);
  },
);

test('a valid call beside a filter has the same findings as alone', () => {
  for (const call of lawCases(CALLS, 80)) {
    for (const query of [`${call} a=1`, `not ${call}`, `a=1 or ${call}`]) {
      if (refusalOf(query) !== undefined) continue;
      const known = check(call).map(({ code }) => code);
      expect(
        check(query).filter(({ code }) => !known.includes(code)),
        query,
      ).toEqual([]);
    }
  }
});

test.each([
  'test(f == "b") a=1',
  'a=1 or test(f == "b")',
  'if(a == "b", then=1, else=2, as=x) y=1',
  'eval(x = a == "b") y=1',
])('the expression in a call beside a filter is no phrase of another language: %s', (query) => {
  expect(check(query)).toEqual([]);
});
