import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Span, templateQuery } from '../../language/index.ts';
import { usageFailure } from '../output/command-failure.ts';
import { readTextFile } from '../settings/input-file.ts';
import { findTemplates } from './template-scanner.ts';

/** A file with queries. */
export interface QuerySource {
  /** As given on the command line; `-` is stdin. */
  readonly path: string;
  readonly text: string;
  readonly queries: readonly EmbeddedQuery[];
}

/** A query in a file: all of it, or a template in a program. */
export interface EmbeddedQuery {
  readonly query: string;
  /** Where the query starts in the file. */
  readonly offset: number;
  /** The places of values in a template. */
  readonly values: readonly Span[];
  readonly isTemplate: boolean;
  /** Number of templates around it. */
  readonly depth: number;
}

const QUERY_EXTENSIONS = ['.lql', '.cql'];
const PROGRAM_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/**
 * Reads the files on the command line. Of a folder, those with the extensions of queries and programs, without
 * `node_modules` and hidden folders.
 *
 * @throws CommandFailure
 */
export async function readQuerySources(paths: readonly string[]): Promise<readonly QuerySource[]> {
  if (paths.length === 0) throw usageFailure('no files given. Pass files, folders, or "-" for stdin.');
  const files = await Promise.all(paths.map(filesAt));
  return Promise.all([...new Set(files.flat())].map(readSource));
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw usageFailure(`there is no file or folder ${path}.`);
  return found.isDirectory() ? filesIn(path) : [path];
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return filesIn(path);
      const extension = extname(entry.name);
      return [...QUERY_EXTENSIONS, ...PROGRAM_EXTENSIONS].includes(extension) ? [path] : [];
    }),
  );
  return files.flat().sort();
}

async function readSource(path: string): Promise<QuerySource> {
  const text = await readTextFile('the file', path);
  return { path, text, queries: queriesIn(path, text) };
}

/** The queries in the text of a file. */
export function queriesIn(path: string, text: string): readonly EmbeddedQuery[] {
  return isProgram(path)
    ? templatesIn(text)
    : [{ query: text, offset: 0, values: [], isTemplate: false, depth: 0 }];
}

/** Whether a file is TypeScript or JavaScript, by its extension. */
export function isProgram(path: string): boolean {
  return PROGRAM_EXTENSIONS.includes(extname(path));
}

/** The queries in the templates of a program. */
export function templatesIn(text: string): readonly EmbeddedQuery[] {
  return findTemplates(text).map(({ span, values, depth }) => ({
    query: templateQuery(text.slice(span.start, span.end), values).query,
    offset: span.start,
    values,
    isTemplate: true,
    depth,
  }));
}
