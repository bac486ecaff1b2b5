import { usageFailure } from '../command-failure.ts';
import { readTextFile } from '../input-file.ts';

/**
 * The text of the query that stands on the command line or in a file; without either, the query for all events.
 *
 * @throws CommandFailure for both of them, and for a file that can't be read.
 */
export async function queryText(text: string | undefined, { file }: { file?: string }): Promise<string> {
  if (file === undefined) return text ?? '';
  if (text === undefined) return readTextFile('--file', file);
  throw usageFailure('the query stands both on the command line and in --file; leave one of them out.');
}
