import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { LibraryTexts } from '../../../server/parser-tests/index.ts';
import { formatOf } from '../../sources/query-files.ts';
import { queriesInYaml } from '../../sources/yaml-queries.ts';

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
      const format = formatOf(path);
      const isFile = FILE_EXTENSIONS.includes(extname(path).toLowerCase());
      if (!entry.isFile() || !(isFile || format === 'query' || format === 'yaml')) continue;
      const text = await readFile(path, 'utf8');
      if (isFile) files[entry.name] = text;
      else if (format === 'query') savedQueries[basename(path, extname(path))] = text;
      // The saved query of a package.
      else if (/^queryString:/m.test(text))
        for (const { name, query } of queriesInYaml(text, [], false).queries)
          if (name !== undefined) savedQueries[name] = query;
    }
  }
  return { files, savedQueries };
}
