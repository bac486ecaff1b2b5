import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { LibraryTexts } from '../../../server/parser-tests/index.ts';
import { usageFailure } from '../../output/command-failure.ts';

/**
 * The files on the command line, and of folders those that `isWanted`, without `node_modules` and hidden folders.
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
    if (info === undefined) throw usageFailure(`there is no file or folder ${path}.`);
    if (info.isDirectory()) found.push(...(await filesIn(path)).filter(isWanted));
    else named.push(path);
  }
  return { named: [...new Set(named)], found: [...new Set(found)].filter((path) => !named.includes(path)) };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    }),
  );
  return files.flat().sort();
}

export const QUERY_EXTENSIONS: readonly string[] = ['.lql', '.cql'];
const FILE_EXTENSIONS: readonly string[] = ['.csv', '.json'];

/**
 * What parsers and queries of a folder can use: its lookup files (`.csv`, `.json`), those of the folder `data` beside
 * it, as in packages, and its queries (`.lql`, `.cql`) by their names.
 */
export async function libraryOf(folder: string): Promise<LibraryTexts> {
  const files: Record<string, string> = {};
  const savedQueries: Record<string, string> = {};
  for (const place of [join(folder, '..', 'data'), folder]) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const { name } = entry;
      const extension = extname(name).toLowerCase();
      const isQuery = QUERY_EXTENSIONS.includes(extension) && place === folder;
      if (!entry.isFile() || !(isQuery || FILE_EXTENSIONS.includes(extension))) continue;
      const text = await readFile(join(place, name), 'utf8');
      if (isQuery) savedQueries[basename(name, extname(name))] = text;
      else files[name] = text;
    }
  }
  return { files, savedQueries };
}
