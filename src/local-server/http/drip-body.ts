import { type Connection, connectionLost } from './connection.ts';
import { paced } from './paced.ts';
import { streamedAnswer } from './streamed-answer.ts';

/** The same answer, but its body comes no faster than the rate; the connection breaks off when `end` aborts. */
export function dripBody(
  response: Response,
  bytesPerSecond: number,
  connection: Connection | undefined,
  end: AbortSignal,
): Response {
  if (response.body === null) return response;
  const drops = paced(response.body as unknown as AsyncIterable<Uint8Array>, bytesPerSecond, end);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await drops.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch {
          if (connection === undefined) controller.error(connectionLost());
          // An error of the stream would be written to stderr by the HTTP adapter.
          else connection.outgoing.socket?.resetAndDestroy();
        }
      },
      async cancel() {
        await drops.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return streamedAnswer(response, body);
}
