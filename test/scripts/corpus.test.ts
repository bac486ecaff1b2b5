import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

function corpus(...args: string[]): { readonly code: number | null; readonly stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/corpus.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 25_000,
  });
  return { code: status, stdout };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logclient-corpus-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the queries; those with a `kind` are `[kind, text]`. */
function run(queries: readonly (string | readonly [string, string])[], ...args: string[]) {
  const file = join(folder, 'queries.jsonl');
  const lines = queries.map((one) =>
    JSON.stringify(typeof one === 'string' ? { query: one } : { kind: one[0], query: one[1] }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, stdout } = corpus(file, ...args);
  return { code, lines: stdout.trimEnd().split('\n') };
}

const GOOD = [
  '#kind=web status>=500 host=/^db-\\d+$/ | groupBy([host, level], function=[count(), max(took)])',
  'match("teams.csv", field=host, column=name, include=[team]) | top(team, limit=?limit)',
  'regex(?pattern, field=message) | in(user, values=[?user, admin*]) | test(took > ?least)',
  'cidr(ip, subnet="10.0.0.0/8") | "some text" | table([ip, url])',
  ['parser', '/(?<when>\\S+) (?<level>\\w+)/ | findTimestamp(when) | kvParse()'],
] as const;

test('the corpus script prints how many queries were parsed and run, and the rejected ones', () => {
  const refused = ['a = ', 'cuont()', '$nowhere() | count()'];
  const { code, lines } = run([...GOOD, ...refused], '--min-parsed', '50', '--min-run', '50');
  expect(lines.slice(-6)).toEqual([
    'parsed  7 of 8 (87.50 %)',
    expect.stringMatching(/^ran {5}5 of 6 \(83\.33 %\), [1-5] of them with a result, \d with known fields$/),
    expect.stringMatching(
      /^fields {2}hold for \d queries with rows .*; known for \d+\.\d\d % of \d queries that end in an aggregate$/,
    ),
    'apart   1 that call a saved query which is not there',
    '        0 that call a function which the service has removed',
    'fixes   0 break a law',
  ]);
  expect(lines).toContainEqual(
    expect.stringContaining('There is no function "cuont". Did you mean "count"?  [line 7]'),
  );
  expect(lines).toContainEqual(expect.stringContaining('not parsed: Expected a value after "="'));
  expect(code).toBe(0);
});

test('the corpus script fails below the requested percentages', () => {
  expect(run([...GOOD]).code).toBe(0);
  expect(run([...GOOD, 'a = ']).code).toBe(1);
  expect(run([...GOOD, 'cuont()']).code).toBe(1);
});

test('the corpus script prints its usage', () => {
  const { code, stdout } = corpus();
  expect(stdout).toContain('Usage: npm run corpus');
  expect(code).toBe(2);
});
