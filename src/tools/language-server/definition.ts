import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Location } from 'vscode-languageserver/node';
import { positionAt } from '../../language/index.ts';
import { fileOffset } from '../sources/embedded-query.ts';
import { formatOf, queriesIn } from '../sources/query-files.ts';

/** The folders beside that of a query, in packages. */
const FOLDERS = ['.', '../queries', '../parsers'];

/** Where a saved query or a parser is: a file with its name, or one with a query of this name. */
export async function definitionOf(uri: string, name: string): Promise<Location | null> {
  if (!uri.startsWith('file:')) return null;
  const folder = dirname(fileURLToPath(uri));
  for (const path of (await Promise.all(FOLDERS.map((each) => filesIn(join(folder, each))))).flat()) {
    const offset = await offsetIn(path, name);
    if (offset === undefined) continue;
    const { line, column } = positionAt(offset === 0 ? '' : await readFile(path, 'utf8'), offset);
    const start = { line: line - 1, character: column - 1 };
    return { uri: pathToFileURL(path).href, range: { start, end: start } };
  }
  return null;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((each) => ['query', 'yaml'].includes(formatOf(each) ?? ''))
    .map((each) => join(folder, each));
}

async function offsetIn(path: string, name: string): Promise<number | undefined> {
  if (formatOf(path) === 'query') return basename(path, extname(path)) === name ? 0 : undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.includes(name)) return undefined;
  const embedded = queriesIn(path, text).queries.find((each) => each.name === name);
  return embedded && fileOffset(embedded, 0);
}
