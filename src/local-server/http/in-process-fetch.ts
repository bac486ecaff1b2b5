import type { RequestHandler } from './request-handler.ts';

/** The shape of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that asks the server without a socket. It keeps what a caller relies on: an aborted request rejects with
 * the reason of its signal, also while the body of the answer is being read.
 */
export function inProcessFetch(handle: RequestHandler, closed: () => boolean): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    if (closed()) throw new TypeError('fetch failed', { cause: new Error('The local server is closed.') });
    const response = await untilAborted(handle(request), signal);
    return response.body === null ? response : withAbortableBody(response, signal);
  };
}

async function untilAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // The answer that nobody waits for any more must still be told that nobody reads it.
  answer.then(
    (response) => {
      if (signal.aborted) void response.body?.cancel();
    },
    () => {},
  );
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function withAbortableBody(response: Response, signal: AbortSignal): Response {
  const reader = response.body!.getReader();
  let onAbort = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal.reason);
          void reader.cancel(signal.reason);
        };
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        const { value, done } = await reader.read();
        if (signal.aborted) return;
        if (!done) {
          controller.enqueue(value);
          return;
        }
        signal.removeEventListener('abort', onAbort);
        controller.close();
      },
      async cancel(reason) {
        signal.removeEventListener('abort', onAbort);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
