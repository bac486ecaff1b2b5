import { statSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { readLogLine } from '../../core/records/log-line.ts';
import { splitRecords } from '../../core/records/log-records.ts';
import { tryOr } from '../../core/try-or.ts';
import { usageFailure } from '../output/command-failure.ts';
import { bytesOfFile, formOf } from '../settings/file-bytes.ts';
import { filesMatching, isReadable } from '../settings/file-pattern.ts';
import { checkSources } from '../settings/line-sources.ts';

/** A word that is meant as the path of a log file, or as a pattern for such paths. */
const PATH =
  /^\.{1,2}\/[^\s"'|]+$|^(?:\.{0,2}\/)?(?:[\p{L}\w.*?+@~-]+\/)*[\p{L}\w.*?+@~-]+\.(?:log|txt|csv|json|jsonl|ndjson|gz|zst|xz|bz2)(?:[.-][\d*?.-]+)?$/iu;
/** A word with a slash that is neither a filter nor a regular expression. */
const PATH_ALONE = /^(?!\/[^/]*\/[dFgims]*$)[\p{L}\w.*?+@~-]*\/[\p{L}\w.*?+@~/-]+$/u;
/** A pattern for the files of a folder. */
const IN_FOLDER = /\/[^/]+$/;
/** Chunks in which the first time of a file is searched. */
const MAX_CHUNKS = 4;

/** @param isAlone whether no other word is the path of a file */
export function looksLikePath(word: string, isAlone = false): boolean {
  return PATH.test(word) || (isAlone && PATH_ALONE.test(word));
}

/** The files that the first words name, by paths or patterns such as `logs/*.log`, and the words after these. */
export function filesFirst(
  words: readonly string[],
  separator = sep,
): { readonly paths: readonly string[]; readonly others: readonly string[] } {
  const named = words.map((word, index) =>
    filesNamed(word, index === 0, index === words.length - 1, separator),
  );
  const missing = named.findIndex(({ length }) => length === 0);
  const count = missing === -1 ? words.length : missing;
  return { paths: distinct(named.slice(0, count).flat()), others: words.slice(count) };
}

/** One path per file, also if several links or spellings name it. */
function distinct(paths: readonly string[]): readonly string[] {
  const identityOf = (path: string): string => {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  };
  const byFile = new Map([...paths].reverse().map((path) => [tryOr(path, () => identityOf(path)), path]));
  return [...byFile.values()].reverse();
}

/**
 * The files that words name, by paths or patterns. `-` is stdin, which is read without words.
 *
 * @param example how to pass lines to stdin
 * @throws CommandFailure unless all of them can be read, and followed with `follow`, before the first one is
 */
export async function sourcesOf(
  words: readonly string[],
  example: string,
  follow = false,
): Promise<readonly string[]> {
  const files = distinct(
    words.flatMap((word) => {
      const named = word === '-' ? [] : filesNamed(word, true, false, sep);
      return named.length === 0 ? [word] : named;
    }),
  );
  const sources = files.length === 0 ? ['-'] : files;
  if (follow && sources.includes('-'))
    throw usageFailure('--follow needs files. stdin is always read to its end.');
  const advice = follow ? ' --follow needs files that can be read: create an empty one first.' : '';
  await checkSources(sources, example, advice);
  for (const source of sources) if (source !== '-') await formOf(source, follow);
  return sources;
}

/** After the first file, a word such as "error" is a query, even if there is a file of this name. Only the last word can be one. */
function filesNamed(word: string, isFirst: boolean, isLast: boolean, separator: string): readonly string[] {
  if ((isFirst || /[./\\]/.test(word)) && isReadable(word)) return [word];
  // The shells of Windows leave patterns to the program.
  const pattern = word.replaceAll(separator, '/');
  const isMeant = !isLast || IN_FOLDER.test(pattern) || looksLikePath(pattern.replace(/\.?[*?]+$/, ''));
  return isMeant && /[*?]/.test(pattern) ? filesMatching(pattern) : [];
}

/** Files by the time of their first line, so that a rotated set is read in order. Pipes can be read only once. */
export async function inOrderOfTime(paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length < 2 || !paths.every((path) => statSync(path).isFile())) return paths;
  const times = new Map<string, number>();
  for (const path of paths) times.set(path, (await firstTime(path)) ?? statSync(path).mtimeMs);
  return [...paths].sort((one, other) => times.get(one)! - times.get(other)!);
}

/** The time of the first line that has one, epoch milliseconds. */
async function firstTime(path: string): Promise<number | undefined> {
  const times = new WrittenTimes({ latest: statSync(path).mtimeMs });
  let chunks = 0;
  for await (const lines of splitRecords(bytesOfFile(path, true))) {
    for (const line of lines) {
      const time = readLogLine(line, times).time;
      if (time !== undefined) return time;
    }
    if (++chunks === MAX_CHUNKS) break;
  }
  return undefined;
}

/** How the tag `#file` names each of several files: without its folder, unless two have the same name. */
export function shownNames(paths: readonly string[]): (path: string) => string {
  const isDistinct = new Set(paths.map((path) => basename(path))).size === paths.length;
  return (path) => (isDistinct ? basename(path) : path);
}

/** How messages name files, and stdin. */
export function namesOf(sources: readonly string[]): string {
  const paths = sources.map((source) => (source === '-' ? 'stdin' : source));
  return paths.length > 3 ? `${paths.length} files in ${dirname(paths[0]!)}` : paths.join(', ');
}
