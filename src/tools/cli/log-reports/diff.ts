import { countText } from '../../../core/count-text.ts';
import {
  compareProfiles,
  type LogChange,
  type LogProfile,
  MAX_VALUES,
  ProfileCollector,
} from '../../../core/records/log-profile.ts';
import { loggedLine } from '../../../core/records/logged-line.ts';
import { maskSecrets } from '../../../core/secrets/mask-secrets.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { type Cell, type Row, Worded } from '../../output/row-format.ts';
import { writeRows } from '../../output/row-writer.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { readRecords } from './sources.ts';

export interface DiffFlags extends OutputFlags {
  readonly markdown?: boolean;
}

const COLUMNS = ['change', 'name', 'before', 'after'];

/** Prints what changed between two logs. Exits like diff(1): with status 1 if anything changed, and with 2 for a problem. */
export async function diff(before: string, after: string, flags: DiffFlags): Promise<void> {
  if (before === '-' && after === '-') throw usageFailure('only one of the logs can be stdin ("-").');
  const profiles = [await profileOf(before, flags.timezone), await profileOf(after, flags.timezone)] as const;
  const empty = [before, after].find((_, place) => profiles[place]?.records === 0);
  if (empty !== undefined) throw usageFailure(`${empty} has no records to compare.`);
  const { changes, leftOut, skipped } = compareProfiles(...profiles);
  const rows: Row[] = changes.map(({ change, name, before: old, after: now }) => {
    return { change, name: maskSecrets(name), before: cellOf(change, old), after: cellOf(change, now) };
  });
  if (flags.markdown === true) await writeOutput(markdownTable(rows));
  else await writeRows(rows, COLUMNS, flags);
  const [old, now] = profiles.map(({ records }) => countText(records, 'record'));
  const [first] = leftOut;
  const few = `${countText(leftOut.length, 'share')} moved little or by chance, the largest is ${first?.name} (${first?.before} % to ${first?.after} %)`;
  const many = `${countText(skipped.length, 'field')} with more than ${MAX_VALUES} values, such as ${skipped.slice(0, 3).join(', ')}`;
  const omissions = (first ? ` Left out: ${few}.` : '') + (skipped[0] ? ` Not compared: ${many}.` : '');
  const summary = `between ${old} and ${now}.${maskSecrets(omissions)}`;
  if (rows.length > 0)
    throw new CommandFailure(`the logs differ: ${countText(rows.length, 'change')} ${summary}`);
  if (flags.quiet !== true) writeNote(`logclient: no changes ${summary}`);
}

/** In JSON, numbers have no units. */
function cellOf(change: LogChange['change'], value: LogChange['before']): Cell {
  if (typeof value !== 'number') return value === null ? null : maskSecrets(value);
  const unit = change === 'moved rate' ? ' per minute' : change.startsWith('moved') ? ' %' : '';
  return new Worded(value, `${value}${unit}`);
}

async function profileOf(source: string, timeZone: string | undefined): Promise<LogProfile> {
  const profile = new ProfileCollector();
  await readRecords([source], 'diff - after.log', timeZone, ({ text }, times) =>
    profile.add(loggedLine(text, times)),
  );
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
