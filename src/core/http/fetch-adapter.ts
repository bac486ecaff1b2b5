import type { HttpAdapter, HttpRequest, HttpResponse } from './http-adapter.ts';

/** `Uint8Array<ArrayBuffer>`, which TypeScript has since 5.7. */
type ArrayBufferBytes = Uint8Array & { readonly buffer: ArrayBuffer };

/**
 * The subset of `fetch` that this package uses. The global `fetch` and the in-process `fetch` of a local server are
 * compatible.
 */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | ArrayBufferBytes | undefined;
    signal: AbortSignal;
    redirect: 'manual';
    keepalive?: boolean | undefined;
  },
) => Promise<FetchResponse>;

export interface FetchResponse {
  readonly status: number;
  readonly type?: string | undefined;
  readonly headers: { get(name: string): string | null };
  /** Web stream, or a Node.js stream as in some packages. */
  readonly body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;
}

/** HTTP by `fetch`, which decompresses bodies itself. */
export function fetchAdapter(fetchLike: FetchLike): HttpAdapter {
  return {
    async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
      const response = requireResponse(
        await fetchLike(url.href, {
          method,
          headers: { ...headers },
          ...(body === undefined ? {} : { body: body as string | ArrayBufferBytes }),
          signal,
          redirect: 'manual',
          // A page that is being closed deletes its query jobs.
          ...(method === 'DELETE' && { keepalive: true }),
        }),
      );
      return {
        ...openBody(response.body),
        // The standard hides the status of a redirect that is not followed; Node shows it.
        statusCode: response.type === 'opaqueredirect' && response.status === 0 ? 302 : response.status,
        header: (name) => response.headers.get(name) ?? undefined,
      };
    },
  };
}

/** Otherwise, the result of a function that is not a `fetch` could count as a success. */
function requireResponse(response: FetchResponse | undefined): FetchResponse {
  if (Number.isInteger(response?.status) && typeof response?.headers?.get === 'function') return response;
  throw new TypeError('"fetch" must resolve to a response with "status", "headers" and "body"');
}

function openBody(body: FetchResponse['body'] | undefined): Pick<HttpResponse, 'body' | 'destroy'> {
  if (body === null || body === undefined) return { body: noChunks(), destroy: () => {} };
  if ('getReader' in body) {
    const reader = body.getReader();
    return { body: readChunks(reader), destroy: () => void reader.cancel().catch(() => {}) };
  }
  return { body, destroy: () => (body as { destroy?(): void }).destroy?.() };
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
