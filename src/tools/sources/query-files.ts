import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { withoutTextMark } from '../../core/bytes.ts';
import { escapeRegex } from '../../core/escape-regex.ts';
import { templateQuery } from '../../language/template.ts';
import { usageFailure } from '../output/command-failure.ts';
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

export type FileFormat = 'query' | 'program' | 'yaml' | 'json' | 'markdown';

const FORMATS: readonly (readonly [FileFormat, readonly string[]])[] = [
  ['query', ['.lql', '.cql', '.logscale']],
  ['program', ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']],
  ['yaml', ['.yaml', '.yml']],
  ['json', ['.json']],
  ['markdown', ['.md', '.markdown']],
];

/** Larger files in folders are data. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads the files on the command line; of folders and patterns, those with an extension of `FORMATS`.
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
    const pattern = info === undefined ? patternOf(path) : undefined;
    if (path === '-') named.push(path);
    else if (pattern !== undefined) {
      const isMeant = (one: string) => pattern.regex.test(one.replaceAll(sep, '/')) && isWanted(one);
      found.push(...(await filesIn(pattern.folder, isMeant).catch(() => [])));
    } else if (info === undefined) throw usageFailure(`there is no file or folder ${path}.`);
    else if (info.isDirectory()) found.push(...(await filesIn(path, isWanted)));
    else named.push(path);
  }
  return { named: [...new Set(named)], found: [...new Set(found)].filter((path) => !named.includes(path)) };
}

/** The folders that have the files on the command line. */
export async function foldersOf(paths: readonly string[]): Promise<readonly string[]> {
  const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  return Promise.all(
    paths.map(async (path) => ((await isFolder(path)) ? path : (patternOf(path)?.folder ?? dirname(path)))),
  );
}

/** The files that a pattern means, in which `**` stands for folders: quoted patterns are left to the program. */
function patternOf(path: string): { readonly folder: string; readonly regex: RegExp } | undefined {
  const pattern = normalize(path).replaceAll(sep, '/');
  const fixed = /^[^*?]*(?=[*?])/.exec(pattern)?.[0];
  if (fixed === undefined) return undefined;
  const source = escapeRegex(pattern)
    .replaceAll('\\*\\*\\/', '(?:.*/)?')
    .replaceAll('\\*\\*', '.*')
    .replaceAll('\\*', '[^/]*')
    .replaceAll('\\?', '[^/]');
  return { folder: dirname(`${fixed}x`), regex: new RegExp(`^${source}$`, 's') };
}

/** The files in a folder and those inside it that `isWanted`, without `node_modules` and hidden folders. */
async function filesIn(
  folder: string,
  isWanted: (path: string) => boolean | Promise<boolean>,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return filesIn(path, isWanted);
      return (await isWanted(path)) ? [path] : [];
    }),
  );
  return files.flat().sort();
}

/**
 * The queries in the text of a file, by the extension of its name. Files with other extensions are a query.
 *
 * @param keys further names of members of YAML and JSON that are queries
 */
export function queriesIn(path: string, text: string, keys: readonly string[] = []): FileQueries {
  switch (formatOf(path)) {
    case 'program':
      return { queries: templatesIn(text) };
    case 'yaml':
      return queriesInYaml(text, keys, false);
    case 'json':
      return queriesInYaml(text, keys, true);
    case 'markdown':
      return { queries: queriesInMarkdown(text) };
  }
  const query = withoutTextMark(text);
  const place = { offset: text.length - query.length, end: text.length, values: [], depth: 0 };
  return { queries: [{ ...place, query, kind: 'file' }] };
}

/** What a file with queries is, by the extension of its name. */
export function formatOf(path: string): FileFormat | undefined {
  const extension = extname(path).toLowerCase();
  return FORMATS.find(([, extensions]) => extensions.includes(extension))?.[0];
}

/** The queries in the templates of a program. */
export function templatesIn(text: string): readonly EmbeddedQuery[] {
  return findTemplates(text).map(({ span, quote, values, depth }) => {
    const raw = text.slice(span.start, span.end);
    const place = { offset: span.start, end: span.end, values, depth };
    if (quote === '`') return { ...place, query: templateQuery(raw, values).query, kind: 'template' };
    return { ...place, query: raw, kind: 'line', encode: (part) => part, read: templatesIn };
  });
}
