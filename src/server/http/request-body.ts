import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'hono';
import { connectionOf, incomingChunks } from '../connection.ts';
import { bodyScriptOf } from './body-script.ts';
import { HttpError } from './http-error.ts';

const gunzipAsync = promisify(gunzip);

/**
 * The decompressed body of a request, limited to `maxBytes` before and after decompression.
 *
 * @throws HttpError 413 for a larger body, 400 if it can't be decompressed.
 */
export async function readBody(context: Context, maxBytes: number): Promise<Buffer> {
  const received = await receive(context, maxBytes);
  const body = await decoded(received, context.req.header('content-encoding'), maxBytes);
  bodyScriptOf(context.env)?.checkSize?.(Math.max(received.byteLength, body.byteLength));
  return body;
}

export async function readText(context: Context, maxBytes: number): Promise<string> {
  return textOf(await readBody(context, maxBytes));
}

/** Decodes a body without its byte order mark; invalid UTF-8 becomes replacement characters. */
export function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
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
  const chunks = incomingChunks(context.req.raw, connectionOf(context.env));
  return bodyScriptOf(context.env)?.incoming?.(chunks) ?? chunks;
}

async function decoded(received: Buffer, contentEncoding = 'identity', maxBytes: number): Promise<Buffer> {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return received;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new HttpError(400, "The request's Content-Encoding is not supported. Expected:\ngzip");
  }
  return decompress(received, maxBytes);
}

async function decompress(compressed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    // zlib stops at this length, which protects against zip bombs.
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
