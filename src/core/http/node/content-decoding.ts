import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { UnreadableBodyError } from '../http-adapter.ts';

/** What requests accept; proxies may use other encodings, which are also decoded. */
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
  const decoder = decoderFor(coding, first.value);
  // The reader of the decoder receives every error.
  pipeline(source, decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    if (error === sourceError || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error;
    throw new UnreadableBodyError(`the body is not valid ${coding}`, { cause: error });
  }
}

function decoderFor(coding: string, firstBytes: Uint8Array): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers send raw deflate data without the zlib header that the standard requires. That header starts with
      // an 8.
      return ((firstBytes[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new UnreadableBodyError(
        `the Content-Encoding ${JSON.stringify(coding.slice(0, 40))} is not one of gzip, deflate and br`,
      );
  }
}
