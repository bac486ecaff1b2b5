import { writeFile } from 'node:fs/promises';
import { format, positionAt, QuerySyntaxError } from '../../query-language/index.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { replaceQueries } from './lint.ts';
import { type EmbeddedQuery, type QuerySource, readQuerySources } from './query-sources.ts';

export interface FormatFlags {
  readonly write?: boolean;
  readonly check?: boolean;
  readonly width?: number;
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

function formattedText(source: QuerySource, { width }: FormatFlags): string {
  const options = width === undefined ? {} : { width };
  return replaceQueries(source, (embedded) => {
    try {
      const text = format(embedded.query, options);
      return embedded.isTemplate ? inTemplate(text, source, embedded) : text === '' ? '' : `${text}\n`;
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

/** Keeps the white space around the query, and indents its lines like the first one. */
function inTemplate(formatted: string, { text }: QuerySource, { query, offset }: EmbeddedQuery): string {
  const [before = ''] = /^\s*/.exec(query) ?? [];
  const [after = ''] = /\s*$/.exec(query.slice(before.length)) ?? [];
  // A line break in a string would get spaces.
  if (/"[^"\n]*\n[^"]*"/.test(formatted)) return query;
  const lineStart = text.lastIndexOf('\n', offset) + 1;
  const [ownIndent = ''] = /^[ \t]*/.exec(text.slice(lineStart)) ?? [];
  const indent = before.includes('\n') ? before.slice(before.lastIndexOf('\n') + 1) : `${ownIndent}  `;
  return before + formatted.replace(/\n(?!\n|$)/g, `\n${indent}`) + after;
}
