import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { makeFolders } from '../../core/folders.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { startRealTimer } from '../../core/real-timers.ts';
import { tryOr } from '../../core/try-or.ts';
import { createsFile } from '../report/new-file.ts';

/** Patterns of messages, by test: the name of its file, `>`, and its own name. */
type Patterns = Readonly<Record<string, readonly string[]>>;

const LOCK_POLL_MS = 10;
/** A process that was killed leaves its lock. */
const MAX_LOCK_POLLS = 100;

/** The tests that this process has written, each with the path of the file. */
const written = new Set<string>();

/** @returns `undefined` if there is no file. @throws LogOptionsException if it has no patterns. */
export function readPatterns(path: string): Patterns | undefined {
  if (!existsSync(path)) return undefined;
  const patterns: unknown = tryOr(undefined, () => JSON.parse(readFileSync(path, 'utf8')).patterns);
  if (isJsonObject(patterns)) return patterns as Patterns;
  throw new LogOptionsException(
    `${path} is no baseline: it needs an object "patterns". Delete it to create it again.`,
  );
}

/** Replaces the patterns of a test. If the test has several assertions, the file has the patterns of all. */
export async function writePatterns(path: string, test: string, patterns: readonly string[]): Promise<void> {
  const place = `${path} > ${test}`;
  await change(path, (before) => {
    const others = written.has(place) ? (before[test] ?? []) : [];
    return { ...before, [test]: [...new Set([...others, ...patterns])].sort() };
  });
  written.add(place);
}

/** Other test files may change the file at the same time, in other processes. */
async function change(path: string, work: (before: Patterns) => Patterns): Promise<void> {
  makeFolders(dirname(path));
  const lock = `${path}.lock`;
  for (let [since, polls] = [0, 0]; !createsFile(lock); polls++) {
    const { mtimeMs = 0 } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== since) [since, polls] = [mtimeMs, 0];
    if (polls === MAX_LOCK_POLLS) rmSync(lock, { force: true });
    await new Promise<void>((resolve) => startRealTimer(resolve, LOCK_POLL_MS));
  }
  try {
    const tests = Object.entries(work(readPatterns(path) ?? {})).sort(([a], [b]) => (a < b ? -1 : 1));
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, `${JSON.stringify({ patterns: Object.fromEntries(tests) }, undefined, 2)}\n`);
    renameSync(draft, path);
  } finally {
    rmSync(lock, { force: true });
  }
}
