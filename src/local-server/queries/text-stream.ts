import { type Connection, connectionLost } from '../http/connection.ts';

export interface TextStreamOptions {
  /** Where the text goes, when it goes over a socket. */
  readonly connection: Connection | undefined;
  /** Called once when nobody reads any more, or all is read. */
  readonly onEnd: () => void;
  /** Told why the answer breaks off; the client only sees that it does. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The body of an answer from pieces of text. A piece is made when the reader is ready for it, so that a slow reader
 * slows the maker down. When the making fails, the connection breaks off: after status 200 there is no other way.
 */
export function textStream(
  pieces: AsyncGenerator<string>,
  { connection, onEnd, onFailure }: TextStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const text = await nextText(pieces);
          if (text !== undefined) {
            controller.enqueue(encoder.encode(text));
            return;
          }
          controller.close();
        } catch (error) {
          onFailure(error);
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

/** The next piece that is not empty; `undefined` after the last. */
async function nextText(pieces: AsyncGenerator<string>): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await pieces.next();
    if (done === true) return undefined;
    if (value !== '') return value;
  }
}
