import { type FileHandle, open, stat } from 'node:fs/promises';
import { delay } from '../../internal/delay.ts';

/** How often a file is looked at. */
const LOOK_EVERY_MS = 200;
const CHUNK_BYTES = 256 * 1024;
/** For so many looks the writer of a file that was moved away has to be silent: it may not know yet. */
const QUIET_LOOKS = 5;
const LF = 0x0a;
const END_OF_LINE = Buffer.of(LF);

export interface FollowOptions {
  /** Go on at the end with what is appended. */
  readonly follow: boolean;
  /** Begin at the end. */
  readonly onlyNew: boolean;
  readonly signal: AbortSignal;
}

/**
 * The bytes of a file, or of a pipe that has a name; with `follow`, those that are appended, too, until the signal. A
 * file that is cut or replaced, as log files are when they are rotated, is read from its beginning; what its writer
 * appends to the old one meanwhile comes first, and half a line is ended.
 */
export async function* fileChunks(path: string, options: FollowOptions): AsyncGenerator<Uint8Array> {
  const { follow, signal } = options;
  let file = await open(path, 'r');
  const opened = await file.stat();
  // A pipe has no positions, and nothing comes after its end.
  let position = !opened.isFile() ? null : options.onlyNew ? opened.size : 0;
  let isInLine = false;
  let quietLooks = 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(
        Buffer.allocUnsafe(CHUNK_BYTES),
        0,
        CHUNK_BYTES,
        position,
      );
      if (signal.aborted) return;
      if (bytesRead > 0) {
        if (position !== null) position += bytesRead;
        isInLine = buffer[bytesRead - 1] !== LF;
        quietLooks = 0;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      if (!follow || position === null) return;
      await delay(LOOK_EVERY_MS, signal);
      const state = await stateOf(path, file, position);
      if (state === 'same' || (state === 'replaced' && ++quietLooks < QUIET_LOOKS)) continue;
      const next = state === 'cut' ? file : await openIfThere(path);
      if (next === undefined) continue;
      if (isInLine) yield END_OF_LINE;
      if (next !== file) await file.close();
      file = next;
      position = 0;
      isInLine = false;
      quietLooks = 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch {
    return undefined;
  }
}

/** What has become of a file that was read to its end. */
async function stateOf(
  path: string,
  file: FileHandle,
  position: number,
): Promise<'same' | 'cut' | 'replaced'> {
  const opened = await file.stat();
  try {
    const now = await stat(path);
    if (now.ino !== opened.ino || now.dev !== opened.dev) return 'replaced';
  } catch {
    // Between the old file and the new one there is none.
    return 'same';
  }
  return opened.size < position ? 'cut' : 'same';
}
