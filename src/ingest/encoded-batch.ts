import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { Batch, type BatchSize } from './batch.ts';

const gzipAsync = promisify(gzip);

/** The fastest level: it takes most of what can be gained on logs. */
const GZIP_LEVEL = 1;

/** Requests below this aren't worth compressing. */
const MIN_GZIP_BYTES = 1024;

/** A batch as the body of a request: encoded once, sent as often as it takes, and small while it waits. */
export interface EncodedBatch {
  readonly body: Uint8Array;
  readonly isCompressed: boolean;
}

export type Compression = 'gzip' | 'none';

/** Compresses outside the event loop's thread. What it returns has memory of its own. */
export async function encodeBatch(batch: Batch, compression: Compression): Promise<EncodedBatch> {
  if (compression === 'none' || batch.byteLength < MIN_GZIP_BYTES) {
    return { body: ownCopy(batch.body), isCompressed: false };
  }
  const body = await gzipAsync(batch.body, { level: GZIP_LEVEL, chunkSize: 256 * 1024 });
  return { body: ownCopy(body), isCompressed: true };
}

/** The batch as it was before. */
export function decodeBatch({ body, isCompressed }: EncodedBatch, size: BatchSize): Batch {
  return new Batch(Buffer.from(isCompressed ? gunzipSync(body) : body), size);
}

/** What is shown of a larger memory would keep all of it. */
function ownCopy(bytes: Buffer): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
