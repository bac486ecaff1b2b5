import { promisify } from 'node:util';
import { gzip, gzipSync, type ZlibOptions } from 'node:zlib';

/** The fastest level achieves most of the possible compression of logs. */
const GZIP_LEVEL = 1;

/** Minimum output chunk of the compressor, which needs a turn of the event loop per chunk. */
const MIN_GZIP_CHUNK_BYTES = 64 * 1024;

/** The chunk is this much larger than the last batch, because batches of a program compress similarly. */
const GZIP_MARGIN = 1.2;

/** Compression ratio of the last batch. */
let latestShare = 0.4;

/** Smaller requests are not compressed. */
const MIN_GZIP_BYTES = 1024;

/** Body of a request. Encoded once, so that it can be resent and uses little memory while it waits. */
export interface EncodedBatch {
  readonly body: Uint8Array;
  readonly isCompressed: boolean;
}

export type Compression = 'gzip' | 'none';

interface PlainBatch {
  readonly body: Buffer;
  /** Size of its events. */
  readonly byteLength: number;
}

const gzipLater = promisify(gzip);

/** Compresses a batch off the main thread. The result has its own memory. */
export async function encodeBatch(batch: PlainBatch, compression: Compression): Promise<EncodedBatch> {
  if (!isWorthCompressing(batch, compression)) return uncompressed(batch);
  return compressed(batch, await gzipLater(batch.body, gzipOptionsFor(batch)));
}

export function encodeBatchSync(batch: PlainBatch, compression: Compression): EncodedBatch {
  if (!isWorthCompressing(batch, compression)) return uncompressed(batch);
  return compressed(batch, gzipSync(batch.body, gzipOptionsFor(batch)));
}

function gzipOptionsFor({ byteLength }: PlainBatch): ZlibOptions {
  const likelyBytes = Math.ceil(byteLength * latestShare * GZIP_MARGIN);
  return { level: GZIP_LEVEL, chunkSize: Math.max(MIN_GZIP_CHUNK_BYTES, likelyBytes) };
}

function isWorthCompressing({ byteLength }: PlainBatch, compression: Compression): boolean {
  return compression === 'gzip' && byteLength >= MIN_GZIP_BYTES;
}

/** Copies the body, because the memory of the batch is reused. */
function uncompressed({ body }: PlainBatch): EncodedBatch {
  return { body: Uint8Array.prototype.slice.call(body), isCompressed: false };
}

function compressed({ byteLength }: PlainBatch, zipped: Buffer): EncodedBatch {
  latestShare = zipped.length / byteLength;
  const body = Buffer.allocUnsafeSlow(zipped.length);
  zipped.copy(body);
  return { body, isCompressed: true };
}
