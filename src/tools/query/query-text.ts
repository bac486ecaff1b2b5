import { usageFailure } from '../output/command-failure.ts';
import { readTextFile } from '../settings/input-file.ts';

/**
 * The query, from the command line or a file. Default: all events.
 *
 * @throws CommandFailure if both are given, or if the file can't be read or has several queries.
 */
export async function queryText(text: string | undefined, { file }: { file?: string }): Promise<string> {
  if (file === undefined) return text ?? '';
  if (text !== undefined) throw usageFailure("a query argument and --file can't be combined; pass only one.");
  const { queriesIn } = await import('../sources/query-files.ts');
  const { queries } = queriesIn(file, await readTextFile('--file', file));
  if (queries.length === 1) return queries[0]!.query;
  throw usageFailure(
    `--file needs a file with one query, and ${file} has ${queries.length}. Pass the query itself; "logclient lint ${file}" checks all of a file.`,
  );
}
