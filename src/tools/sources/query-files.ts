import { lstat, stat } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { withoutTextMark } from '../../core/bytes.ts';
import { templateQuery } from '../../language/template.ts';
import { usageFailure } from '../output/command-failure.ts';
import { filesMatching, isDirectory } from '../settings/file-pattern.ts';
import { readTextFile } from '../settings/input-file.ts';
import type { EmbeddedQuery, FileQueries } from './embedded-query.ts';
import { queriesInMarkdown } from './markdown-queries.ts';
import { findTemplates } from './template-scanner.ts';
import { queriesInYaml } from './yaml-queries.ts';

/** A file with queries. */
export interface QueryFile extends FileQueries {
  /** As given on the command line; `-` is stdin. */
  readonly path: string;
  readonly text: string;
}

/** What a file with queries is, and the extensions of its name. */
export const EXTENSIONS = {
  query: ['.lql', '.cql', '.logscale'],
  program: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  yaml: ['.yaml', '.yml'],
  json: ['.json'],
  markdown: ['.md', '.markdown'],
};

type FileFormat = keyof typeof EXTENSIONS;

/** Larger files in folders are data. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads the files on the command line; of folders and patterns, those with one of {@link EXTENSIONS}.
 *
 * @throws CommandFailure
 */
export async function readQueryFiles(
  paths: readonly string[],
  keys: readonly string[] = [],
): Promise<readonly QueryFile[]> {
  if (paths.length === 0) throw usageFailure('no files given. Pass files, folders, or "-" for stdin.');
  const { named, found } = await filesAt(paths, async (path) => {
    const stats = formatOf(path) === undefined ? undefined : await lstat(path);
    return stats?.isFile() === true && stats.size <= MAX_BYTES;
  });
  const read = async (path: string): Promise<QueryFile> => {
    const text = await readTextFile('the file', path);
    return { path, text, ...queriesIn(path, text, keys) };
  };
  return Promise.all([...named, ...found].map(read));
}

/**
 * The files on the command line, and of folders and patterns such as `queries/*.lql` those that `isWanted`, without
 * `node_modules` and hidden folders.
 *
 * @throws CommandFailure
 */
export async function filesAt(
  paths: readonly string[],
  isWanted: (path: string) => boolean | Promise<boolean>,
): Promise<{ readonly named: readonly string[]; readonly found: readonly string[] }> {
  if (paths.length === 0) throw usageFailure('no files given. Pass files or folders.');
  const [named, found]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined);
    if (path === '-' || info?.isDirectory() === false) named.push(path);
    else if (info === undefined && !/[*?]/.test(path))
      throw usageFailure(`there is no file or folder ${path}. To read stdin, pass "-".`);
    else {
      const pattern = info === undefined ? path : join(path, '**');
      for (const one of filesMatching(pattern.replaceAll(sep, '/'))) if (await isWanted(one)) found.push(one);
    }
  }
  return { named: [...new Set(named)], found: [...new Set(found)].filter((path) => !named.includes(path)) };
}

/** The folders that have the files on the command line. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => (isDirectory(path) ? path : dirname(`${path.replace(/[*?].*$/s, '')}x`)));
}

/**
 * The queries in the text of a file, by the extension of its name. Files with other extensions are a query.
 *
 * @param keys further names of members of YAML and JSON that are queries
 */
export function queriesIn(path: string, text: string, keys: readonly string[] = []): FileQueries {
  const format = formatOf(path);
  if (format === 'program') return { queries: templatesIn(text) };
  if (format === 'markdown') return { queries: queriesInMarkdown(text) };
  if (format === 'yaml' || format === 'json') return queriesInYaml(text, keys, format === 'json');
  const query = withoutTextMark(text);
  const place = { offset: text.length - query.length, end: text.length, values: [], depth: 0 };
  return { queries: [{ ...place, query, kind: 'file' }] };
}

/** What a file with queries is, by the extension of its name. */
export function formatOf(path: string): FileFormat | undefined {
  const extension = extname(path).toLowerCase();
  return (Object.keys(EXTENSIONS) as FileFormat[]).find((format) => EXTENSIONS[format].includes(extension));
}

/** The queries in the templates of a program. */
export function templatesIn(text: string): readonly EmbeddedQuery[] {
  return findTemplates(text).map(({ span, quote, values, depth }) => {
    const raw = text.slice(span.start, span.end);
    const place = { offset: span.start, end: span.end, values, depth };
    if (quote === '`') return { ...place, query: templateQuery(raw, values), kind: 'template' };
    return { ...place, query: raw, kind: 'line', encode: (part) => part, read: templatesIn };
  });
}
