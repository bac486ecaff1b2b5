import { abortable } from '../../core/abortable.ts';
import { forwardAbort } from '../../core/forward-abort.ts';
import { connectionLost, type RequestHandler } from '../environment.ts';

/** Type of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` without a socket. Like the global one, an aborted request rejects with the reason of its signal, even while
 * its body is being read.
 *
 * @param closing aborts when the server closes
 * @param cutOf returns a signal that aborts when connections are dropped; `undefined` while the port is closed
 */
export function inProcessFetch(
  handle: RequestHandler,
  closing: AbortSignal,
  cutOf: () => AbortSignal | undefined,
): Fetch {
  return async (input, init) => {
    const outer = new Request(input, init);
    outer.signal.throwIfAborted();
    if (closing.aborted)
      throw new TypeError('fetch failed', { cause: new Error('The local server is closed.') });
    const connection = cutOf();
    if (connection === undefined) throw connectionLost('connect', 'ECONNREFUSED');
    const end = new AbortController();
    const { signal } = end;
    const releases = [forwardAbort(outer.signal, end), forwardAbort(connection, end)];
    const release = (): void => {
      for (const each of releases) each();
    };
    try {
      const response = await untilAborted(handle(new Request(outer, { signal })), signal);
      if (response.body !== null) return withAbortableBody(response, signal, release);
      release();
      return response;
    } catch (error) {
      release();
      throw error;
    }
  };
}

function untilAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  // Cancels the response that no caller will read.
  answer.then(
    (response) => {
      if (signal.aborted) void response.body?.cancel();
    },
    () => {},
  );
  return abortable(answer, signal);
}

/** The same response, whose body fails with the reason of the signal. */
function withAbortableBody(response: Response, signal: AbortSignal, onEnd: () => void): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const copying = response.body!.pipeTo(writable, { signal });
  copying.catch(() => {}).finally(onEnd);
  return new Response(readable, response);
}
