import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { acceptsGzip } from '../../core/accepts-gzip.ts';
import { isLoopbackHost } from '../../core/allowed-hosts.ts';
import type { Connection } from '../environment.ts';
import { SocketConnection } from './socket-connection.ts';

/** Shorter responses are sent as they are, in bytes. */
const MIN_BYTES = 8192;

/** Log records take a quarter of the time of the default level, and a tenth more bytes. */
const LEVEL = 3;

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|x-ndjson|yaml|xml))/i;

/**
 * The response, compressed if its client is another computer, accepts gzip, and the body is long or a stream. On this
 * computer, compression would only cost time.
 */
export async function compressed(
  request: Request,
  response: Response,
  connection: Connection | undefined,
): Promise<Response> {
  if (!(connection instanceof SocketConnection) || !acceptsGzip(request.headers.get('accept-encoding')))
    return response;
  if (isLocal(connection.incoming.socket.remoteAddress) || !isCompressible(response)) return response;
  const reader = response.body!.getReader();
  const { chunks, next } = await startOf(reader);
  const { status, headers } = response;
  headers.append('vary', 'accept-encoding');
  // The whole body.
  if (next === undefined) return new Response(Buffer.concat(chunks), { status, headers });
  headers.delete('content-length');
  headers.set('content-encoding', 'gzip');
  return new Response(gzipStream(reader, chunks, next), { status, headers });
}

/** Whether a request came from this computer; a closed connection has no address. */
function isLocal(address: string | undefined): boolean {
  return address === undefined || isLoopbackHost(address.replace(/^::ffff:/i, ''));
}

function isCompressible({ headers, body }: Response): boolean {
  if (body === null || headers.has('content-encoding') || headers.has('etag')) return false;
  return COMPRESSIBLE.test(headers.get('content-type') ?? '');
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type NextChunk = ReturnType<Reader['read']>;

/**
 * Reads a body until it is long enough to compress, or has to be waited for, as a stream does; then `next` is the
 * chunk after these. Without `next`, the body has ended.
 */
async function startOf(
  reader: Reader,
): Promise<{ readonly chunks: Uint8Array[]; readonly next: NextChunk | undefined }> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const next = reader.read();
    if (size >= MIN_BYTES) return { chunks, next };
    const chunk = await Promise.race([next, nextTurn()]);
    if (chunk === undefined) return { chunks, next };
    if (chunk.done) return { chunks, next: undefined };
    chunks.push(chunk.value);
    size += chunk.value.byteLength;
  }
}

/** Compresses chunks as they arrive: each can be read before the next one is there. */
function gzipStream(reader: Reader, chunks: Uint8Array[], first: NextChunk): ReadableStream<Uint8Array> {
  const gzip = createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH });
  let next: NextChunk | undefined = first;
  const write = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve) => void gzip.write(chunk, () => resolve()));
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        gzip.on('data', (data: Uint8Array) => controller.enqueue(data));
        gzip.once('end', () => controller.close());
        gzip.once('error', (error) => controller.error(error));
      },
      async pull() {
        const waiting = chunks.shift();
        if (waiting !== undefined) return write(waiting);
        const { value, done } = await (next ?? reader.read());
        next = undefined;
        if (!done) return write(value);
        gzip.end();
        return undefined;
      },
      cancel(reason) {
        gzip.destroy();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
