import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableBodyError } from '../http-adapter.ts';

/** What requests accept. */
export const OFFERED_CODINGS = 'gzip';

/**
 * Decompresses the body of a response in chunks, so that a compressed body needs only the memory that its reader
 * requests.
 *
 * The iteration throws an {@link UnreadableBodyError} for an unknown encoding or invalid data, and the errors of
 * `body`. An incomplete body throws zlib's error.
 */
export function decodedBody(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
): AsyncIterable<Uint8Array> {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  return coding === '' || coding === 'identity' ? body : decode(body, coding);
}

async function* decode(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  // A response without a body may have the header, too.
  if (first.done) return;
  if (coding !== OFFERED_CODINGS && coding !== 'x-gzip')
    throw new UnreadableBodyError(`the Content-Encoding ${JSON.stringify(coding.slice(0, 40))} is not gzip`);
  let sourceError: unknown;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      sourceError = error;
      throw error;
    }
  }
  const decoder = createGunzip();
  // The reader of the decoder receives every error.
  pipeline(source, decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    if (error === sourceError || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error;
    throw new UnreadableBodyError('the body is not valid gzip', { cause: error });
  }
}
