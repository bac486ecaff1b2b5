import { stat } from 'node:fs/promises';
import { utf8Text } from '../../../core/bytes.ts';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { recordPlaces, wholeRecords } from '../../../core/records/log-records.ts';
import { interruptSignal } from '../../output/interruption.ts';
import { sourcesOf } from '../../query/file-arguments.ts';
import { formOf } from '../../settings/file-bytes.ts';
import { chunksOf } from '../../settings/line-sources.ts';

/** What to check if an input is empty. */
export const NO_LINES =
  'the input has no lines. If it is the result of a query, check that the query finds records: tags start with #.';

/** A record, and how to read its time. */
export interface SourceLine {
  readonly text: string;
  readonly file: string;
  /** The number of its first line, in a file of plain lines. */
  readonly line: number | null;
  readonly times: WrittenTimes;
}

/** The lines of files, also compressed ones, or of stdin without files. @throws CommandFailure */
export async function* linesOfSources(
  files: readonly string[],
  command: string,
  timeZone?: string,
): AsyncGenerator<SourceLine> {
  for (const source of await sourcesOf(files, `logclient ${command} < app.log`)) {
    const bytes = chunksOf(source, { follow: false, onlyNew: false, signal: interruptSignal() });
    const latest = source === '-' ? undefined : (await stat(source)).mtimeMs;
    const times = new WrittenTimes({ timeZone, latest });
    const hasLines = source !== '-' && (await formOf(source)) === 'lines';
    let line = 1;
    for await (const part of wholeRecords(bytes)) {
      const all = utf8Text(part);
      const { starts, ends } = recordPlaces(all);
      for (const [index, start] of starts.entries()) {
        line += newlines(all.slice(starts[index - 1] ?? 0, start));
        yield { text: all.slice(start, ends[index]), times, file: source, line: hasLines ? line : null };
      }
      line += newlines(all.slice(starts.at(-1) ?? 0)) + 1;
    }
  }
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
