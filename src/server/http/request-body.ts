import type { Context } from 'hono';
import { compressionOf } from '../../core/binary.ts';
import { withoutTextMark } from '../../core/bytes.ts';
import { BodyTooLargeError, environmentOf, incomingChunks } from '../environment.ts';
import { HttpError } from './http-error.ts';

/**
 * The decompressed body of a request, limited to `maxBytes` before and after decompression.
 *
 * @throws HttpError 413 for a larger body, 400 if it can't be decompressed.
 */
export async function readBody(context: Context, maxBytes: number): Promise<Buffer> {
  const received = await receive(context, maxBytes);
  const body = await decoded(context, received, maxBytes);
  environmentOf(context).bodyScript?.checkSize?.(Math.max(received.byteLength, body.byteLength));
  return body;
}

export async function readText(context: Context, maxBytes: number): Promise<string> {
  return textOf(await readBody(context, maxBytes));
}

/** Decodes a body without its byte order mark; invalid UTF-8 becomes replacement characters. */
export function textOf(body: Buffer): string {
  return withoutTextMark(body.toString('utf8'));
}

async function receive(context: Context, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bodyChunks(context)) {
      size += chunk.byteLength;
      // Reads (but drops) the rest of a body that is too large: a client whose connection is closed while it sends
      // never sees the 413.
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > maxBytes * 8) break;
    }
  } catch {
    throw new HttpError(400, 'The request content is incomplete: the connection closed before its end.');
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, size);
}

/** The body of a request as it arrives. */
export function bodyChunks(context: Context): AsyncIterable<Uint8Array> {
  const { connection, bodyScript } = environmentOf(context);
  const chunks = incomingChunks(context.req.raw, connection);
  return bodyScript?.incoming?.(chunks) ?? chunks;
}

async function decoded(context: Context, received: Buffer, maxBytes: number): Promise<Buffer> {
  const encoding = (context.req.header('content-encoding') ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') {
    if (compressionOf(received) !== 'gzip') return received;
    throw new HttpError(400, 'The body is compressed: send the header "Content-Encoding: gzip".', {}, '');
  }
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new HttpError(400, "The request's Content-Encoding is not supported. Expected:\ngzip");
  }
  try {
    return await environmentOf(context).decompression.gunzip(received, maxBytes);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw tooLarge(maxBytes);
    throw new HttpError(400, `The request's encoding is corrupt: ${(error as Error).message}`);
  }
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(
    413,
    `The request content is larger than ${maxBytes} bytes, the limit of this server (measured after decompression).`,
  );
}
