import { usageFailure } from '../output/command-failure.ts';
import { readTextFile } from '../settings/input-file.ts';

/**
 * The query, from the command line or a file. Default: all events.
 *
 * @throws CommandFailure if both are given, or if the file can't be read.
 */
export async function queryText(text: string | undefined, { file }: { file?: string }): Promise<string> {
  if (file === undefined) return text ?? '';
  if (text === undefined) return readTextFile('--file', file);
  throw usageFailure("a query argument and --file can't be combined; pass only one.");
}
