import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { makeFolders } from '../../core/folders.ts';
import { type LogProfile, ProfileCollector } from '../../core/records/log-profile.ts';
import { loggedFields } from '../../core/records/logged-line.ts';
import { templateOf } from '../../core/records/message-pattern.ts';
import { tryOr } from '../../core/try-or.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** How a runner treats snapshots. */
export interface BaselineMode {
  /** Folder of relative paths. */
  readonly folder: string;
  /** Which patterns to write, as for snapshots: all with `-u`, those of a missing file, or none. */
  readonly writes: 'all' | 'new' | 'none';
}

/** Whether every message has a pattern of the baseline file. */
export async function hasNoNewPatterns(
  { source }: AssertionContext,
  file: string,
  { folder, writes }: BaselineMode,
): Promise<Verdict> {
  const path = resolve(folder, file);
  const profile = new ProfileCollector();
  for (const record of await source.records({})) profile.add(loggedFields(record));
  const patterns = templates(profile.result());
  const known = existsSync(path) ? readBaseline(path) : undefined;
  if (writes === 'all' || (writes === 'new' && known === undefined)) {
    makeFolders(dirname(path));
    writeFileSync(path, `${JSON.stringify({ patterns }, undefined, 2)}\n`);
    return { pass: true, explain: () => [] };
  }
  if (known === undefined) {
    throw new LogOptionsException(
      `The baseline ${path} is missing, and the runner writes no new snapshots. Run the test once on your machine and commit the file.`,
    );
  }
  const added = patterns.filter((pattern) => !known.includes(pattern));
  return {
    pass: added.length === 0,
    explain: () =>
      added.length === 0
        ? [`Expected messages with new patterns, found none`]
        : [
            'Expected no messages with new patterns, found:',
            '',
            ...added.map((pattern) => `  ${pattern}`),
            '',
            `To add them to ${file}, run the tests with -u`,
          ],
  };
}

/** Sorted, so that the file changes little. */
function templates({ patterns }: LogProfile): string[] {
  const all = [...patterns.values()].map((group) => templateOf(group).replaceAll(/‹\w+›/g, '…'));
  return [...new Set(all)].sort();
}

function readBaseline(path: string): readonly string[] {
  const patterns: unknown = tryOr(undefined, () => JSON.parse(readFileSync(path, 'utf8')).patterns);
  if (Array.isArray(patterns)) return patterns;
  throw new LogOptionsException(
    `${path} is no baseline: it needs an array "patterns". Delete it to create it again.`,
  );
}
