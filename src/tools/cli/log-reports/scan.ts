import { countText } from '../../../core/count-text.ts';
import { redactOptions, SecretReport } from '../../../core/records/secret-report.ts';
import { DEFAULT_KINDS, type SecretKind } from '../../../core/secrets/secret-kinds.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { writeRows } from '../../output/row-writer.ts';
import { writeNote } from '../../output/standard-output.ts';
import { NO_LINES, readRecords } from './sources.ts';

export interface ScanFlags extends OutputFlags {
  readonly key?: readonly string[];
  readonly ignore?: readonly SecretKind[];
}

const COLUMNS = ['field', 'kind', 'name', 'count', 'sample', 'file', 'line'];

/** Prints the secrets in records, without showing them, and where the first one of each kind is. Exits with status 1 if there are any, and with 2 without lines. */
export async function scan(files: readonly string[], flags: ScanFlags): Promise<void> {
  const { key: keys = [], ignore = [] } = flags;
  const kinds = { ...DEFAULT_KINDS, email: true, ...Object.fromEntries(ignore.map((kind) => [kind, false])) };
  const report = new SecretReport({ keys, kinds });
  let records = 0;
  await readRecords(files, 'scan', undefined, ({ text, file, line }) => {
    records++;
    report.add(text, (at) => ({ file, line: line && line + text.slice(0, at).split('\n').length - 1 }));
  });
  if (records === 0) throw usageFailure(`there is nothing to scan: ${NO_LINES}`);
  const { findings } = report;
  const rows = findings.map(({ field, kind = null, name, count, sample, place }) => {
    return { field: field === '' ? '(text)' : field, kind, name, count, sample, ...place };
  });
  await writeRows(rows, COLUMNS, flags);
  if (findings.length > 0) {
    throw new CommandFailure(
      `secrets: ${countText(findings.length, 'finding')}, of ${countText(records, 'record')} scanned. To replace them, add this option to the transport: ${redactOptions(findings)}`,
    );
  }
  if (flags.quiet !== true) writeNote(`logclient: no secrets, of ${countText(records, 'record')}.`);
}
