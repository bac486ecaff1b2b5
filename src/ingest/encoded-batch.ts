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

/** Larger memory is not kept for later. */
const MAX_SPARE_BYTES = 8 * 1024 * 1024;

/**
 * The memory of the last body that was compressed. A new one for every batch would pile up: the garbage collector
 * hardly notices memory outside its heap.
 */
let spare: Buffer | undefined;

/** Compresses outside the event loop's thread. */
export async function encodeBatch(batch: Batch, compression: Compression): Promise<EncodedBatch> {
  if (compression === 'none' || batch.byteLength < MIN_GZIP_BYTES) {
    return {
      body: ownCopy(batch.writeBody((maxBytes) => Buffer.allocUnsafe(maxBytes))),
      isCompressed: false,
    };
  }
  let memory: Buffer | undefined;
  const plain = batch.writeBody((maxBytes) => {
    memory = takeSpare(maxBytes);
    return memory;
  });
  try {
    const body = await gzipAsync(plain, { level: GZIP_LEVEL, chunkSize: 256 * 1024 });
    return { body: ownCopy(body), isCompressed: true };
  } finally {
    if (memory !== undefined && memory.length <= MAX_SPARE_BYTES) spare = memory;
  }
}

/** The batch as it was before. */
export function decodeBatch({ body, isCompressed }: EncodedBatch): Batch {
  return Batch.fromBody(Buffer.from(isCompressed ? gunzipSync(body) : body).toString());
}

function takeSpare(minBytes: number): Buffer {
  const taken = spare !== undefined && spare.length >= minBytes ? spare : undefined;
  if (taken === undefined) return Buffer.allocUnsafeSlow(minBytes);
  spare = undefined;
  return taken;
}

/** What is shown of a larger memory would keep all of it. */
function ownCopy(bytes: Buffer): Uint8Array {
  return bytes.buffer.byteLength === bytes.byteLength ? bytes : Uint8Array.prototype.slice.call(bytes);
}
