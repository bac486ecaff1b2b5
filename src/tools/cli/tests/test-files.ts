import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, normalize, sep } from 'node:path';
import { escapeRegex } from '../../../core/escape-regex.ts';
import type { LibraryTexts } from '../../../server/parser-tests/index.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { filesIn, formatOf } from '../../sources/query-files.ts';
import { queriesInYaml } from '../../sources/yaml-queries.ts';

/**
 * The files on the command line, and of folders and patterns such as `queries/*.lql` those that `isWanted`, without
 * `node_modules` and hidden folders.
 *
 * @throws CommandFailure
 */
export async function filesAt(
  paths: readonly string[],
  isWanted: (path: string) => boolean,
): Promise<{ readonly named: readonly string[]; readonly found: readonly string[] }> {
  if (paths.length === 0) throw usageFailure('no files given. Pass files or folders.');
  const [named, found]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined);
    const pattern = info === undefined ? patternOf(path) : undefined;
    if (pattern !== undefined) {
      const isMeant = (one: string): boolean => pattern.regex.test(one.replaceAll(sep, '/')) && isWanted(one);
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

const FILE_EXTENSIONS: readonly string[] = ['.csv', '.json'];

/**
 * What parsers and queries of a folder can use: its lookup files (`.csv`, `.json`), and its queries by their names:
 * files with one query, such as saved queries of packages. Also those of the folders `data` and `queries` beside it, as in
 * packages.
 */
export async function libraryOf(folder: string): Promise<LibraryTexts> {
  const files: Record<string, string> = {};
  const savedQueries: Record<string, string> = {};
  for (const place of [join(folder, '..', 'data'), join(folder, '..', 'queries'), folder]) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name);
      const extension = extname(path).toLowerCase();
      const format = formatOf(path);
      const isFile = FILE_EXTENSIONS.includes(extension);
      if (!entry.isFile() || !(isFile || format === 'query' || format === 'yaml')) continue;
      const text = await readFile(path, 'utf8');
      if (isFile) files[entry.name] = text;
      else if (format === 'query') savedQueries[basename(path, extname(path))] = text;
      else Object.assign(savedQueries, savedQueryOf(text));
    }
  }
  return { files, savedQueries };
}

/** The saved query of a package. */
function savedQueryOf(text: string): Readonly<Record<string, string>> {
  if (!/^queryString:/m.test(text)) return {};
  const { queries } = queriesInYaml(text, [], false);
  return Object.fromEntries(
    queries.flatMap(({ name, query }) => (name === undefined ? [] : [[name, query]])),
  );
}
