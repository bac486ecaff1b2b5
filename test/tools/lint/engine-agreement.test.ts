import { expect, test } from 'vitest';
import { compileQuery, emptyLibrary, type QueryLibrary } from '../../../src/engine/index.ts';
import { QueryTextError, type Span } from '../../../src/language/index.ts';
import { queryProblems } from '../../../src/tools/lint/query-problems.ts';
import { lawCases } from '../../helpers/laws.ts';
import { oddCalls } from './odd-calls.ts';

const library: QueryLibrary = {
  ...emptyLibrary,
  file: (name) => (name === 'x.csv' ? { headers: ['a', 'b'], rows: [] } : undefined),
};

/** What depends on lookup files, saved queries and repositories, which linters don't know. */
const DEPENDS = /^There is no (?:table and no )?(?:lookup file|column|repository)/;

function refusedAt(query: string): Span | undefined {
  try {
    compileQuery(query, { library });
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    return DEPENDS.test(error.message) ? undefined : error.span;
  }
}

/** Why they disagree about a query; `undefined` if they agree. */
function disagreement(query: string): string | undefined {
  const place = refusedAt(query);
  const errors = queryProblems(query).filter(({ severity }) => severity === 'error');
  if (place === undefined) return errors[0] && `reported, not refused: ${query} ⇒ ${errors[0].message}`;
  const isThere = ({ span }: { readonly span: Span }) => span.start <= place.end && span.end >= place.start;
  return errors.some(isThere) ? undefined : `refused, not reported there: ${query} ⇒ ${place.start}`;
}

test('linters report an error exactly where the engine refuses an odd call', () => {
  const calls = oddCalls();
  expect(calls.length).toBeGreaterThan(7000);
  const tried = lawCases(calls, 250);
  expect(tried.map(disagreement).filter((one) => one !== undefined)).toEqual([]);
});

test.each([
  'f > ?x',
  'head(?n)',
  'match(file="other.csv", field=a, column=b, include=c) | cidr(ip, file="nets.csv", column=net)',
  'readFile("other.csv", include=a)',
  '$saved(x=1) | accumulate(count())',
  'join({ a=1 }, field=a, view="other")',
])(
  'linters report nothing that depends on a parameter, a file, a saved query or a repository: %s',
  (query) => {
    expect(queryProblems(query)).toEqual([]);
  },
);

test('linters report the refusal of the engine beside other errors, without its position in the message', () => {
  expect(queryProblems('worldMap(lat=a)\n| sort(a, limit=many)')).toMatchObject([
    {
      code: 'not-compiled',
      severity: 'error',
      message: 'worldMap() needs "ip", or "lat" and "lon": the fields with the location.',
      span: { start: 0, end: 15 },
    },
    { code: 'wrong-type' },
  ]);
});

test('a function that only the service has is a warning, and no error of linters', () => {
  const query = 'user=eva | eventInternals() | groupBy(user, function=[count(), remoteTable()])';
  expect(queryProblems(query).map(({ code, severity }) => `${severity}: ${code}`)).toEqual([
    'warning: unsupported-function',
    'warning: unsupported-function',
  ]);
});
