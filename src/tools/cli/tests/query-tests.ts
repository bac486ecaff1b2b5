import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { utf8Bytes, utf8Text, withoutTextMark } from '../../../core/bytes.ts';
import { misspelledHints } from '../../../core/field-hints.ts';
import { fieldNames } from '../../../core/records/field-names.ts';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { readLogLine } from '../../../core/records/log-line.ts';
import { structuredLines } from '../../../core/records/structured-lines.ts';
import { shortenText } from '../../../core/shorten-text.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { LogEvent } from '../../../core/wire/query.ts';
import { check, falseFields, positionAt, QueryTextError, resultFields } from '../../../language/index.ts';
import { LineQuery, type LineQueryOptions } from '../../../server/line-query/index.ts';
import { type LibraryTexts, YamlError } from '../../../server/parser-tests/index.ts';
import { unreadable, usageFailure } from '../../output/command-failure.ts';
import type { FileProblem } from '../../output/sarif.ts';
import { writeNote } from '../../output/standard-output.ts';
import { lostEvents, rowsOf } from '../../query/query-steps.ts';
import { readTextFile } from '../../settings/input-file.ts';
import { type EmbeddedQuery, fileOffset } from '../../sources/embedded-query.ts';
import { EXTENSIONS, filesAt, formatOf, type QueryFile, queriesIn } from '../../sources/query-files.ts';
import { argumentProblems, parametersOf } from '../../sources/query-parameters.ts';
import { Coverage } from './query-coverage.ts';
import {
  type Expectation,
  type ExpectedRow,
  expectsRows,
  type QueryTest,
  readQueryTests,
  withRows,
} from './query-test-file.ts';
import { rowDifferences } from './row-differences.ts';
import { libraryOf } from './test-files.ts';
import { type Failure, reportResults, type TestFlags, type TestResult } from './test-report.ts';

export interface QueryTestFlags extends TestFlags {
  readonly update?: boolean;
  readonly coverage?: boolean;
  readonly key?: readonly string[];
}

const TEST_FILE = /\.test\.ya?ml$/i;
/** What is meant as tests must not be skipped. */
const MISNAMED_FILE = /\.tests\.(ya?ml)$/i;
const MISNAMED_TESTS = /^(?:test|Tests?|TESTS?)(?=:)/m;
/** The current time of tests whose events have no time. */
const DEFAULT_NOW = Date.UTC(2026, 0, 1);
/** CPU time limit of each run. */
const MAX_CPU_MS = 30_000;
const MAX_LINE_LENGTH = 80;

/** Runs tests of queries, or writes the expected rows. @throws CommandFailure if a test failed */
export async function testQueries(paths: readonly string[], flags: QueryTestFlags): Promise<void> {
  const { named, found } = await filesAt(paths, (path) => /^(?:yaml|json)$/.test(formatOf(path) ?? ''));
  const other = named.find((path) => formatOf(path) !== 'yaml');
  if (other !== undefined) {
    throw usageFailure(
      `${other} has no tests. The tests of errors.lql are in errors.test.yaml; those of a query in YAML can also be beside it, as its member "tests".`,
    );
  }
  const run = new QueryTestRun(flags);
  const results = await Promise.all([
    ...named.map((path) => run.testFile(path, true)),
    ...found.map((path) => run.testFile(path, false)),
  ]);
  await reportResults(results.flat(), flags, run);
}

/** A query with the file that contains it. */
interface TestedQuery {
  readonly embedded: EmbeddedQuery;
  readonly source: QueryFile;
  /** Whether a test of the file expects rows of it. */
  readonly isProven: boolean;
}

class QueryTestRun {
  readonly #flags: QueryTestFlags;
  readonly #libraries = new Map<string, Promise<LibraryTexts>>();
  /** What no test decides: a filter, or an arm of `case` or `match`. */
  readonly gaps: FileProblem[] = [];
  /** Files in folders that have tests, but no query. */
  readonly skipped: string[] = [];

  constructor(flags: QueryTestFlags) {
    this.#flags = flags;
  }

  /** @param isNamed true if the file was named on the command line, so that it must have tests */
  async testFile(path: string, isNamed: boolean): Promise<readonly TestResult[]> {
    try {
      return await this.#testsIn(path, isNamed);
    } catch (error) {
      const [line, message] = [error instanceof YamlError ? error.line : 1, (error as Error).message];
      return [{ path, line, name: 'test file', failures: [{ message }], warnings: [] }];
    }
  }

  async #testsIn(path: string, isNamed: boolean): Promise<readonly TestResult[]> {
    const text = await readTextFile('the test file', path);
    const isTestFile = TEST_FILE.test(path);
    const hasQueries = (): boolean => this.#sourceOf(path, text).queries.length > 0;
    if (formatOf(path) === 'json') {
      if (!/"tests?"\s*:/i.test(text) || !(/\.tests?\.json$/i.test(path) || hasQueries())) return [];
      throw new YamlError('Tests in JSON are not read. Move them to a file .test.yaml beside the query.', 1);
    }
    if (MISNAMED_FILE.test(path) && !hasQueries()) {
      const name = basename(path).replace(MISNAMED_FILE, '.test.$1');
      throw new YamlError(`This is no name of a test file. Rename it to ${name}.`, 1);
    }
    if (!isTestFile && !isNamed && !/^tests:/m.test(text)) {
      const member = MISNAMED_TESTS.exec(text);
      if (member === null || !hasQueries()) return [];
      const { line } = positionAt(text, member.index);
      throw new YamlError(`${member[0]} is unknown. Did you mean "tests"?`, line);
    }
    const source = isTestFile ? await this.#testedSource(path) : this.#sourceOf(path, text);
    if (source === undefined) {
      const names = ['.lql', '.cql', '.yaml'].map((each) => path.replace(TEST_FILE, each));
      throw new YamlError(`There is no query ${names.join(' or ')}.`, 1);
    }
    // The tests of old parser templates are lines, and those of other programs can't be read.
    const isOther = (): boolean =>
      source.queries.length === 0 && !tryOr(source.error, () => readQueryTests(text, false));
    if (!isTestFile && !isNamed && (/^script:/m.test(text) || isOther())) {
      this.skipped.push(path);
      return [];
    }
    return this.#runTests(path, text, source, readQueryTests(text, isTestFile));
  }

  /** The file beside a test file. */
  async #testedSource(path: string): Promise<QueryFile | undefined> {
    for (const extension of [...EXTENSIONS.query, ...EXTENSIONS.yaml, ...EXTENSIONS.json]) {
      const name = path.replace(TEST_FILE, extension);
      const text = await readFile(name, 'utf8').catch(() => undefined);
      // Without settings of a rule, only its tests show that the filter is a query.
      if (text !== undefined) return this.#sourceOf(name, text, ['search.filter']);
    }
    return undefined;
  }

  #sourceOf(path: string, text: string, more: readonly string[] = []): QueryFile {
    return { path, text, ...queriesIn(path, text, [...(this.#flags.key ?? []), ...more]) };
  }

  async #runTests(
    path: string,
    text: string,
    source: QueryFile,
    tests: readonly QueryTest[],
  ): Promise<readonly TestResult[]> {
    const changes = new Map<QueryTest, readonly ExpectedRow[]>();
    const runs = new Map<QueryTest, TestRun>();
    const coverages = new Map<EmbeddedQuery, Coverage>();
    for (const test of tests) {
      const embedded = queryOf(source, test);
      if (typeof embedded === 'string') {
        runs.set(test, { failures: [{ message: embedded }], warnings: [] });
        continue;
      }
      const coverage = coverages.get(embedded) ?? new Coverage(embedded.query);
      coverages.set(embedded, coverage);
      const isProven = tests.some((each) => expectsRows(each) && queryOf(source, each) === embedded);
      const run = await this.#runTest(path, { embedded, source, isProven }, test, coverage);
      const { failures, rows } = run;
      runs.set(test, run);
      if (this.#flags.update !== true || rows === undefined || failures.length === 0) continue;
      if (rows.length > 0 || test.expected === undefined) changes.set(test, rows);
      else run.failures = [...failures, { message: KEPT_ROWS }];
    }
    if (changes.size > 0) {
      const { text: updated, left } = withRows(text, changes);
      for (const test of changes.keys()) {
        const run = runs.get(test)!;
        run.failures = left.includes(test) ? [...run.failures, { message: SHARED_ROWS }] : [];
      }
      if (updated !== text) {
        await writeFile(path, updated);
        writeNote(`logclient: updated ${path}.`);
      }
    }
    for (const [embedded, coverage] of coverages) {
      for (const { at, message } of coverage.gaps()) {
        const region = { startLine: lineAt(source, embedded, at) };
        this.gaps.push({ path: source.path, level: 'note', title: 'coverage', message, region });
      }
    }
    return tests.map((test) => {
      const { failures, warnings } = runs.get(test)!;
      return { path, line: test.line, name: test.name, failures, warnings };
    });
  }

  async #runTest(path: string, tested: TestedQuery, test: QueryTest, coverage: Coverage): Promise<TestRun> {
    const { embedded } = tested;
    try {
      const lines = await linesOf(test, dirname(path));
      const options = await this.#optionsOf(tested, test, lines);
      const lineQuery = new LineQuery(embedded.query, options);
      const parameters = parametersOf(embedded.query, options.savedQueries);
      const { unknown, open } = argumentProblems(parameters, options.arguments);
      if ((unknown ?? open) !== undefined) throw new Error(unknown ?? open);
      if (this.#flags.coverage === true) await coverage.add(lines, options);
      const all = await rowsOf(lineQuery, lines);
      const run = { warnings: lineQuery.warnings, ...resultOf(test.expected, all) };
      run.failures = [...run.failures, ...typeFailures(embedded.query, all)];
      const isLost = run.failures.length > 0 && all.length === 0;
      const lost = isLost ? await lostEvents(embedded.query, lines, options) : undefined;
      if (lost !== undefined) {
        const place = `${tested.source.path}:${lineAt(tested.source, embedded, lost.at)}`;
        const hint = await misspelling(embedded.query, lines, options);
        const message = [`${place} ${lost.message}`, hint ?? ''].join('\n').trimEnd();
        if (this.#flags.update === true && test.expected === undefined)
          run.warnings = [...run.warnings, `"rows: []" proves little: ${message}`];
        else run.failures = [...run.failures, { message }];
      }
      if (run.failures.length > 0 || (expectsRows(test) && run.rows !== undefined)) return run;
      const unfed = resultOf(test.expected, await rowsOf(new LineQuery(embedded.query, options), []));
      const isBare = lines.every((line) => /^\s*(?:\{\s*\}|null|true|false|-?\d+)?\s*$/.test(line));
      const idle = isBare ? NO_FIELDS : tested.isProven ? undefined : NO_ROWS;
      const absent = async () => idle ?? (await misspelling(embedded.query, lines, options));
      const why = !expectsRows(test) ? await absent() : unfed.failures.length === 0 ? UNFED : undefined;
      return why === undefined ? run : { failures: [{ message: why }], warnings: run.warnings };
    } catch (error) {
      const excerpt = error instanceof QueryTextError ? `\n${error.excerpt}` : '';
      const { message } = error as Error;
      const folder = dirname(tested.source.path);
      const places = `\nLookup files are in ${folder}, ${join(folder, '../data')} or "files" of the test.`;
      const hint = message.includes('no lookup file') ? places : '';
      return { failures: [{ message: `${message}${excerpt}${hint}` }], warnings: [] };
    }
  }

  async #optionsOf(
    { source: { path } }: TestedQuery,
    { start, end, now, timeZone = 'UTC', params, files, savedQueries }: QueryTest,
    lines: readonly string[],
  ): Promise<LineQueryOptions> {
    const folder = dirname(path);
    const cached = this.#libraries.get(folder) ?? libraryOf(folder);
    this.#libraries.set(folder, cached);
    const library = await cached;
    const newest = new LineQuery('max(@timestamp, as=newest)', { now: DEFAULT_NOW, timeZone });
    const [row] = now === undefined ? await rowsOf(newest, lines) : [];
    return {
      start,
      end,
      timeZone,
      now: now ?? Number(row?.newest ?? DEFAULT_NOW),
      arguments: params,
      files: { ...library.files, ...files },
      savedQueries: { ...library.savedQueries, ...savedQueries },
      maxCpuMs: MAX_CPU_MS,
      maxCpuMsPerLine: 0,
    };
  }
}

interface TestRun {
  failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** The rows to expect; undefined if the query failed. */
  readonly rows?: readonly ExpectedRow[];
}

/** The query with a name, or why there is none. */
function queryOf(
  { path, error, queries: all }: QueryFile,
  { query: name, isBeside }: QueryTest,
): EmbeddedQuery | string {
  const queries = all.filter(({ offset }) => isBeside(offset));
  if (error !== undefined) return `${path} can't be parsed: ${error.message}`;
  const candidates = name === undefined ? queries : queries.filter((each) => each.name === name);
  if (candidates.length === 1) return candidates[0]!;
  if (queries.length === 0)
    return `${basename(path)} has no query. If it has, name its member, as in --key condition.`;
  const names = queries.map((each) => each.name ?? extname(path)).join(', ');
  return `${basename(path)} has ${queries.length} queries. Set "query" to the name of one: ${names}.`;
}

async function linesOf({ events }: QueryTest, folder: string): Promise<readonly string[]> {
  const lines = await Promise.all(
    events.map(async (event) => {
      if (!('file' in event)) return [event.text];
      const path = join(folder, event.file);
      const lines = await readEventFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' && event.text !== undefined) return [event.text];
        throw new YamlError(unreadable(`the events in ${event.file}`, error), event.line);
      });
      const broken = /\.(?:ndjson|jsonl?)$/.test(path) ? lines.find(isBrokenJson) : undefined;
      if (broken === undefined) return lines;
      throw new YamlError(`${event.file} is not JSON: ${shortenText(broken, MAX_LINE_LENGTH)}`, event.line);
    }),
  );
  const all = lines.flat();
  for (const line of all.filter((each) => each.includes('"@timestamp"'))) {
    const { isJson, members, timeField } = readLogLine(line, new WrittenTimes({ timeZone: 'UTC' }));
    const written = JSON.stringify(isJson ? members()['@timestamp'] : undefined);
    // It would get the time of another event.
    if (written !== undefined && timeField !== '@timestamp')
      throw new Error(`"@timestamp" must be a time such as 2026-02-03T09:00:00Z (got ${written}).`);
  }
  return all;
}

/** The events in a file, a line each, as all commands read it: also JSON over several lines, such as exported Windows events. */
async function readEventFile(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  // PowerShell writes UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
  const text = withoutTextMark(bytes.toString(encoding)).replace(/^Record \d+\r?$/gm, '');
  let lines = '';
  for await (const chunk of structuredLines([utf8Bytes(text)])) lines += utf8Text(chunk);
  return lines.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Whether a line starts as JSON, but isn't. */
function isBrokenJson(line: string): boolean {
  return /^\s*(?:\{|\[\s*(?:["{]|$))/.test(line) && tryOr(true, () => JSON.parse(line) === undefined);
}

function resultOf(
  expected: Expectation | undefined,
  all: readonly LogEvent[],
): { failures: readonly Failure[]; readonly rows?: readonly ExpectedRow[] } {
  const expectedRows = expected !== undefined && 'rows' in expected ? expected.rows : [];
  const rows = all.map((row) => shownRow(row, expectedRows));
  if (expected === undefined) return { failures: [MISSING_ROWS], rows };
  if ('rows' in expected) return { failures: rowDifferences(expected.rows, rows), rows };
  const shown = rows.slice(0, 3).map((row) => JSON.stringify(row));
  if ('count' in expected) {
    const [wanted, actual] = [`${expected.count}`, `${rows.length}`];
    return { failures: wanted === actual ? [] : [{ message: 'number of rows', expected: wanted, actual }] };
  }
  if (expected.isMatch === rows.length > 0) return { failures: [] };
  const missed = { message: 'the query must match, but returns no rows' };
  const found = { message: `the query must not match, but returns rows (${rows.length})` };
  return { failures: [expected.isMatch ? missed : { ...found, actual: shown.join('\n') }] };
}

/** Rows that the type of the query's rows rules out. */
export function typeFailures(query: string, rows: readonly LogEvent[]): readonly Failure[] {
  const fields = resultFields(query);
  const wrong = rows.flatMap((row, index) =>
    falseFields(fields, row).map((what) => `row ${index + 1} ${what}`),
  );
  return wrong.slice(0, 3).map((message) => ({ message: `the type of the rows is wrong: ${message}` }));
}

const SHARED_ROWS =
  'rows are not updated: they have an anchor, which an alias can use. Write the rows of each test without anchors.';

const KEPT_ROWS = 'rows are not updated: the query returns none. If that is right, write "rows: []".';

const NO_FIELDS =
  'the test expects no rows and has no event with a field, so it proves nothing. Add events that the query must not return.';

const NO_ROWS =
  'no test of the query expects rows, so a query that finds nothing would pass. Add events that it must return.';

const UNFED =
  'the query returns a row even without events, so this proves nothing. Add a condition on the row, such as "| _count > 0", or write the row as "rows".';

const MISSING_ROWS: Failure = { message: 'rows is missing. Run the command with --update to write it.' };

/** That a query reads a field that the events have under a misspelled name, or as a tag. */
async function misspelling(query: string, lines: readonly string[], options: LineQueryOptions) {
  const known = fieldNames(await rowsOf(new LineQuery('*', options), lines));
  const others = known.filter((name) => !query.includes(name));
  const findings = check(query, { source: { fields: known.map((name) => ({ name })) } });
  const hints = findings.flatMap(({ code, span: { start, end }, message }) => {
    const asked = query.slice(start, end);
    if (code === 'tag-field') return others.includes(`#${asked}`) ? [message] : [];
    return code === 'unknown-field' ? misspelledHints([asked], others) : [];
  });
  return hints[0];
}

function lineAt({ text }: QueryFile, embedded: EmbeddedQuery, at: number): number {
  return positionAt(text, fileOffset(embedded, at)).line;
}

/** A row without the fields that every event has, unless an expected row names them. */
function shownRow(row: LogEvent, expected: readonly ExpectedRow[]): ExpectedRow {
  const all = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
  const shown = all.filter(
    ([name]) => !name.startsWith('@') || expected.some((each) => Object.hasOwn(each, name)),
  );
  return Object.fromEntries(shown.length > 0 ? shown : all.filter(([name]) => name === '@rawstring'));
}
