import { type FileHandle, open, stat } from 'node:fs/promises';
import { delay } from '../../core/delay.ts';
import { birthTime, isSameFile, openNextFile, openUnlessReplaced, rotatedFiles } from './rotated-files.ts';

const POLL_INTERVAL_MS = 200;
const CHUNK_BYTES = 256 * 1024;
/** Bytes before the position that are read again: if they differ, the file was truncated. */
const OVERLAP_BYTES = 256;
/** The writer of a rotated file may not have switched yet, and a stack may follow, so the writer must be silent for this many polls. */
const QUIET_POLLS = 5;
const LF = 0x0a;
const END_OF_LINE = Buffer.of(LF);
const NOTHING = Buffer.alloc(0);

export interface FollowOptions {
  /** Keeps reading what is appended. */
  readonly follow: boolean;
  /** Starts at the end. */
  readonly onlyNew: boolean;
  readonly signal: AbortSignal;
  /** Called before the first bytes of another file. */
  readonly onRestart?: () => void;
}

/**
 * Reads a file and what is appended until the signal aborts, or a named pipe to its end. A truncated or rotated
 * file is read from its start, after everything that is still appended to the old one, and after the files that a
 * rotation created in between. A partial line is ended.
 */
export async function* followedChunks(
  path: string,
  { onlyNew, signal, onRestart }: FollowOptions,
): AsyncGenerator<Uint8Array> {
  const reader = await FileReader.open(path, onlyNew);
  // Files that were rotated before don't count.
  let since = Math.max(...(await rotatedFiles(path, 0)).map(birthTime), await reader.birth());
  let quietPolls = 0;
  let emptyReads = 0;
  // What the file has at the start is not just being written.
  let patience = 1;
  try {
    for (;;) {
      const { isAtStart } = reader;
      const chunk = await reader.read();
      if (signal.aborted) return;
      if (chunk === undefined) {
        onRestart?.();
        for await (const copy of copies(path, since)) {
          yield* reader.remaining(copy.file);
          since = copy.birth;
        }
        yield* reader.restart();
      } else if (chunk.length > 0) {
        quietPolls = 0;
        emptyReads = 0;
        // The file may have been copied and truncated again before the first of its bytes was read.
        if (isAtStart && !(await reader.isReplacedAt(path))) {
          for await (const copy of copies(path, since)) {
            const { buffer, bytesRead } = await copy.file.read(Buffer.alloc(chunk.length), { position: 0 });
            // The file was copied, or is being copied, while it had these bytes at its start.
            if (buffer.subarray(0, bytesRead).equals(chunk.subarray(0, bytesRead))) break;
            onRestart?.();
            yield* copy.file.createReadStream({ start: 0, autoClose: false });
            since = copy.birth;
          }
        }
        yield chunk;
      } else {
        if (reader.isPipe) return;
        // Nothing follows for now, so the last record is complete.
        if (emptyReads++ === patience) {
          patience = QUIET_POLLS;
          yield NOTHING;
        }
        await delay(POLL_INTERVAL_MS, signal);
        if (!(await reader.isReplacedAt(path)) || ++quietPolls < QUIET_POLLS) continue;
        const next = await openNextFile(path, since);
        if (next === undefined) continue;
        onRestart?.();
        yield* reader.restart(next);
        since = Math.max(since, await reader.birth());
        quietPolls = 0;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await reader.close();
  }
}

/** The rotated files of `path` that were created after `since`, oldest first, including those created in the meantime. */
async function* copies(path: string, since: number) {
  for (let last = since; ; ) {
    const [found] = await rotatedFiles(path, last);
    if (found === undefined) return;
    const file = await openUnlessReplaced(found);
    // It has been renamed.
    if (file === undefined) continue;
    last = birthTime(found);
    try {
      yield { file, birth: last };
    } finally {
      await file.close();
    }
  }
}

class FileReader {
  #file: FileHandle;
  /** A pipe has no positions, and nothing follows its end. */
  #position: number | null;
  #overlap: Buffer = NOTHING;
  #isInLine = false;

  private constructor(file: FileHandle, position: number | null) {
    this.#file = file;
    this.#position = position;
  }

  static async open(path: string, atEnd: boolean): Promise<FileReader> {
    const file = await open(path, 'r');
    const stats = await file.stat();
    if (!stats.isFile()) return new FileReader(file, null);
    const reader = new FileReader(file, 0);
    if (atEnd && stats.size > 0) await reader.#skipTo(stats.size);
    return reader;
  }

  get isPipe(): boolean {
    return this.#position === null;
  }

  /** Nothing has been read yet, so a truncation can't be noticed. */
  get isAtStart(): boolean {
    return this.#position === 0;
  }

  /** @returns the next bytes, none at the end, or undefined if the file was truncated */
  async read(): Promise<Uint8Array | undefined> {
    const known = this.#overlap;
    const position = this.#position === null ? null : this.#position - known.length;
    const { bytesRead, buffer } = await this.#file.read({
      buffer: Buffer.allocUnsafe(CHUNK_BYTES),
      position,
    });
    if (bytesRead < known.length || !buffer.subarray(0, known.length).equals(known)) return undefined;
    const chunk = buffer.subarray(known.length, bytesRead);
    if (this.#position !== null && chunk.length > 0) {
      this.#position += chunk.length;
      this.#overlap = Buffer.from(buffer.subarray(Math.max(0, bytesRead - OVERLAP_BYTES), bytesRead));
    }
    this.#noteLine(chunk);
    return chunk;
  }

  /** The bytes that a copy of the truncated file has after those that were read. The next copy is read from its start. */
  async *remaining(copy: FileHandle): AsyncGenerator<Uint8Array> {
    for await (const chunk of copy.createReadStream({ start: this.#position ?? 0, autoClose: false })) {
      this.#noteLine(chunk as Buffer);
      yield chunk as Buffer;
    }
    this.#position = 0;
  }

  /** Continues at the start of this file or another one, after the end of a partial line. */
  async *restart(next = this.#file): AsyncGenerator<Uint8Array> {
    if (next !== this.#file) await this.#file.close();
    this.#file = next;
    this.#position = 0;
    this.#overlap = NOTHING;
    if (this.#isInLine) yield END_OF_LINE;
    this.#isInLine = false;
  }

  /** What is appended after this end was found is read. */
  async #skipTo(end: number): Promise<void> {
    const position = Math.max(0, end - OVERLAP_BYTES);
    const { buffer, bytesRead } = await this.#file.read({
      buffer: Buffer.allocUnsafe(end - position),
      position,
    });
    this.#overlap = buffer.subarray(0, bytesRead);
    this.#position = position + bytesRead;
    this.#noteLine(this.#overlap);
  }

  async isReplacedAt(path: string): Promise<boolean> {
    const current = await stat(path).catch(() => undefined);
    // During a rotation, there is no file for a moment.
    return current !== undefined && !isSameFile(current, await this.#file.stat());
  }

  async birth(): Promise<number> {
    return (await this.#file.stat()).birthtimeMs;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #noteLine(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#isInLine = chunk[chunk.length - 1] !== LF;
  }
}
