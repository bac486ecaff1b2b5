import { pathToFileURL } from 'node:url';
import type { LogEvent } from '../../index.ts';
import type { LogSource } from '../assertions/log-source.ts';
import { writeHtmlReport } from './html-report.ts';
import { logLine } from './log-line.ts';

const MAX_LINES = 40;

/** A test, as its runner describes it. */
export interface ReportedTest {
  readonly id: string;
  readonly name: string;
  /** Records of other tests arrive in the meantime, so only those of the test's own fixture are shown. */
  readonly concurrent?: boolean | undefined;
}

interface ReportedLogs {
  /** Id of the test that the records belong to. @default unknown */
  readonly owner: string | undefined;
  /** Returns the records since the test started. */
  readonly records: () => Promise<readonly LogEvent[]>;
}

interface TestLogs {
  readonly open: Map<LogSource, { owner?: string; before: number }>;
  /** Records of logs that were closed since the test started. */
  closed: ReportedLogs[];
  /** Whether a runner will ask for them. */
  isWanted: boolean;
  /** Folder for HTML reports of failed tests. @default none are written */
  htmlReport?: string | undefined;
}

/** Shared by all copies of the package in a realm: a setup file and a test file can have one each. */
const KEY = Symbol.for('logclient.test-logs');

function testLogs(): TestLogs {
  const holder = globalThis as { [KEY]?: TestLogs };
  holder[KEY] ??= { open: new Map(), closed: [], isWanted: false };
  return holder[KEY];
}

/** @param dir folder for HTML reports of failed tests; `undefined` to write none */
export function setHtmlReport(dir: string | undefined): void {
  testLogs().htmlReport = dir;
}

export function noteLogTest(source: LogSource): void {
  testLogs().open.set(source, { before: 0 });
}

/** Assigns the records to one test. */
export function assignLogTest(source: LogSource, testId: string): void {
  testLogs().open.set(source, { owner: testId, before: 0 });
}

/** Keeps the records for the report. Call it before they are deleted. */
export async function forgetLogTest(source: LogSource): Promise<void> {
  const { open, closed, isWanted } = testLogs();
  const owner = open.get(source)?.owner;
  if (isWanted) {
    const records = await recordsOf(source);
    closed.push({ owner, records: async () => records });
  }
  open.delete(source);
}

/** Starts a test: its report leaves out what was logged before. */
export async function beginTest({ concurrent }: Omit<ReportedTest, 'id'>): Promise<void> {
  const all = testLogs();
  all.isWanted = true;
  if (concurrent === true) return;
  all.closed = [];
  for (const [source, logs] of all.open) logs.before = (await recordsOf(source)).length + logs.before;
}

/** Describes what was logged since the test started, and writes the HTML report; `undefined` if nothing was logged. */
export async function describeTestLogs({ id, name, concurrent }: ReportedTest): Promise<string | undefined> {
  const { open, closed, htmlReport } = testLogs();
  const all: ReportedLogs[] = [...closed];
  for (const [source, { owner }] of open) all.push({ owner, records: () => recordsOf(source) });
  const own = all.filter(({ owner }) => owner === id || (owner === undefined && concurrent !== true));
  const records = (await Promise.all(own.map((logs) => logs.records()))).flat();
  if (records.length === 0) return undefined;
  records.sort((left, right) => Number(left['@timestamp']) - Number(right['@timestamp']));
  const lines = records.slice(-MAX_LINES).map((record) => `  ${logLine(record)}`);
  const left = records.length - lines.length;
  const head = `Logs of the failed test "${name}":`;
  const shown = [head, ...(left > 0 ? [`  … ${left} earlier records`] : []), ...lines];
  if (htmlReport !== undefined) shown.push(htmlReportLine(htmlReport, name, records));
  return shown.join('\n');
}

/** A report that can't be written must not hide why the test failed. */
function htmlReportLine(dir: string, name: string, records: readonly LogEvent[]): string {
  try {
    return `Search these logs: ${pathToFileURL(writeHtmlReport({ dir, name: name || 'test', records })).href}`;
  } catch (error) {
    return `The HTML report could not be written to "${dir}" (htmlReport). ${(error as Error).message}`;
  }
}

/** Returns no records if the server fails, which must not hide why the test failed. */
async function recordsOf(source: LogSource): Promise<LogEvent[]> {
  const before = testLogs().open.get(source)?.before ?? 0;
  const records = await source.delivered().catch(() => []);
  return records.slice(before);
}
