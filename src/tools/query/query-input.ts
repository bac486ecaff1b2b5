import { fstatSync, statSync } from 'node:fs';
import { tryOr } from '../../core/try-or.ts';
import { usageFailure } from '../output/command-failure.ts';
import { writeNote } from '../output/standard-output.ts';
import { bytesOfFiles, formOf } from '../settings/file-bytes.ts';
import { isDirectory, isReadable } from '../settings/file-pattern.ts';
import { readTextFile } from '../settings/input-file.ts';
import { chunksOf, standardInput } from '../settings/line-sources.ts';
import { argumentProblems, parametersOf } from '../sources/query-parameters.ts';
import { filesFirst, inOrderOfTime, looksLikePath, namesOf, shownNames } from './file-arguments.ts';
import type { QueryFlags } from './query-flags.ts';

/** Lines to query without a server. */
export interface Lines {
  /** For messages. */
  readonly name: string;
  /** Whether lines are read as they are appended, until the signal aborts. */
  readonly isFollowed: boolean;
  /** When the last line was written, epoch milliseconds. Default: now */
  readonly modified?: number;
  /** Of the lines that were read last. */
  readonly tags?: Readonly<Record<string, string>>;
  /** A chunk is only valid until the next one. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

export interface QueryAndLines {
  readonly query: string;
  /** `undefined` for the service. */
  readonly lines: Lines | undefined;
}

const STDIN: Lines = { name: 'stdin', isFollowed: false, open: standardInput };

/**
 * The query and what it reads: files if the first words are paths of files, stdin with `-` or `--stdin`, otherwise the
 * service.
 *
 * @throws CommandFailure for words and flags that contradict each other.
 */
export async function readQueryAndLines(
  words: readonly string[],
  flags: Partial<QueryFlags>,
): Promise<QueryAndLines> {
  if (words[0] === '-') return readQueryAndLines(words.slice(1), { ...flags, stdin: true });
  const { paths, others } = filesFirst(words);
  const [query] = others;
  if (others.length > 1) throw notOneQuery(others, flags);
  // A shell replaces * by the names of all files; quoted, it is the query.
  if (words[0] === '*' && words.length > 1 && others.length === 0) throw notOneQuery(words, flags);
  const text = await queryText(query, flags);
  checkParameters(text, flags);
  const needsFile = flags.follow ?? (flags.stdin !== true && (flags.failOnMatch ?? flags.failOnEmpty));
  if (needsFile && query !== undefined && looksLikePath(query, paths.length === 0))
    throw usageFailure(`there is no file ${query}. To search for this text, pass '"${query}"'.`);
  if (query !== undefined && flags.stdin !== true && isDirectory(query))
    throw usageFailure(`${query} is a directory. To query its files, pass '${query.replace(/\/*$/, '/*')}'`);
  noteIfPath(query, flags);
  if (query !== undefined && flags.quiet !== true && paths.length > 0 && isReadable(query))
    writeNote(`logclient: searching for the text ${query}. To read the file, pass ./${query}`);
  if (paths.length > 0) return { query: text, lines: await linesOf(paths, flags) };
  if (flags.follow === true) throw usageFailure('--follow needs the path of a file before the query.');
  if (flags.stdin === true) {
    if (flags.live === true)
      throw usageFailure("--live and --stdin can't be combined: a live query asks the service.");
    return { query: text, lines: STDIN };
  }
  if (flags.lookup !== undefined)
    throw usageFailure('--lookup needs files or --stdin. For the service, use "logclient files upload".');
  warnIfUnread(flags);
  return { query: text, lines: undefined };
}

/**
 * The query, from the command line or a file. Default: all events.
 *
 * @throws CommandFailure if both are given, or if the file can't be read or has several queries.
 */
export async function queryText(text: string | undefined, { file }: { file?: string }): Promise<string> {
  if (file === undefined) return text ?? '';
  if (text !== undefined) throw usageFailure("a query argument and --file can't be combined; pass only one.");
  const { queriesIn } = await import('../sources/query-files.ts');
  const { queries } = queriesIn(file, await readTextFile('--file', file));
  if (queries.length === 1) return queries[0]!.query;
  throw usageFailure(
    `--file needs a file with one query, and ${file} has ${queries.length}. Pass the query itself; "logclient lint ${file}" checks all of a file.`,
  );
}

async function linesOf(paths: readonly string[], flags: Partial<QueryFlags>): Promise<Lines> {
  const [path] = paths as [string];
  const other = (['stdin', 'live'] as const).find((name) => flags[name] === true);
  if (other !== undefined) throw usageFailure(`the file ${path} and --${other} can't be combined.`);
  // A word such as "error" can be meant as a query.
  if (!/[./\\]/.test(path) && flags.quiet !== true) {
    writeNote(`logclient: reading the file ${path}. To search for this text instead, pass '"${path}"'.`);
  }
  if (flags.follow !== true) {
    const sorted = await inOrderOfTime(paths);
    const modified = Math.max(...paths.map((one) => statSync(one).mtimeMs));
    const shown = shownNames(paths);
    const tags: Record<string, string> = {};
    const onFile = (path: string) => Object.assign(tags, paths.length > 1 && { '#file': shown(path) });
    const open = () => bytesOfFiles(sorted, onFile);
    return { name: namesOf(paths), isFollowed: false, modified, tags, open };
  }
  if (paths.length > 1)
    throw usageFailure('--follow reads one file. For several, use "logclient view --follow".');
  await formOf(path, true);
  const open = (signal: AbortSignal) => chunksOf(path, { follow: true, onlyNew: false, signal });
  return { name: path, isFollowed: true, open };
}

/** Warns of parameters without a value. Those of saved queries are not known. @throws CommandFailure for a value that the query doesn't use */
export function checkParameters(query: string, { param = {}, quiet }: Partial<QueryFlags>): void {
  if (/\$[\w"]/.test(query)) return;
  const { unknown, open } = argumentProblems(parametersOf(query), param);
  if (unknown !== undefined) throw usageFailure(`--param: ${unknown}`);
  if (open !== undefined && quiet !== true) writeNote(`logclient: ${open}`);
}

/** @throws CommandFailure if a query is the path of a file. */
export function refuseFile(word: string | undefined, advice: (path: string) => string): void {
  if (word !== undefined && isReadable(word)) throw usageFailure(`${word} is a file. ${advice(word)}`);
}

/** Warns if a query looks like a path: there is no such file. */
export function noteIfPath(query: string | undefined, { quiet }: Partial<QueryFlags>): void {
  if (query === undefined || quiet === true || !looksLikePath(query)) return;
  writeNote(`logclient: there is no file ${query}; searching for this text.`);
}

/** Warns of a pipe or a redirected file that the command doesn't read: reading it unasked could block. */
export function warnIfUnread(
  { file, tokenFile, clientSecretFile, quiet }: Partial<QueryFlags>,
  advice = 'To query its lines, pass --stdin.',
): void {
  const isRead = [file, tokenFile, clientSecretFile].includes('-');
  const stats = process.stdin.isTTY === true ? undefined : tryOr(undefined, () => fstatSync(0));
  const isInput = stats?.isFIFO() === true || stats?.isFile() === true;
  if (isInput && !isRead && quiet !== true) writeNote(`logclient: stdin is ignored. ${advice}`);
}

function notOneQuery(words: readonly string[], { fields }: Partial<QueryFlags>): Error {
  const [first, second, ...others] = words as [string, string];
  if (isReadable(first))
    return usageFailure(`${first} is read as the query. To read the file, pass ./${first}`);
  if (isDirectory(first))
    return usageFailure(`${first} is a directory. To query its files, pass '${first.replace(/\/*$/, '/*')}'`);
  if (isReadable(second)) return usageFailure(`the file goes first: logclient query ${second} '${first}'`);
  if (fields !== undefined && /^[#@]?\w[\w.]*$/.test(second))
    return usageFailure(
      `write --fields without spaces: --fields ${[...fields, second, ...others].join(',')}. Quote a query with spaces: '${words.join(' ')}'`,
    );
  return usageFailure(
    `${first} is not a file. Pass files and a query, or quote a query with spaces: '${words.join(' ')}'`,
  );
}
