import { pathToFileURL } from 'node:url';
import { inspect, stripVTControlCharacters } from 'node:util';
import { refuseUnknownOptions, requireText } from '../../core/option-checks.ts';
import type { LogEvent } from '../../index.ts';
import type { LogSource } from '../log-source.ts';
import { writeHtmlReport } from './html-report.ts';
import { recordLines } from './log-line.ts';

const MAX_RECORDS = 40;

/** A test, as its runner describes it. */
export interface ReportedTest {
  readonly id: string;
  readonly name: string;
  /** Records of other tests arrive in the meantime, so only those of the test's own fixture are shown. */
  readonly concurrent?: boolean | undefined;
  /** Why it failed, if its runner says so. */
  readonly errors?: readonly unknown[] | undefined;
}

/** The records since the test started. */
interface ReadRecords {
  readonly records: readonly LogEvent[];
  /** Why they could not be read. */
  readonly failure?: string;
}

interface ReportedLogs {
  readonly source: LogSource;
  readonly pending: { endTest(): Promise<void> };
  /** Id of the test that the records belong to. @default unknown */
  readonly owner: string | undefined;
  /** Number of records before the test. */
  before: number;
  /** The records, if the logs were closed since the test started. */
  kept?: ReadRecords;
}

interface TestLogs {
  readonly all: Map<LogSource, ReportedLogs>;
  /** Whether a runner will ask for them. */
  isWanted: boolean;
  /** Folder for HTML reports of failed tests. @default none are written */
  htmlReport?: string | undefined;
}

/** Shared by all copies of the package in a realm: a setup file and a test file can have one each. */
const KEY = Symbol.for('logclient.test-logs.4');

export function testLogs(): TestLogs {
  const holder = globalThis as { [KEY]?: TestLogs };
  holder[KEY] ??= { all: new Map(), isWanted: false };
  return holder[KEY];
}

/** Settings for all tests of a test runner. */
export interface LogTestSettings {
  /**
   * Folder for HTML reports, relative to the current directory. For each failed test that logged records, the test
   * runner writes one file with the records and the web page, and prints a link to it. @default no reports
   */
  htmlReport?: string | undefined;
}

/**
 * Configures the tests of vitest or Jest. Call it in a setup file; each call replaces all settings.
 *
 * @example
 * configureLogTests({ htmlReport: 'log-reports' });
 *
 * @throws LogOptionsException
 */
export function configureLogTests(settings: LogTestSettings): void {
  refuseUnknownOptions('configureLogTests', settings, ['htmlReport']);
  const { htmlReport } = settings;
  if (htmlReport !== undefined) requireText('configureLogTests', 'htmlReport', htmlReport);
  testLogs().htmlReport = htmlReport;
}

/** @param owner the only test that the records belong to */
export function noteLogTest(
  { source, pending }: Omit<ReportedLogs, 'owner' | 'before'>,
  owner?: string,
): void {
  testLogs().all.set(source, { source, pending, owner, before: 0 });
}

/** Keeps the records for the report. Call it before they are deleted. */
export async function forgetLogTest(source: LogSource): Promise<void> {
  const { all, isWanted } = testLogs();
  const logs = all.get(source);
  if (isWanted && logs !== undefined) logs.kept = await readRecords(logs);
  else all.delete(source);
}

/** Starts a test: its report leaves out what was logged before. */
export async function beginTest({ concurrent }: Omit<ReportedTest, 'id'>): Promise<void> {
  const registry = testLogs();
  registry.isWanted = true;
  if (concurrent === true) return;
  for (const [source, logs] of registry.all)
    if (logs.kept !== undefined) registry.all.delete(source);
    else logs.before = (await readRecords(logs)).records.length + logs.before;
}

/** Waits for assertions that the test has not awaited. @throws LogException if there are any */
export async function endTest({ concurrent }: Pick<ReportedTest, 'concurrent'>): Promise<void> {
  // They may be those of another test.
  if (concurrent === true) return;
  await Promise.all([...testLogs().all.values()].map(({ pending }) => pending.endTest()));
}

/**
 * Describes what was logged since the test started, and writes the HTML report. Also reports logs that can't be read.
 *
 * @returns undefined if nothing was logged
 */
export async function describeTestLogs(test: ReportedTest): Promise<string | undefined> {
  const { id, name, concurrent, errors = [] } = test;
  const { all, htmlReport } = testLogs();
  const isOwn = ({ owner }: ReportedLogs) => owner === id || (owner === undefined && concurrent !== true);
  const own = [...all.values()].filter(isOwn);
  const results = await Promise.all(
    own.map(async (logs) => ({ mask: logs.source.mask, ...(await readRecords(logs)) })),
  );
  const failures = new Set(results.flatMap(({ failure }) => failure ?? []));
  const records = results.flatMap(({ mask, records }) => records.map((record) => mask.record(record)));
  if (records.length === 0 && failures.size === 0) return undefined;
  records.sort((left, right) => Number(left['@timestamp']) - Number(right['@timestamp']));
  const shownRecords = records.slice(-MAX_RECORDS);
  const lines = shownRecords.flatMap(recordLines).map((line) => `  ${line}`);
  const left = records.length - shownRecords.length;
  const head = `Logs of the failed test "${name}":`;
  const shown = [head, ...(left > 0 ? [`  … ${left} earlier records`] : []), ...lines];
  for (const failure of failures) shown.push(`Not all logs could be read. ${failure}`);
  if (htmlReport !== undefined && records.length > 0) {
    const message = stripVTControlCharacters([...new Set(errors.map(messageOf))].join('\n\n'));
    const options = { message, dir: htmlReport, name: name || 'test', records };
    try {
      shown.push(`Search these logs: ${pathToFileURL(writeHtmlReport(options)).href}`);
    } catch (error) {
      // It must not hide why the test failed.
      const reason = (error as Error).message;
      shown.push(`The HTML report could not be written to "${htmlReport}" (htmlReport). ${reason}`);
    }
  }
  return shown.join('\n');
}

/** Jest has pairs: what was thrown, if anything, and an error with the location of the test. */
function messageOf(error: unknown): string {
  const thrown: unknown = Array.isArray(error) ? error.find((each) => each !== undefined) : error;
  const { name = '', message } = (thrown ?? {}) as { readonly name?: unknown; readonly message?: unknown };
  if (typeof message !== 'string') return typeof thrown === 'string' ? thrown : inspect(thrown);
  return /^(?:Jest)?Assert\w*$|^Error$/.test(String(name)) ? message : `${name}: ${message}`;
}

/** Never rejects: a failed query must not hide why the test failed. */
async function readRecords({ source, before, kept }: ReportedLogs): Promise<ReadRecords> {
  if (kept !== undefined) return kept;
  try {
    // After a wait in vain, its assertion has said why.
    const missing = source.missing.length > 0 ? [] : await source.flush();
    const records = (await source.records({})).slice(before);
    return missing.length > 0 ? { records, failure: missing.join(' ') } : { records };
  } catch (error) {
    return { records: [], failure: error instanceof Error ? error.message : String(error) };
  }
}
