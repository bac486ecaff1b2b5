import type { Readable } from 'node:stream';
import type { HttpAdapter, HttpRequest, HttpResponse } from './http-adapter.ts';

/** What this package needs of a `fetch`: the global one fits, and so does a local server's in-process one. */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<FetchAnswer>;

export interface FetchAnswer {
  readonly status: number;
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  /** A stream of the web, or of Node, as some packages have it. */
  readonly body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;
}

/** HTTP by a caller's `fetch`. */
export function fetchAdapter(fetchLike: FetchLike): HttpAdapter {
  return {
    async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
      const answer = requireAnswer(
        await fetchLike(url.href, {
          method,
          headers: { ...headers },
          ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
          signal,
          redirect: 'manual',
        }),
      );
      return {
        ...openBody(answer.body),
        // The standard hides the status of a redirect that is not followed; Node shows it.
        statusCode: answer.type === 'opaqueredirect' && answer.status === 0 ? 302 : answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
      };
    },
  };
}

/** What a function resolves to that is only meant to be a `fetch` must not pass for a success. */
function requireAnswer(answer: FetchAnswer | undefined): FetchAnswer {
  if (Number.isInteger(answer?.status) && typeof answer?.headers?.get === 'function') return answer;
  throw new TypeError('what "fetch" resolved to is no response, which has "status", "headers" and "body"');
}

function openBody(body: FetchAnswer['body'] | undefined): Pick<HttpResponse, 'body' | 'destroy'> {
  if (body === null || body === undefined) return { body: noChunks(), destroy: () => {} };
  if ('getReader' in body) {
    const reader = body.getReader();
    return { body: readChunks(reader), destroy: () => void reader.cancel().catch(() => {}) };
  }
  return { body, destroy: () => (body as Partial<Readable>).destroy?.() };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

async function* readChunks(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
