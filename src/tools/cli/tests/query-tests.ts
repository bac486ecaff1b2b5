import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LogEvent } from '../../../core/wire/query.ts';
import { LogException } from '../../../index.ts';
import { QueryTextError } from '../../../language/index.ts';
import { LineQuery } from '../../../server/line-query/index.ts';
import { type LibraryTexts, YamlError } from '../../../server/parser-tests/index.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { writeNote } from '../../output/standard-output.ts';
import { readTextFile } from '../../settings/input-file.ts';
import { type ExpectedRow, type QueryTest, readQueryTests, withRows } from './query-test-file.ts';
import { rowDifferences } from './row-differences.ts';
import { reportResults, type TestFlags } from './run-tests.ts';
import { filesAt, libraryOf, QUERY_EXTENSIONS } from './test-files.ts';
import type { Failure, TestResult } from './test-report.ts';

export interface QueryTestFlags extends TestFlags {
  readonly update?: boolean;
}

const TEST_FILE = /\.test\.ya?ml$/i;
/** The current time of tests whose events have no time. */
const DEFAULT_NOW = Date.UTC(2026, 0, 1);

/**
 * Runs tests of query files, or writes the expected rows.
 *
 * @throws CommandFailure if a test failed
 */
export async function testQueries(paths: readonly string[], flags: QueryTestFlags): Promise<void> {
  const { named, found } = await filesAt(paths, (path) => TEST_FILE.test(path));
  const other = named.find((path) => !TEST_FILE.test(path));
  if (other !== undefined) {
    throw usageFailure(`${other} is no test file. The tests of errors.lql are in errors.test.yaml.`);
  }
  const results = await Promise.all([...named, ...found].map((path) => testFile(path, flags)));
  await reportResults(results.flat(), flags);
}

async function testFile(path: string, flags: QueryTestFlags): Promise<readonly TestResult[]> {
  const text = await readTextFile('the test file', path);
  const failed = (line: number, message: string): readonly TestResult[] => [
    { path, line, name: 'test file', failures: [{ message }], warnings: [] },
  ];
  const library = await libraryOf(dirname(path));
  const name = basename(path).replace(TEST_FILE, '');
  const query = library.savedQueries?.[name];
  if (query === undefined) {
    const names = QUERY_EXTENSIONS.map((extension) => join(dirname(path), name + extension));
    return failed(1, `There is no query ${names.join(' or ')}.`);
  }
  let tests: readonly QueryTest[];
  try {
    tests = readQueryTests(text);
  } catch (error) {
    if (error instanceof YamlError) return failed(error.line, error.message);
    throw error;
  }
  const changes = new Map<number, readonly ExpectedRow[]>();
  const results: TestResult[] = [];
  for (const [index, test] of tests.entries()) {
    const run = await runTest(query, test, library);
    if (flags.update === true && run.rows !== undefined && run.failures.length > 0) {
      changes.set(index, run.rows);
      run.failures = [];
    }
    results.push({ path, line: test.line, name: test.name, ...run });
  }
  if (changes.size > 0) {
    await writeFile(path, withRows(text, changes));
    writeNote(`logclient: updated ${path}.`);
  }
  return results;
}

interface TestRun {
  failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** The rows to expect; undefined if the query failed. */
  readonly rows?: readonly ExpectedRow[];
}

async function runTest(query: string, test: QueryTest, library: LibraryTexts): Promise<TestRun> {
  const { start, end, timeZone, params } = test;
  try {
    const now = test.now ?? (await newestTime(test.events));
    const options = { start, end, now, timeZone, arguments: params, ...library };
    const lineQuery = new LineQuery(query, options);
    const rows = (await rowsOf(lineQuery, test.events)).map((row) => shownRow(row, test.rows ?? []));
    const failures = test.rows === undefined ? [MISSING_ROWS] : rowDifferences(test.rows, rows);
    return { failures, warnings: lineQuery.warnings, rows };
  } catch (error) {
    if (!(error instanceof LogException)) throw error;
    const excerpt = error instanceof QueryTextError ? `\n${error.excerpt}` : '';
    return { failures: [{ message: `${error.message}${excerpt}` }], warnings: [] };
  }
}

const MISSING_ROWS: Failure = { message: 'rows is missing. Run the command with --update to write it.' };

async function rowsOf(query: LineQuery, lines: readonly string[]): Promise<readonly LogEvent[]> {
  const rows: LogEvent[] = [];
  for await (const some of query.run(lines.map((line) => `${line}\n`)))
    for (const row of some) rows.push(row);
  return rows;
}

async function newestTime(lines: readonly string[]): Promise<number> {
  let newest = Number.NEGATIVE_INFINITY;
  // A call can't have as many arguments as a test can have events.
  for (const event of await rowsOf(new LineQuery('*', { now: DEFAULT_NOW }), lines)) {
    newest = Math.max(newest, Number(event['@timestamp']));
  }
  return Number.isFinite(newest) ? newest : DEFAULT_NOW;
}

/** A row without the fields that every event has, unless an expected row names them. */
function shownRow(row: LogEvent, expected: readonly ExpectedRow[]): ExpectedRow {
  const all = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
  const shown = all.filter(
    ([name]) => !name.startsWith('@') || expected.some((each) => Object.hasOwn(each, name)),
  );
  return Object.fromEntries(shown.length > 0 ? shown : all.filter(([name]) => name === '@rawstring'));
}
