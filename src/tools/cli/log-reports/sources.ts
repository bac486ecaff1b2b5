import { stat } from 'node:fs/promises';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { interruptSignal } from '../../output/interruption.ts';
import { sourcesOf } from '../../query/file-arguments.ts';
import { recordsOf, type SourceRecord } from '../../settings/line-sources.ts';

/** What to check if an input is empty. */
export const NO_LINES =
  'the input has no lines. If it is the result of a query, check that the query finds records: tags start with #.';

/** Reads the records of files, also compressed ones, or of stdin without files. @throws CommandFailure */
export async function readRecords(
  files: readonly string[],
  command: string,
  timeZone: string | undefined,
  take: (record: SourceRecord, times: WrittenTimes) => void,
): Promise<void> {
  const options = { follow: false, onlyNew: false, signal: interruptSignal() };
  for (const source of await sourcesOf(files, `logclient ${command} < app.log`)) {
    const latest = source === '-' ? undefined : (await stat(source)).mtimeMs;
    const times = new WrittenTimes({ timeZone, latest });
    for await (const records of recordsOf(source, options)) {
      for (const record of records) take(record, times);
    }
  }
}
