import { isServiceField } from '../../core/records/logger-line.ts';
import { redactOptions, SecretReport } from '../../core/records/secret-report.ts';
import { loggedRecord } from '../expectations/logged-fields.ts';
import { requireRecords } from './evidence.ts';
import { noneOf } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** Options of `toHaveNoSecrets`. */
export interface NoSecretsOptions {
  /** Further names of fields whose values are secret. @default none */
  readonly keys?: readonly string[] | undefined;
}

/** Whether no record contains a secret. */
export async function hasNoSecrets(
  context: AssertionContext,
  { keys = [] }: NoSecretsOptions = {},
): Promise<Verdict> {
  // The runner prints the records of a failed test.
  context.source.mask.addKeys(keys);
  const report = new SecretReport({ keys });
  for (const record of await requireRecords(context)) {
    const fields = Object.entries(loggedRecord(record)).filter(([name]) => !isServiceField(name));
    const named = fields.map(([name, value]) => [name.replace(/^#/, ''), value]);
    report.add(JSON.stringify(Object.fromEntries(named)));
    // A record of text has no other fields.
    if (fields.every(([name]) => name.startsWith('#'))) report.add(String(record['@rawstring'] ?? ''));
  }
  const lines = report.findings.map(({ field, name, count, sample }) => {
    return `${name} in ${field === '' ? 'the text' : field}, ${count} ×, ${sample}`;
  });
  const advice = `To replace them, add this option to the transport: ${redactOptions(report.findings)}`;
  return noneOf('Expected no secrets in the records, found:', lines, advice);
}
