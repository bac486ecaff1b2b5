import { type Connection, connectionLost } from '../http/connection.ts';

export interface TextStreamOptions {
  /** Where the text goes, when it goes over a socket. */
  readonly connection: Connection | undefined;
  /** Called once when nobody reads any more, or all is read. */
  readonly onEnd: () => void;
}

/**
 * The body of an answer from pieces of text. A piece is made when the reader is ready for it, so that a slow reader
 * slows the maker down. When the making fails, the connection breaks off: after status 200 there is no other way.
 */
export function textStream(
  pieces: AsyncGenerator<string>,
  { connection, onEnd }: TextStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await pieces.next();
          if (done !== true) {
            controller.enqueue(encoder.encode(value));
            return;
          }
          controller.close();
        } catch {
          // An errored stream would make the HTTP adapter print to the console of whoever runs the server.
          if (connection === undefined) controller.error(connectionLost());
          else connection.outgoing.socket?.destroySoon();
        }
        onEnd();
      },
      async cancel() {
        onEnd();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
