import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { escapeRegex } from '../../core/escape-regex.ts';
import { tryOr } from '../../core/try-or.ts';
import { unreadable, usageFailure } from '../output/command-failure.ts';

/**
 * The files whose paths match a pattern: `*` and `?` stand for characters of a name, `**` for folders. Shells leave quoted
 * patterns to the program, and those of Windows leave all. Hidden files only match a name that starts with a dot.
 */
export function filesMatching(pattern: string): readonly string[] {
  const [first = '', ...names] = pattern.replace(/(?<![^/])\*\*$/, '**/*').split('/');
  const isRoot = /^(?:[a-z]:)?$/i.test(first);
  let places = isRoot ? [`${first}/`] : ['.'];
  for (const name of isRoot ? names : [first, ...names]) {
    places = places.flatMap((folder) =>
      name === '**' ? foldersIn(folder) : namesMatching(folder, name).map((match) => join(folder, match)),
    );
  }
  return [...new Set(places)].filter(isReadable).sort();
}

export function isReadable(path: string): boolean {
  // Most queries are no path.
  const stats = tryOr(undefined, () => statSync(path));
  return stats !== undefined && (stats.isFIFO() || stats.isFile() || stats.isCharacterDevice());
}

export function isDirectory(path: string): boolean {
  return tryOr(false, () => statSync(path).isDirectory());
}

/** A folder and those inside it. Links could lead back to it. @throws CommandFailure: a check must not skip any */
function foldersIn(folder: string): readonly string[] {
  if (!isDirectory(folder)) return [];
  const inner = entriesOf(folder).filter((entry) => entry.isDirectory() && isShown(entry.name));
  return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw usageFailure(unreadable(folder, error));
  }
}

function namesMatching(folder: string, pattern: string): readonly string[] {
  if (!/[*?]/.test(pattern)) return [pattern];
  const source = escapeRegex(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  const regex = new RegExp(`^${source}$`, 's');
  return tryOr([], () => readdirSync(folder)).filter(
    (name) => regex.test(name) && (isShown(name) || pattern.startsWith('.')),
  );
}

function isShown(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}
