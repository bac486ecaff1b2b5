import { promisify } from 'node:util';
import { gzip, gzipSync, type ZlibOptions } from 'node:zlib';

/** The fastest level achieves most of the possible compression of logs. */
const GZIP_LEVEL = 1;

/** Minimum output chunk of the compressor, which needs a turn of the event loop per chunk. Most batches shrink to a third. */
const MIN_GZIP_CHUNK_BYTES = 64 * 1024;

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
  return compressed(await gzipLater(batch.body, gzipOptionsFor(batch)));
}

export function encodeBatchSync(batch: PlainBatch, compression: Compression): EncodedBatch {
  if (!isWorthCompressing(batch, compression)) return uncompressed(batch);
  return compressed(gzipSync(batch.body, gzipOptionsFor(batch)));
}

function gzipOptionsFor({ byteLength }: PlainBatch): ZlibOptions {
  return { level: GZIP_LEVEL, chunkSize: Math.max(MIN_GZIP_CHUNK_BYTES, Math.ceil(byteLength / 3)) };
}

function isWorthCompressing({ byteLength }: PlainBatch, compression: Compression): boolean {
  return compression === 'gzip' && byteLength >= MIN_GZIP_BYTES;
}

/** Copies the body, because the memory of the batch is reused. */
function uncompressed({ body }: PlainBatch): EncodedBatch {
  return { body: Uint8Array.prototype.slice.call(body), isCompressed: false };
}

function compressed(zipped: Buffer): EncodedBatch {
  const body = Buffer.allocUnsafeSlow(zipped.length);
  zipped.copy(body);
  return { body, isCompressed: true };
}
