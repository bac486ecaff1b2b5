import { stat } from 'node:fs/promises';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { splitRecords } from '../../../core/records/log-records.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { interruptSignal } from '../../output/interruption.ts';
import { filesOrWords } from '../../query/file-arguments.ts';
import { bytesOfFiles } from '../../settings/file-bytes.ts';
import { checkSources, standardInput } from '../../settings/line-sources.ts';

/** What to check if an input is empty. */
export const NO_LINES =
  'the input has no lines. If it is the result of a query, check that the query finds records: tags start with #.';

/** A line, and how to read its time. */
export interface SourceLine {
  readonly text: string;
  readonly times: WrittenTimes;
}

/** The lines of files, also compressed ones, or of stdin without files. @throws CommandFailure */
export async function* linesOfSources(
  files: readonly string[],
  command: string,
  timeZone?: string,
): AsyncGenerator<SourceLine> {
  const sources = files.length === 0 ? ['-'] : filesOrWords(files);
  if (sources.includes('-') && process.stdin.isTTY === true) {
    throw usageFailure(
      `there is no input. Pass files, or pipe lines to stdin: logclient ${command} < app.log`,
    );
  }
  await checkSources(sources);
  for (const source of sources) {
    const bytes = source === '-' ? standardInput(interruptSignal()) : bytesOfFiles([source]);
    const latest = source === '-' ? undefined : (await stat(source)).mtimeMs;
    const times = new WrittenTimes({ timeZone, latest });
    for await (const lines of splitRecords(bytes)) {
      for (const text of lines) yield { text, times };
    }
  }
}
