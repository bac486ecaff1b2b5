import { setTimeout as wait } from 'node:timers/promises';
import { TextEncoder } from 'node:util';
import { type Connection, connectionLost } from '../connection.ts';

export interface BodyStreamOptions {
  /** Connection that the body is sent over, if there is one. */
  readonly connection: Connection | undefined;
  /** Called when the body is read, canceled or cut off. */
  readonly onEnd?: () => void;
  /** Called if the body is cut off, because clients see no reason. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * A response body whose chunks are created as they are read. If that fails, the connection is dropped: after the
 * headers, there is no other way to report a failure.
 */
export function bodyStream(
  chunks: AsyncGenerator<Uint8Array>,
  { connection, onEnd, onFailure }: BodyStreamOptions,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          onFailure?.(error);
          // The HTTP adapter would print the error of a stream to the console.
          if (connection === undefined) controller.error(connectionLost());
          else connection.outgoing.socket?.destroySoon();
        }
        onEnd?.();
      },
      async cancel() {
        onEnd?.();
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

export function withBody({ status, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  const streamed = new Headers(headers);
  streamed.delete('content-length');
  // Otherwise, the HTTP adapter buffers the body to count its bytes.
  streamed.set('transfer-encoding', 'chunked');
  return new Response(body, { status, headers: streamed });
}

export async function* encoded(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of pieces) if (text !== '') yield encoder.encode(text);
}

/** Interval between chunks of {@link paced}, unless the rate is lower. */
const PACE_MS = 50;

/** Limits the speed of chunks. @throws the reason of `end` if it aborts */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  bytesPerSecond: number,
  end: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.floor((bytesPerSecond * PACE_MS) / 1000));
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += size) {
      const part = chunk.subarray(at, at + size);
      await wait((part.byteLength / bytesPerSecond) * 1000, undefined, { signal: end });
      yield part;
    }
  }
}

/** The first bytes of chunks. @throws Error after them */
export async function* cutAfter(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) throw new Error('The body is cut off on purpose.');
  }
}
