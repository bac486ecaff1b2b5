import { writeFile } from 'node:fs/promises';
import { type Diagnostic, describeProblem, positionAt } from '../../language/index.ts';
import { isQuery } from '../../language/syntax-tree.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { annotations } from '../output/github.ts';
import type { FileProblem } from '../output/sarif.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { type EmbeddedQuery, fileOffset, fileSpan } from '../sources/embedded-query.ts';
import { type QueryFile, readQueryFiles } from '../sources/query-files.ts';
import { replaceQueries, unwrittenNotes } from '../sources/replace-queries.ts';
import { formatQuery } from './format-query.ts';
import { firstError } from './query-problems.ts';

export interface FormatFlags {
  readonly write?: boolean;
  readonly check?: boolean;
  readonly width?: number;
  readonly parens?: boolean;
  readonly key?: readonly string[];
  /** Report of `check`. */
  readonly output?: 'text' | 'github';
}

/**
 * Formats the queries in files: writes them to stdout, or back to the files, or only compares.
 *
 * @throws CommandFailure if a query can't be parsed, or with `check` if a file is not formatted.
 */
export async function formatFiles(paths: readonly string[], flags: FormatFlags): Promise<void> {
  const sources = await readQueryFiles(paths, flags.key);
  if (flags.write !== true && flags.check !== true && sources.length > 1) {
    throw usageFailure('several files need --write or --check.');
  }
  const changed: QueryFile[] = [];
  const problemOf = (query: string) => (isQuery(query) ? undefined : firstError(query));
  const invalid = sources.flatMap((source) => invalidQueries(source, problemOf));
  for (const source of sources) {
    const formatted = (embedded: EmbeddedQuery) => formatQuery(source.text, embedded, flags);
    const text = replaceQueries(source, formatted);
    for (const note of unwrittenNotes(source, 'formatted', formatted)) writeNote(note);
    if (text !== source.text) changed.push(source);
    if (flags.check === true) continue;
    if (flags.write === true && source.path !== '-') {
      if (text !== source.text) await writeFile(source.path, text);
    } else if (invalid.length === 0) await writeOutput(text);
  }
  if (flags.check === true && changed.length > 0) {
    for (const source of changed) {
      if (flags.output === 'github') await writeOutput(annotations(unformatted(source, flags)));
      else writeNote(source.path);
    }
    invalid.push(`not formatted: ${changed.length} of ${sources.length}. Run logclient format --write.`);
  }
  if (invalid.length > 0) throw new CommandFailure(invalid.join('\n'));
}

/** A problem at the first line of each query that is not formatted. */
function unformatted({ path, text, queries }: QueryFile, flags: FormatFlags): readonly FileProblem[] {
  return queries
    .filter((each) => each.kind !== 'fixed' && formatQuery(text, each, flags) !== each.query)
    .map((each) => {
      const { line: startLine } = positionAt(text, fileOffset(each, each.query.search(/\S/)));
      const message = 'The query is not formatted.';
      return { path, level: 'error', title: 'format', message, region: { startLine } };
    });
}

/** The places and problems of the invalid queries of a file. A template can be a part of a query. */
export function invalidQueries(
  { path, text, queries }: QueryFile,
  problemOf: (query: string) => Diagnostic | undefined,
): readonly string[] {
  return queries.flatMap((embedded) => {
    const problem = embedded.kind === 'template' ? undefined : problemOf(embedded.query);
    if (problem === undefined) return [];
    const span = fileSpan(embedded, problem.span);
    const { line, column } = positionAt(text, span.start);
    const { excerpt } = describeProblem(text, span, problem.message);
    return [`${path}:${line}:${column}: the query is invalid. ${problem.message}\n${excerpt}`];
  });
}
