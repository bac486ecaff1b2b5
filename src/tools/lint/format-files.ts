import { writeFile } from 'node:fs/promises';
import { positionAt, QuerySyntaxError } from '../../language/index.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { formatQuery } from './format-query.ts';
import { type EmbeddedQuery, type QuerySource, readQuerySources } from './query-sources.ts';
import { replaceQueries } from './replace-queries.ts';

export interface FormatFlags {
  readonly write?: boolean;
  readonly check?: boolean;
  readonly width?: number;
  readonly parens?: boolean;
}

/**
 * Formats the queries in files: writes them to stdout, or back to the files, or only compares.
 *
 * @throws CommandFailure if a query can't be parsed, or with `check` if a file is not formatted.
 */
export async function formatFiles(paths: readonly string[], flags: FormatFlags): Promise<void> {
  if (flags.write === true && flags.check === true) {
    throw usageFailure("--write and --check can't be combined; pass only one.");
  }
  const sources = await readQuerySources(paths);
  if (flags.write !== true && flags.check !== true && sources.length > 1) {
    throw usageFailure('several files need --write or --check.');
  }
  const changed: string[] = [];
  for (const source of sources) {
    const text = formattedText(source, flags);
    if (text !== source.text) changed.push(source.path);
    if (flags.check === true) continue;
    if (flags.write !== true || source.path === '-') await writeOutput(text);
    else if (text !== source.text) await writeFile(source.path, text);
  }
  if (flags.check === true && changed.length > 0) {
    for (const path of changed) writeNote(path);
    throw new CommandFailure(
      `not formatted: ${changed.length} of ${sources.length}. Run logclient format --write.`,
    );
  }
}

function formattedText(source: QuerySource, options: FormatFlags): string {
  return replaceQueries(source, (embedded) => {
    try {
      return formatQuery(source.text, embedded, options);
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      return invalidQuery(error, source, embedded);
    }
  });
}

/** A template can be a part of a query, which can't be formatted; a file can't. */
function invalidQuery(error: QuerySyntaxError, { path, text }: QuerySource, embedded: EmbeddedQuery): string {
  if (embedded.isTemplate) return embedded.query;
  const { line, column } = positionAt(text, embedded.offset + error.offset);
  throw new CommandFailure(
    `${path}:${line}:${column}: the query is invalid. ${error.message}\n${error.excerpt}`,
  );
}
