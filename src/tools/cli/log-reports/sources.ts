import { splitLines } from '../../../core/line-splitter.ts';
import { SecretFinder } from '../../../core/secrets/secret-finder.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { interruptSignal } from '../../output/interruption.ts';
import { bytesOfFiles } from '../../settings/file-bytes.ts';
import { checkSources, standardInput } from '../../settings/line-sources.ts';

const BINARY_CHECK_BYTES = 8_192;
const maskingFinder = new SecretFinder();

/** Names and messages of a log, without the secrets in them. */
export function withoutSecrets(text: string): string {
  return maskingFinder.replaceInText(text, () => '[redacted]');
}

/** The lines of files, also compressed ones, or of stdin without files. @throws CommandFailure */
export async function* linesOfSources(files: readonly string[], command: string): AsyncGenerator<string> {
  const sources = files.length === 0 ? ['-'] : files;
  if (sources.includes('-') && process.stdin.isTTY === true) {
    throw usageFailure(
      `there is no input. Pass files, or pipe lines to stdin: logclient ${command} < app.log`,
    );
  }
  await checkSources(sources);
  for (const source of sources) {
    const bytes = source === '-' ? standardInput(interruptSignal()) : bytesOfFiles([source]);
    for await (const lines of splitLines(textBytes(bytes, source))) yield* lines;
  }
}

/** @throws CommandFailure if the first bytes are not those of text. */
async function* textBytes(bytes: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && chunk.subarray(0, BINARY_CHECK_BYTES).includes(0)) {
      const name = source === '-' ? 'stdin' : source;
      throw new CommandFailure(`${name} is not a log: it contains binary data. Pass lines of text in UTF-8.`);
    }
    isFirst = false;
    yield chunk;
  }
}
