import { expect, test } from 'vitest';
import { compileQuery } from '../../src/engine/index.ts';
import { FUNCTION_GROUPS } from '../../src/language/functions/docs/index.ts';
import { check, QueryTextError } from '../../src/language/index.ts';

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
  for (const call of CALLS) {
    for (const place of PLACES) {
      const query = place.replace('CALL', call);
      const refusal = refusalOf(query);
      if (refusal === undefined || UNCHECKED.test(refusal.message)) continue;
      const found = check(query);
      if (found.some(({ code }) => code === 'unsupported-function')) continue;
      refused += 1;
      const { start, end } = refusal.span;
      const errors = found.filter(({ severity }) => severity === 'error');
      expect(
        errors.some(({ span }) => span.start <= end && start <= span.end),
        `${query} ⇒ ${refusal.message}`,
      ).toBe(true);
    }
  }
  expect(refused).toBeGreaterThan(1000);
}, 60_000);

function refusalOf(query: string): QueryTextError | undefined {
  try {
    compileQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return error;
    throw error;
  }
}

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
