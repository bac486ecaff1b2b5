import { readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { compressionOf, isBinary, textChunks } from '../../core/binary.ts';
import { mayBeUtf8 } from '../../core/bytes.ts';
import { countText } from '../../core/count-text.ts';
import { MAX_LINE_BYTES } from '../../core/line-splitter.ts';
import { isStructured, structuredLines } from '../../core/records/structured-lines.ts';
import { CommandFailure, unreadable, usageFailure } from '../output/command-failure.ts';
import { failLater, writeNote } from '../output/standard-output.ts';

const READ_BYTES = 512 * 1024;
const LF = 0x0a;
const END_OF_LINE = Buffer.of(LF);
const OF_LATIN_1 = 'If it is Latin-1, convert it first: iconv -f ISO-8859-1 -t UTF-8';

/**
 * The text of files, one after the other, with an empty chunk between two; those that gzip or zstd compressed are decompressed.
 * A partial last line is ended. A chunk is only valid until the next one.
 *
 * @param onFile called before the chunks of a file
 * @throws CommandFailure if a file can't be read or decompressed
 */
export async function* bytesOfFiles(
  paths: readonly string[],
  onFile: (path: string) => void = () => {},
): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    if (path !== paths[0]) yield new Uint8Array();
    onFile(path);
    let last = LF;
    for await (const chunk of structuredLines(bytesOfFile(path))) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
    if (last !== LF) yield END_OF_LINE;
  }
}

/** What a file contains. @throws CommandFailure if it is neither text nor, unless `isPlain`, compressed */
export async function formOf(path: string, isPlain = false): Promise<'compressed' | 'structured' | 'lines'> {
  // A pipe can be opened only once.
  if (!(await stat(path)).isFile()) return 'lines';
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    const start = buffer.subarray(0, bytesRead);
    if (!isPlain && decompressorFor(start, path) !== undefined) return 'compressed';
    refuseBinary(start, path);
    return isStructured(start) ? 'structured' : 'lines';
  } finally {
    await file.close();
  }
}

/** The text of chunks. Reports NULs, which it skips, and lines that are cut. @throws CommandFailure if it is not text */
export async function* textOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  note = writeNote,
): AsyncGenerator<Uint8Array> {
  let [length, cut, hasLines, isUtf8] = [0, 0, true, true];
  const check = (start: Uint8Array): void => {
    refuseBinary(start, name);
    hasLines = !isStructured(start);
  };
  const onNuls = (count: number): void =>
    note(`logclient: skipped ${countText(count, 'NUL byte')} in ${name}.`);
  for await (const chunk of textChunks(chunks, check, onNuls)) {
    if (isUtf8 && !mayBeUtf8(chunk)) {
      isUtf8 = false;
      note(`logclient: ${name} is not UTF-8: some of its characters become \ufffd. ${OF_LATIN_1}`);
    }
    const before = length;
    const newline = chunk.indexOf(LF);
    length += newline === -1 ? chunk.length : newline;
    if (hasLines && before <= MAX_LINE_BYTES && length > MAX_LINE_BYTES) cut += 1;
    if (newline !== -1) length = chunk.length - 1 - chunk.lastIndexOf(LF);
    yield chunk;
  }
  if (cut > 0) note(`logclient: cut ${countText(cut, 'line')} of more than 8 MiB in ${name} into parts.`);
}

/** @throws CommandFailure if a file with this start is not text */
function refuseBinary(start: Uint8Array, name: string): void {
  const compression = compressionOf(start);
  if (compression !== undefined) {
    const command = { gzip: 'gunzip', zstd: 'zstd -d', xz: 'xz -d', bzip2: 'bunzip2' }[compression];
    const readers = /gzip|zstd/.test(compression) ? '--follow and "logclient mcp" need plain text: ' : '';
    const problem = `${readers}${name} is compressed with ${compression}`;
    throw usageFailure(`${problem}. Decompress it first: ${command} ${name}`);
  }
  if (/^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(start.subarray(0, 2)).toString('latin1'))) {
    throw new CommandFailure(`${name} is not UTF-8 but UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8`);
  }
  if (isBinary(start)) {
    throw new CommandFailure(`${name} is not a log: it contains binary data. Pass lines of text in UTF-8.`);
  }
}

/** The text of a file, decompressed. A chunk is only valid until the next one. @param isProbe reports nothing @throws CommandFailure */
export async function* bytesOfFile(path: string, isProbe = false): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r').catch((error) => Promise.reject(readFailure(path, error)));
  try {
    yield* plainText(chunksOf(file, path), path, isProbe);
  } finally {
    await file.close();
  }
}

/** The chunks of a file or of stdin, decompressed; of a damaged file, those before the damage. */
export async function* plainText(
  source: AsyncIterable<Uint8Array>,
  name: string,
  isProbe = false,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncGenerator<Uint8Array, undefined>;
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const all = startingWith(first, chunks);
  const decompressor = decompressorFor(first, name);
  const text =
    decompressor === undefined ? all : pipeline(Readable.from(copies(all)), decompressor, () => {});
  try {
    yield* textOf(text as AsyncIterable<Uint8Array>, name, isProbe ? () => {} : writeNote);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!/^Z(?:STD)?_/.test(code)) throw readFailure(name, error);
    if (!isProbe) failLater(`can't decompress ${name}: the file is damaged or incomplete (${code}).`);
  }
}

/** The bytes of a file or a named pipe, in one buffer that is used again for each chunk. Chunks end with a line if they can. */
async function* chunksOf(file: FileHandle, path: string): AsyncGenerator<Uint8Array, undefined> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  // Files of the kernel, such as those in /proc, have no size, and reading them can block.
  const stats = await file.stat();
  const isSync = stats.isFile() && stats.size > 0;
  for (let [total, kept] = [0, 0]; ; ) {
    // A read on another thread costs more than reading the bytes. Signals and timers run before each read.
    if (isSync) await setImmediate();
    const into = { offset: kept };
    const bytesRead = isSync ? readSync(file.fd, buffer, into) : (await file.read(buffer, into)).bytesRead;
    total += bytesRead;
    const end = kept + bytesRead;
    const size = bytesRead === 0 ? end : buffer.lastIndexOf(LF, end - 1) + 1 || end;
    if (size > 0) yield buffer.subarray(0, size);
    if (bytesRead === 0) {
      if (isSync && total < stats.size) writeNote(`logclient: ${path} was truncated while it was read.`);
      return undefined;
    }
    kept = buffer.copy(buffer, 0, size, end);
  }
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
  const compression = compressionOf(start);
  if (compression !== 'gzip' && compression !== 'zstd') return undefined;
  const zlib = process.getBuiltinModule('node:zlib');
  if (compression === 'gzip') return zlib.createGunzip({ chunkSize: READ_BYTES });
  // Not in Node before 22.15.
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  throw usageFailure(
    `${path} is compressed with zstd, which needs Node 22.15 or later; this is ${process.version}. Decompress it first: zstd -d ${path}`,
  );
}

function readFailure(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : usageFailure(unreadable(path, error));
}
