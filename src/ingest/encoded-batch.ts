import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync } from 'node:zlib';
import { Batch, type BatchSize } from './batch.ts';

const gzipAsync = promisify(gzip);

/** The fastest level takes most of what can be gained on logs. */
const GZIP_OPTIONS = { level: 1, chunkSize: 256 * 1024 };

/** Requests below this aren't worth compressing. */
const MIN_GZIP_BYTES = 1024;

/** A batch as the body of a request: encoded once, sent as often as it takes, and small while it waits. */
export interface EncodedBatch {
  readonly body: Uint8Array;
  readonly isCompressed: boolean;
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
  if (!isWorthCompressing(batch, compression)) return { body: ownCopy(batch.body), isCompressed: false };
  return { body: ownCopy(await gzipAsync(batch.body, GZIP_OPTIONS)), isCompressed: true };
}

/** As {@link encodeBatch}, while this thread waits. */
export function encodeBatchSync(batch: Batch, compression: Compression): EncodedBatch {
  if (!isWorthCompressing(batch, compression)) return { body: ownCopy(batch.body), isCompressed: false };
  return { body: ownCopy(gzipSync(batch.body, GZIP_OPTIONS)), isCompressed: true };
}

/** The batch as it was before. */
export function decodeBatch({ body, isCompressed }: EncodedBatch, size: BatchSize): Batch {
  return new Batch(Buffer.from(isCompressed ? gunzipSync(body) : body), size);
}

function isWorthCompressing({ byteLength }: Batch, compression: Compression): boolean {
  return compression === 'gzip' && byteLength >= MIN_GZIP_BYTES;
}

/** What is shown of a larger memory would keep all of it. */
function ownCopy(bytes: Buffer): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
