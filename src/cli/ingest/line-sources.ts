import { access, constants, stat } from 'node:fs/promises';
import { LineSplitter } from '../../internal/line-splitter.ts';
import { usageFailure } from '../command-failure.ts';
import { type FollowOptions, fileChunks } from './followed-file.ts';

/** Longer lines are split, so that input without newlines can't exhaust memory. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** The lines of a file, or of stdin for `-`, without blank ones. */
export async function* linesOf(source: string, options: FollowOptions): AsyncGenerator<string[]> {
  const splitter = new LineSplitter();
  const chunks = source === '-' ? standardInput(options.signal) : fileChunks(source, options);
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk);
    if (splitter.beginningBytes > MAX_LINE_BYTES) lines.push(splitter.takeBeginning());
    yield lines.filter(isNotBlank);
  }
  yield splitter.flush().filter(isNotBlank);
}

/** @throws CommandFailure if any file can't be read, before anything is sent. */
export async function checkSources(sources: readonly string[]): Promise<void> {
  for (const source of sources) if (source !== '-') await checkFile(source);
}

async function checkFile(path: string): Promise<void> {
  let isDirectory: boolean;
  try {
    // Don't open and close a pipe: its writer would see a closed reader.
    await access(path, constants.R_OK);
    isDirectory = (await stat(path)).isDirectory();
  } catch (error) {
    throw usageFailure(`can't read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`);
  }
  if (isDirectory) throw usageFailure(`${path} is a directory. Pass the files in it.`);
}

async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): unknown => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function isNotBlank(line: string): boolean {
  return line.trim() !== '';
}
