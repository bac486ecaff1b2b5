import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { usageFailure } from '../output/command-failure.ts';
import { writeNote } from '../output/standard-output.ts';

const READ_BYTES = 512 * 1024;
/** V8 allocates the text of larger chunks outside of its young generation, at five times the cost. */
const CHUNK_BYTES = 64 * 1024;
const LF = 0x0a;
const END_OF_LINE = Buffer.of(LF);
const [GZIP, ZSTD] = [Buffer.of(0x1f, 0x8b), Buffer.of(0x28, 0xb5, 0x2f, 0xfd)];
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
const UTF_16 = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];

/** Not in Node before 22.15. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

/**
 * The text of files, one after the other; those that gzip or zstd compressed are decompressed. A partial last line is
 * ended. A chunk is only valid until the next one.
 *
 * @throws CommandFailure if a file can't be read or decompressed
 */
export async function* bytesOfFiles(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    let last = LF;
    let isFirst = true;
    for await (const chunk of bytesOfFile(path)) {
      const hasMark = isFirst && BYTE_ORDER_MARK.equals(chunk.subarray(0, BYTE_ORDER_MARK.length));
      isFirst = false;
      last = chunk.at(-1) ?? last;
      yield hasMark ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
    }
    if (last !== LF) yield END_OF_LINE;
  }
}

/** Whether a file is compressed. */
export async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(ZSTD.length), 0, ZSTD.length, 0);
    return GZIP.equals(buffer.subarray(0, GZIP.length)) || ZSTD.equals(buffer);
  } finally {
    await file.close();
  }
}

async function* bytesOfFile(path: string): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    yield* plainText(chunksOf(file, path), path);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    await file?.close();
  }
}

/** The chunks of a file or of stdin, decompressed. A chunk is only valid until the next one. */
export async function* plainText(
  source: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncGenerator<Uint8Array, undefined>;
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  if (UTF_16.some((mark) => mark.equals(first.subarray(0, mark.length)))) {
    throw usageFailure(`${name} is not UTF-8 but UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8`);
  }
  const all = startingWith(first, chunks);
  const decompressor = decompressorFor(first, name);
  if (decompressor === undefined) yield* all;
  else yield* pipeline(Readable.from(copies(all)), decompressor, () => {});
}

/** The bytes of a file or a named pipe, in one buffer that is used again for each chunk. */
async function* chunksOf(file: FileHandle, path: string): AsyncGenerator<Uint8Array, undefined> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  // Files of the kernel, such as those in /proc, have no size, and reading them can block.
  const stats = await file.stat();
  const isSync = stats.isFile() && stats.size > 0;
  for (let total = 0; ; ) {
    const bytesRead = isSync ? await bytesReadSync(file, buffer) : (await file.read(buffer)).bytesRead;
    total += bytesRead;
    if (bytesRead === 0) {
      if (isSync && total < stats.size) writeNote(`logclient: ${path} was truncated while it was read.`);
      return undefined;
    }
    for (let start = 0; start < bytesRead; start += CHUNK_BYTES) {
      yield buffer.subarray(start, Math.min(bytesRead, start + CHUNK_BYTES));
    }
  }
}

/** A read on another thread costs more than reading the bytes. Signals and timers run before each read. */
async function bytesReadSync(file: FileHandle, buffer: Buffer): Promise<number> {
  await setImmediate();
  return readSync(file.fd, buffer);
}

async function* startingWith<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}

/** Streams read ahead. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk);
}

function decompressorFor(start: Uint8Array, path: string): Transform | undefined {
  if (GZIP.equals(start.subarray(0, GZIP.length))) return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  if (!ZSTD.equals(start.subarray(0, ZSTD.length))) return undefined;
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  throw usageFailure(
    `${path} is compressed with zstd, which needs Node 22.15 or later; this is ${process.version}. Decompress it first: zstd -d ${path}`,
  );
}

export function readFailure(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  if (code.startsWith('Z_') || code.startsWith('ZSTD_')) {
    return usageFailure(`can't decompress ${path}: the file is damaged or incomplete (${code}).`);
  }
  return usageFailure(`can't read ${path} (${code}).`);
}
