import { type FileHandle, open, stat } from 'node:fs/promises';
import { delay } from '../../internal/delay.ts';
import { usageFailure } from '../command-failure.ts';

/** How often a file is looked at. */
const LOOK_EVERY_MS = 200;
const CHUNK_BYTES = 256 * 1024;

export interface FollowOptions {
  /** Go on at the end with what is appended. */
  readonly follow: boolean;
  /** Begin at the end. */
  readonly onlyNew: boolean;
  readonly signal: AbortSignal;
}

/**
 * The bytes of a file; with `follow`, those that are appended, too, until the signal. A file that is cut or replaced,
 * as log files are when they are rotated, is read from its beginning.
 *
 * @throws CommandFailure for a file that can't be opened at first.
 */
export async function* fileChunks(path: string, options: FollowOptions): AsyncGenerator<Uint8Array> {
  let file = await openFirst(path);
  let position = options.onlyNew ? (await file.stat()).size : 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (options.signal.aborted) return;
      if (bytesRead > 0) {
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      if (!options.follow) return;
      await delay(LOOK_EVERY_MS, options.signal);
      const next = await successor(path, file, position);
      if (next === 'same') continue;
      position = 0;
      if (next === 'cut') continue;
      await file.close();
      file = next;
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    await file.close();
  }
}

async function openFirst(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r');
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (error) {
    throw usageFailure(
      `${path} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`,
    );
  }
  throw usageFailure(`${path} is a folder; name the files in it.`);
}

/** What stands in the place of a file that was read to its end. */
async function successor(
  path: string,
  file: FileHandle,
  position: number,
): Promise<FileHandle | 'same' | 'cut'> {
  const opened = await file.stat();
  try {
    const now = await stat(path);
    if (now.ino !== opened.ino || now.dev !== opened.dev) {
      // What was appended before it was moved away comes first.
      return opened.size > position ? 'same' : await open(path, 'r');
    }
  } catch {
    // Between the old file and the new one there is none.
    return 'same';
  }
  return opened.size < position ? 'cut' : 'same';
}
