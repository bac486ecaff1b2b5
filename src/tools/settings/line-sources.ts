import { access, constants, stat } from 'node:fs/promises';
import { splitLines } from '../../core/line-splitter.ts';
import { usageFailure } from '../output/command-failure.ts';
import { plainText, readFailure, textChunks } from './file-bytes.ts';
import { type FollowOptions, fileChunks } from './followed-file.ts';

/** The lines of a file, or of stdin for `-`, without blank ones. */
export function linesOf(source: string, options: FollowOptions): AsyncGenerator<string[]> {
  return splitLines(chunksOf(source, options));
}

/** The bytes of a file, or of stdin for `-`. */
export function chunksOf(source: string, options: FollowOptions): AsyncGenerator<Uint8Array> {
  return source === '-' ? standardInput(options.signal) : textChunks(fileChunks(source, options), source);
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

/** The bytes of stdin, decompressed, until the signal aborts. */
export async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): unknown => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* plainText(process.stdin, 'stdin');
  } catch (error) {
    if (!signal.aborted) throw readFailure('stdin', error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
