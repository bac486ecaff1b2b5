import type { LogEvent } from '../../index.ts';
import { logLine } from './log-line.ts';

const MAX_LINES = 40;

/** Whose records are shown when a test fails. */
export interface ReportedLogs {
  records(): Promise<LogEvent[]>;
  /** @throws LogException for a look whose `await` was forgotten. */
  settleForgotten(): Promise<void>;
}

interface TestLogs {
  /** What is open, and how many records it had when the test began. */
  readonly open: Map<ReportedLogs, number>;
  /** The records of what was closed since a test began. */
  closed: LogEvent[];
  /** How many tests are running: more than one when they are concurrent, and then nobody can tell whose a record is. */
  running: number;
  /** Somebody is going to ask. */
  isWanted: boolean;
}

/** Shared by all copies of the package in a realm: a setup file and a test file can have one each. */
const KEY = Symbol.for('logclient.test-logs');

function testLogs(): TestLogs {
  const holder = globalThis as { [KEY]?: TestLogs };
  holder[KEY] ??= { open: new Map(), closed: [], running: 0, isWanted: false };
  return holder[KEY];
}

export function noteLogTest(logs: ReportedLogs): void {
  testLogs().open.set(logs, 0);
}

/** To be called before a test's records go away. */
export async function forgetLogTest(logs: ReportedLogs): Promise<void> {
  const all = testLogs();
  if (all.isWanted) all.closed.push(...(await recordsOf(logs)));
  all.open.delete(logs);
}

/** A test begins: what was logged before is not its affair. */
export async function beginTest(): Promise<void> {
  const all = testLogs();
  all.isWanted = true;
  if (all.running++ > 0) return;
  all.closed = [];
  for (const logs of all.open.keys()) all.open.set(logs, (await logs.records().catch(() => [])).length);
}

/**
 * To be called when a test ends, before {@link endTest}: what is closed by then has told it already.
 *
 * @throws LogException for a look whose `await` was forgotten.
 */
export async function failForgotten(): Promise<void> {
  const { open, running } = testLogs();
  // Of tests that run at the same time, another one may be about to await.
  if (running > 1) return;
  for (const logs of open.keys()) await logs.settleForgotten();
}

/** A test is over; its logs can be described until the next one begins. */
export function endTest(): void {
  testLogs().running--;
}

/** What was logged since the test began, as text for people; `undefined` when there was nothing to log to. */
export async function describeTestLogs(testName: string): Promise<string | undefined> {
  const { open, closed } = testLogs();
  const records = [...closed];
  for (const logs of open.keys()) records.push(...(await recordsOf(logs)));
  if (records.length === 0) return undefined;
  records.sort((left, right) => Number(left['@timestamp']) - Number(right['@timestamp']));
  const lines = records.slice(-MAX_LINES).map((record) => `  ${logLine(record)}`);
  const left = records.length - lines.length;
  const head = `Logs of the failed test "${testName}":`;
  return [head, ...(left > 0 ? [`  … ${left} earlier records`] : []), ...lines].join('\n');
}

/** Trouble with the server must not hide why the test failed. */
async function recordsOf(logs: ReportedLogs): Promise<LogEvent[]> {
  const before = testLogs().open.get(logs) ?? 0;
  return (await logs.records().catch(() => [])).slice(before);
}
