import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { usageFailure } from '../output/command-failure.ts';
import { writeNote } from '../output/standard-output.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import { queryText } from './query-text.ts';

interface SourceFlags extends ConnectionFlags {
  readonly file?: string;
  readonly stdin?: boolean;
  readonly live?: boolean;
  readonly quiet?: boolean;
}

/** Lines to query without a server. */
export interface Lines {
  /** For messages. */
  readonly name: string;
  readonly open: () => Readable;
}

export interface QueryAndSource {
  readonly query: string;
  /** `undefined` for the service. */
  readonly lines: Lines | undefined;
}

const STDIN: Lines = { name: 'stdin', open: () => process.stdin };

/**
 * The query and what it reads: a file if the first word is the path of one, stdin with `--stdin`, otherwise the service.
 *
 * @throws CommandFailure for words and flags that contradict each other.
 */
export async function queryAndSource(words: readonly string[], flags: SourceFlags): Promise<QueryAndSource> {
  const [first, second] = words;
  const path = first !== undefined && isFile(first) ? first : undefined;
  if (path === undefined) {
    if (second !== undefined) throw notOneQuery(first!, second);
    const query = await queryText(first, flags);
    if (flags.stdin === true) return { query, lines: STDIN };
    warnIfUnread(flags);
    return { query, lines: undefined };
  }
  const other = (['stdin', 'live'] as const).find((name) => flags[name] === true);
  if (other !== undefined) throw usageFailure(`the file ${path} and --${other} can't be combined.`);
  // A word such as "error" can be meant as a query.
  if (!/[./\\]/.test(path) && flags.quiet !== true) {
    writeNote(`logclient: reading the file ${path}. To search for this text instead, pass '"${path}"'.`);
  }
  return {
    query: await queryText(second, flags),
    lines: { name: path, open: () => createReadStream(path) },
  };
}

/** The words that the command line has. */
export function present(...words: readonly (string | undefined)[]): readonly string[] {
  return words.filter((word) => word !== undefined);
}

/** @throws CommandFailure if a query is the path of a file. */
export function refuseFile(word: string | undefined, advice: (path: string) => string): void {
  if (word !== undefined && isFile(word)) throw usageFailure(`${word} is a file. ${advice(word)}`);
}

/** Warns of a pipe or a redirected file that the command doesn't read: reading it unasked could block. */
export function warnIfUnread(
  { file, tokenFile, clientSecretFile, quiet }: SourceFlags,
  advice = ADVICE,
): void {
  const isRead = [file, tokenFile, clientSecretFile].includes('-');
  if (isRead || quiet === true || !isInput(standardInput())) return;
  writeNote(`logclient: stdin is ignored. ${advice}`);
}

const ADVICE = 'To query its lines, pass --stdin.';

function standardInput(): Stats | undefined {
  try {
    return process.stdin.isTTY === true ? undefined : fstatSync(0);
  } catch {
    return undefined;
  }
}

function isInput(stats: Stats | undefined): boolean {
  return stats?.isFIFO() === true || stats?.isFile() === true;
}

function isFile(path: string): boolean {
  try {
    return isInput(statSync(path));
  } catch {
    // Not a path, such as most queries.
    return false;
  }
}

function notOneQuery(first: string, second: string): Error {
  return usageFailure(
    `${first} is not a file. Pass a file and a query, or quote a query with spaces: '${first} ${second}'`,
  );
}
