import { type FileHandle, open, stat } from 'node:fs/promises';
import { delay } from '../../internal/delay.ts';

const POLL_INTERVAL_MS = 200;
const CHUNK_BYTES = 256 * 1024;
/** The writer of a rotated file may not have switched yet, so it must be silent for this many polls. */
const QUIET_POLLS = 5;
const LF = 0x0a;
const END_OF_LINE = Buffer.of(LF);

export interface FollowOptions {
  /** Keeps reading what is appended. */
  readonly follow: boolean;
  /** Starts at the end. */
  readonly onlyNew: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads a file or a named pipe; with `follow`, also what is appended until the signal aborts. A truncated or rotated
 * file is read from its start, after everything that is still appended to the old one. A partial line is ended.
 */
export async function* fileChunks(path: string, options: FollowOptions): AsyncGenerator<Uint8Array> {
  const { follow, signal } = options;
  let file = await open(path, 'r');
  const opened = await file.stat();
  // A pipe has no positions, and nothing follows its end.
  let position = !opened.isFile() ? null : options.onlyNew ? opened.size : 0;
  let isInLine = false;
  let quietPolls = 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES), position });
      if (signal.aborted) return;
      if (bytesRead > 0) {
        if (position !== null) position += bytesRead;
        isInLine = buffer[bytesRead - 1] !== LF;
        quietPolls = 0;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      if (!follow || position === null) return;
      await delay(POLL_INTERVAL_MS, signal);
      const state = await stateOf(path, file, position);
      if (state === 'same' || (state === 'replaced' && ++quietPolls < QUIET_POLLS)) continue;
      const next = state === 'cut' ? file : await open(path, 'r').catch(() => undefined);
      if (next === undefined) continue;
      if (isInLine) yield END_OF_LINE;
      if (next !== file) await file.close();
      file = next;
      position = 0;
      isInLine = false;
      quietPolls = 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await file.close();
  }
}

/** What happened to a file that was read to its end. */
async function stateOf(
  path: string,
  file: FileHandle,
  position: number,
): Promise<'same' | 'cut' | 'replaced'> {
  const opened = await file.stat();
  const now = await stat(path).catch(() => undefined);
  // During a rotation, there is no file for a moment.
  if (now === undefined) return 'same';
  if (now.ino !== opened.ino || now.dev !== opened.dev) return 'replaced';
  return opened.size < position ? 'cut' : 'same';
}
