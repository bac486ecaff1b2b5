import { INCOMPLETE_RESPONSE } from '../../core/wire/incomplete-response.ts';
import { type Connection, connectionLost } from '../environment.ts';

export interface BodyStreamOptions {
  /** Connection that the body is sent over, if there is one. */
  readonly connection: Connection | undefined;
  /** Called when the body is read, canceled or cut off. */
  readonly onEnd?: () => void;
  /** Called if the body is cut off. @returns the reason for the client */
  readonly onFailure?: (error: unknown) => string | undefined;
}

/**
 * A response body whose chunks are created as they are read. If that fails, the last line says why, and the connection is
 * dropped: after the headers, there is no other way to report a failure.
 */
export function bodyStream(
  chunks: AsyncGenerator<Uint8Array>,
  { connection, onEnd, onFailure }: BodyStreamOptions,
): ReadableStream<Uint8Array> {
  let isCut = false;
  const cut = (controller: ReadableStreamDefaultController): void => {
    // The HTTP adapter would print the error of a stream to the console.
    if (connection === undefined) controller.error(connectionLost());
    else connection.drop();
    onEnd?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isCut) return cut(controller);
        try {
          const { value, done } = await chunks.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          const reason = onFailure?.(error);
          if (reason === undefined) return cut(controller);
          controller.enqueue(new TextEncoder().encode(`\n${INCOMPLETE_RESPONSE}${reason}\n`));
          isCut = true;
          return;
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
