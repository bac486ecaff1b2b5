import { countText } from '../../../core/count-text.ts';
import { compareProfiles, type LogProfile, ProfileCollector } from '../../../core/records/log-profile.ts';
import { usageFailure } from '../../output/command-failure.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import type { Row } from '../../output/row-format.ts';
import { RowWriter } from '../../output/row-writer.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { linesOfSources, withoutSecrets } from './sources.ts';

export interface DiffFlags extends OutputFlags {
  readonly markdown?: boolean;
}

const COLUMNS = ['change', 'name', 'before', 'after'];

/** Prints what changed between two logs. */
export async function diff(before: string, after: string, flags: DiffFlags): Promise<void> {
  if (before === '-' && after === '-') throw usageFailure('only one of the logs can be stdin ("-").');
  const profiles = [await profileOf(before), await profileOf(after)] as const;
  const rows: Row[] = compareProfiles(...profiles).map((change) => ({
    ...change,
    name: withoutSecrets(change.name),
    before: withoutSecrets(change.before),
    after: withoutSecrets(change.after),
  }));
  if (flags.markdown === true) await writeOutput(markdownTable(rows));
  else {
    const writer = new RowWriter(flags);
    await writer.begin({ isAggregate: true, columns: COLUMNS, isEndless: false });
    await writer.write(rows);
    await writer.end();
  }
  if (flags.quiet === true) return;
  const [old, now] = profiles.map(({ records }) => countText(records, 'record'));
  writeNote(
    `logclient: ${rows.length === 0 ? 'no changes' : countText(rows.length, 'change')} between ${old} and ${now}.`,
  );
}

async function profileOf(source: string): Promise<LogProfile> {
  const profile = new ProfileCollector();
  for await (const line of linesOfSources([source], 'diff - after.log')) profile.add(line);
  return profile.result();
}

function markdownTable(rows: readonly Row[]): string {
  const cell = (value: unknown): string =>
    String(value ?? '')
      .replaceAll(/[|\\`*_<>[\]]/g, '\\$&')
      .replaceAll('\n', ' ');
  const line = (cells: readonly unknown[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
  const head = line(COLUMNS) + line(COLUMNS.map(() => '---'));
  return head + rows.map((row) => line(COLUMNS.map((column) => row[column]))).join('');
}
