import { type Connection, connectionLost } from './connection.ts';
import { streamedAnswer } from './streamed-answer.ts';

/** The same answer, but the connection breaks off after `bytes` bytes of its body. */
export function cutBody(response: Response, bytes: number, connection: Connection | undefined): Response {
  const reader = response.body?.getReader();
  let left = bytes;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = left > 0 ? await reader?.read() : undefined;
        if (left > 0 && chunk?.value === undefined) {
          controller.close();
          return;
        }
        if (chunk?.value !== undefined) controller.enqueue(chunk.value.subarray(0, left));
        left -= chunk?.value?.byteLength ?? 0;
        if (left > 0) return;
        await reader?.cancel();
        if (connection === undefined) controller.error(connectionLost());
        // What has been written so far still goes out.
        else setImmediate(() => connection.outgoing.socket?.destroySoon());
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return streamedAnswer(response, body);
}
