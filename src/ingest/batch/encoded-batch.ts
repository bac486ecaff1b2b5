import { createGzip, gunzipSync, gzipSync, type ZlibOptions } from 'node:zlib';
import { Batch, type BatchInfo } from './batch.ts';
import { bodyMemory } from './buffer-pool.ts';

/** The fastest level takes most of what can be gained on logs. */
const GZIP_LEVEL = 1;

/**
 * The compressor fills so much at a time, and waits for a turn of the event loop before the next: a program that logs
 * in long turns would fill the queue meanwhile.
 */
const MIN_GZIP_CHUNK_BYTES = 64 * 1024;

/** Batches of a program are alike, so the next one is likely to fit into somewhat more than the last one took. */
const GZIP_MARGIN = 1.2;

/** What the last batch was compressed to, as a part of what it was; at first, what texts at random take. */
let latestShare = 0.4;

/** Memory of bodies has a multiple of this, so that it fits for others. */
const MEMORY_GRAIN_BYTES = 16 * 1024;

/** Smaller bodies have memory of just their size. */
const MIN_POOLED_BYTES = 8 * MEMORY_GRAIN_BYTES;

/** Requests below this aren't worth compressing. */
const MIN_GZIP_BYTES = 1024;

/** A batch as the body of a request: encoded once, sent as often as it takes, and small while it waits. */
export interface EncodedBatch {
  readonly body: Uint8Array;
  readonly isCompressed: boolean;
  /** What holds the body, when that can be used again. */
  readonly memory?: Buffer;
}

export type Compression = 'gzip' | 'none';

/** What a request says of such a body. */
export function contentHeaders({ isCompressed }: EncodedBatch): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };
}

/** Compresses outside the event loop's thread. What it returns has memory of its own. */
export async function encodeBatch(batch: Batch, compression: Compression): Promise<EncodedBatch> {
  if (!isWorthCompressing(batch, compression)) return uncompressed(batch);
  const gzip = createGzip(gzipOptionsFor(batch));
  gzip.end(batch.body);
  const parts: Buffer[] = [];
  for await (const part of gzip) parts.push(part);
  return compressed(batch, parts);
}

/** As {@link encodeBatch}, while this thread waits. */
export function encodeBatchSync(batch: Batch, compression: Compression): EncodedBatch {
  if (!isWorthCompressing(batch, compression)) return uncompressed(batch);
  return compressed(batch, [gzipSync(batch.body, gzipOptionsFor(batch))]);
}

/** Lets the memory be used again. Nobody may look at the body any more. */
export function releaseEncoded({ memory }: EncodedBatch): void {
  if (memory !== undefined) bodyMemory.giveBack(memory);
}

/** The batch as it was before. */
export function decodeBatch({ body, isCompressed }: EncodedBatch, info: BatchInfo): Batch {
  return new Batch(Buffer.from(isCompressed ? gunzipSync(body) : body), info);
}

function gzipOptionsFor({ byteLength }: Batch): ZlibOptions {
  const likelyBytes = Math.ceil(byteLength * latestShare * GZIP_MARGIN);
  return { level: GZIP_LEVEL, chunkSize: Math.max(MIN_GZIP_CHUNK_BYTES, likelyBytes) };
}

function isWorthCompressing({ byteLength }: Batch, compression: Compression): boolean {
  return compression === 'gzip' && byteLength >= MIN_GZIP_BYTES;
}

/** A copy, for the batch's own memory is used again. */
function uncompressed({ body }: Batch): EncodedBatch {
  return { body: Uint8Array.prototype.slice.call(body), isCompressed: false };
}

function compressed({ byteLength }: Batch, parts: readonly Buffer[]): EncodedBatch {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  latestShare = length / byteLength;
  if (length < MIN_POOLED_BYTES) return { body: Uint8Array.from(Buffer.concat(parts)), isCompressed: true };
  const bytes = Math.ceil(length / MEMORY_GRAIN_BYTES) * MEMORY_GRAIN_BYTES;
  const memory = bodyMemory.take(bytes, 2 * bytes);
  let end = 0;
  for (const part of parts) end += part.copy(memory, end);
  return { body: memory.subarray(0, length), isCompressed: true, memory };
}
