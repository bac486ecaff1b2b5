import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What we ask for; what else is decoded below, a proxy may choose by itself. */
export const OFFERED_CODINGS = 'gzip';

/** The body is there, but it is not in the form that its headers speak of. */
export class UnreadableBodyError extends Error {}

/**
 * The body of an answer as it was before it was compressed, a piece at a time, so that a small body that unfolds to a
 * large one takes no more memory than its reader gives it.
 *
 * The iteration throws an {@link UnreadableBodyError} for an unknown coding and for bytes that are not in it, and what
 * `body` throws. A body that ends too early throws zlib's own error.
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
  // An answer without a body may still carry the header.
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
  // The reader of the decoder gets every error; nobody else needs to hear of it.
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
      // Some send the bare data without the wrapping that the standard asks for. The wrapping begins with an 8.
      return ((firstBytes[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new UnreadableBodyError(
        `the Content-Encoding ${JSON.stringify(coding.slice(0, 40))} is not one of gzip, deflate and br`,
      );
  }
}
