import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'hono';
import { HttpError } from './http-error.ts';

const gunzipAsync = promisify(gunzip);

/**
 * The body of a request, decompressed, bounded by `maxBytes` before and after decompression.
 *
 * @throws HttpError 413 for a larger body, 400 for one that can't be decompressed.
 */
export async function readBody(context: Context, maxBytes: number): Promise<Buffer> {
  const received = await receive(context, maxBytes);
  const encoding = (context.req.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return received;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new HttpError(400, "The request's Content-Encoding is not supported. Expected:\ngzip");
  }
  return decompress(received, maxBytes);
}

/** As {@link readBody}, for text; bytes that are no UTF-8 become replacement characters. */
export async function readText(context: Context, maxBytes: number): Promise<string> {
  const text = (await readBody(context, maxBytes)).toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

async function receive(context: Context, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of incomingChunks(context)) {
      size += chunk.byteLength;
      // What is too large is still read to its end (but not kept): a client that is cut off in the middle of its
      // request sees a broken connection instead of the 413.
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > maxBytes * 8) break;
    }
  } catch {
    throw new HttpError(400, 'The request content broke off before its end.');
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, size);
}

/** Over a socket the request is read from node directly: several times faster than through a web stream. */
function incomingChunks(context: Context): AsyncIterable<Uint8Array> {
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
  if (incoming !== undefined) return incoming.iterator({ destroyOnReturn: false });
  return (context.req.raw.body as AsyncIterable<Uint8Array> | null) ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function decompress(compressed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    // zlib stops at this length: a small body that unfolds into gigabytes never does.
    return await gunzipAsync(compressed, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new HttpError(400, `The request's encoding is corrupt: ${(error as Error).message}`);
  }
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(
    413,
    `The request content is larger than ${maxBytes} bytes, the limit of this server (measured after decompression).`,
  );
}
