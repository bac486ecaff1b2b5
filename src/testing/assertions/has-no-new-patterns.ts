import { basename, dirname, resolve } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { messagePatterns } from '../../core/records/log-profile.ts';
import { loggedFields, patternRecord } from '../../core/records/logged-line.ts';
import { templateOf } from '../../core/records/message-pattern.ts';
import { requireEvidence, requireRecords } from './evidence.ts';
import { readPatterns, writePatterns } from './pattern-file.ts';
import { noneOf } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** How a runner treats snapshots. */
export interface BaselineMode {
  /** The file of the test; relative paths start in its folder. @default unknown */
  readonly testPath?: string | undefined;
  readonly testName?: string | undefined;
  /** Which patterns to write, as for snapshots: all with `-u`, those of a new test, or none. @default none if `CI` is set */
  readonly writes?: 'all' | 'new' | 'none' | undefined;
  readonly howToUpdate?: string | undefined;
}

/** Whether every message has a pattern of the baseline file. */
export async function hasNoNewPatterns(
  context: AssertionContext,
  file: string,
  { testPath = '', testName = '', writes, howToUpdate = 'run the tests with -u' }: BaselineMode,
): Promise<Verdict> {
  await requireEvidence(context);
  // The baseline would be empty.
  const records = await requireRecords(context);
  const path = resolve(dirname(testPath), file);
  const test = `${basename(testPath)} > ${testName}`;
  const collector = messagePatterns();
  for (const record of records) collector.add(patternRecord(loggedFields(record)));
  const all = collector.result().patterns.map((group) => templateOf(group).replaceAll(/‹\w+›/g, '…'));
  // Sorted, so that the file changes little.
  const patterns = [...new Set(all)].sort();
  const known = readPatterns(path);
  const isNew = known?.[test] === undefined;
  const writesNew = writes === 'new' || (writes === undefined && !process.env.CI);
  const isWritten = writes === 'all' || (writesNew && isNew);
  if (isWritten) await writePatterns(path, test, patterns);
  else if (known === undefined)
    throw new LogOptionsException(
      `The baseline ${path} is missing, and the runner writes no new snapshots. Run the test once on your machine and commit the file.`,
    );
  const accepted = isWritten ? patterns : Object.values(known ?? {}).flat();
  const added = patterns.filter((pattern) => !accepted.includes(pattern));
  const advice = `To add them to ${file}, ${howToUpdate}`;
  return noneOf('Expected no messages with new patterns, found:', added, advice);
}
