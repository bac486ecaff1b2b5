import { SecretFinder } from '../../../core/secrets/secret-finder.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { ResolvedIngesterOptions } from '../../../ingest/options.ts';
import { LineQuery } from '../../../server/line-query/index.ts';
import { RowWriter } from '../../output/row-writer.ts';
import { outputClosedSignal } from '../../output/standard-output.ts';
import type { IngestFlags } from './ingest-flags.ts';

/** Returns a function that prints lines as a terminal shows events, with the tags and fields of the flags, until stdout fails. Secrets that are not sent are not printed. */
export async function echoOf(
  { tag = {}, field }: IngestFlags,
  { redact }: ResolvedIngesterOptions,
): Promise<(lines: readonly string[]) => Promise<void>> {
  const finder = redact && new SecretFinder(redact);
  // A line that is nested too deeply is not sent.
  const shown = (line: string): string =>
    finder ? tryOr('', () => finder.replaceInText(line, () => finder.replacement)) : line;
  const closed = outputClosedSignal();
  const writer = new RowWriter({ output: 'table' });
  await writer.begin({ isAggregate: false, columns: undefined, isEndless: true });
  const tags = Object.fromEntries(Object.entries(tag).map(([name, value]) => [`#${name}`, value]));
  return async (lines) => {
    if (closed.aborted) return;
    try {
      for await (const rows of new LineQuery('').run(lines.map((line) => `${shown(line)}\n`))) {
        await writer.write(rows.map((row) => ({ ...row, ...field, ...tags })));
      }
    } catch (error) {
      if (!closed.aborted) throw error;
    }
  };
}
