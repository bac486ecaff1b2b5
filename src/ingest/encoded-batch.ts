import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { Batch } from './batch.ts';

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

/** Compresses outside the event loop's thread. */
export async function encodeBatch(batch: Batch, compression: Compression): Promise<EncodedBatch> {
  const body = Buffer.from(batch.body());
  if (compression === 'none' || body.length < MIN_GZIP_BYTES) return { body, isCompressed: false };
  return { body: await gzipAsync(body, { level: GZIP_LEVEL, chunkSize: 256 * 1024 }), isCompressed: true };
}

/** The batch as it was before. */
export function decodeBatch({ body, isCompressed }: EncodedBatch): Batch {
  return Batch.fromBody(Buffer.from(isCompressed ? gunzipSync(body) : body).toString());
}
