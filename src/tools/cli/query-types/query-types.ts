import { existsSync, watch } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withoutTextMark } from '../../../core/bytes.ts';
import { countText } from '../../../core/count-text.ts';
import { invalidQueries } from '../../lint/format-files.ts';
import { firstError } from '../../lint/query-problems.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { untilInterrupted } from '../../output/interruption.ts';
import { writeNote } from '../../output/standard-output.ts';
import { readTextFile } from '../../settings/input-file.ts';
import { filesAt, foldersOf, formatOf, queriesIn } from '../../sources/query-files.ts';
import { libraryOf } from '../tests/test-files.ts';
import { MARK, typeFile } from './type-file.ts';

export interface QueryTypesFlags {
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly key?: readonly string[];
}

/** Lines of a file that `--check` shows. */
const MAX_LINES = 10;

/**
 * Writes a TypeScript file beside each file with queries.
 *
 * @throws CommandFailure if a query is invalid, a file is not ours or, with `check`, a file is not up to date
 */
export async function writeQueryTypes(paths: readonly string[], flags: QueryTypesFlags): Promise<void> {
  if (flags.watch !== true) return writeAll(paths, flags);
  const report = (error: Error): void => writeNote(`logclient: ${error.message}`);
  let running = Promise.resolve();
  let isQueued = false;
  const write = (): void => {
    if (isQueued) return;
    isQueued = true;
    running = running.then(() => {
      isQueued = false;
      return writeAll(paths, flags).catch(report);
    });
  };
  const watchers = foldersOf(paths).map((folder) =>
    watch(folder, { recursive: true }, (_, name) => void ((name === null || hasQueries(name)) && write())),
  );
  for (const watcher of watchers) watcher.on('error', report);
  write();
  writeNote('logclient: watching for changes. Press Ctrl-C to stop.');
  await untilInterrupted();
  for (const watcher of watchers) watcher.close();
  await running;
}

async function writeAll(paths: readonly string[], { check = false, key }: QueryTypesFlags): Promise<void> {
  // For a pattern such as `*.lql`, also the files that are generated for it.
  const patterns = paths.filter((path) => path.includes('*')).map((path) => `${path}.ts`);
  const { named, found } = await filesAt([...paths, ...patterns], (path) => hasQueries(path) || isLeft(path));
  const problems: string[] = [];
  for (const path of found.filter(isLeft))
    if ((await readLines(path)).startsWith(MARK))
      problems.push(`${path} was generated for a file that is gone. Delete it.`);
  let [count, old] = [0, 0];
  for (const path of [...named, ...found].filter(hasQueries)) {
    const text = await readLines(path);
    const { queries, error } = queriesIn(path, text, key);
    // Scripts of parsers return no rows.
    const wanted = /^script:/m.test(text) ? [] : queries.filter(({ query }) => query.trim() !== '');
    const invalid = invalidQueries({ path, text, queries: wanted }, firstError);
    problems.push(...(error === undefined ? invalid : [`${path}: ${error.message}`]));
    if (wanted.length === 0 || invalid.length > 0) continue;
    count += 1;
    const library = /\$[\w"]/.test(text) ? await libraryOf(dirname(path)) : undefined;
    const [target, after] = [`${path}.ts`, typeFile(path, wanted, library?.savedQueries)];
    const before = existsSync(target) ? await readLines(target) : undefined;
    if (before === after) continue;
    old += 1;
    if (before?.startsWith(MARK) === false)
      problems.push(`${target} is not generated. Rename it, or the query.`);
    else if (check) {
      const what = before === undefined ? 'missing' : `not up to date:${differences(before, after)}`;
      problems.push(`${target} is ${what}`);
    } else {
      await writeFile(target, after);
      writeNote(`logclient: wrote ${target}.`);
    }
  }
  if (check && old > 0) problems.push(`Run "logclient queries types" to update ${countText(old, 'file')}.`);
  if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  if (count === 0) throw usageFailure(`no queries in ${paths.join(', ')}.`);
  if (old === 0) writeNote(`logclient: ${countText(count, 'file')} up to date.`);
}

/** Whether a file has the name of a generated one, and its file with queries is gone. */
function isLeft(path: string): boolean {
  const source = path.replace(/\.ts$/, '');
  return hasQueries(source) && !existsSync(source);
}

/** A file without what only some checkouts and editors add: carriage returns and a byte order mark. */
async function readLines(path: string): Promise<string> {
  return withoutTextMark(await readTextFile('the file', path)).replaceAll('\r\n', '\n');
}

/** Whether a file can have queries for which functions are useful. */
function hasQueries(path: string): boolean {
  return !['program', undefined].includes(formatOf(path)) && !/\.test\.ya?ml$/i.test(path);
}

/** The lines that only one of two strings has. */
function differences(before: string, after: string): string {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const removed = old.filter((line) => !current.includes(line)).map((line) => `\n  - ${line}`);
  const added = current.filter((line) => !old.includes(line)).map((line) => `\n  + ${line}`);
  return [...removed, ...added].slice(0, MAX_LINES).join('');
}
