import type { HttpAnswer, HttpRequest, HttpSeam } from './http-seam.ts';

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
  readonly body: ReadableStream<Uint8Array> | null;
}

/** HTTP by a caller's `fetch`. */
export function fetchSeam(fetchLike: FetchLike): HttpSeam {
  return {
    async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
      const answer = await fetchLike(url.href, {
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
        signal,
        redirect: 'manual',
      });
      const reader = answer.body?.getReader();
      return {
        // The standard hides the status of a redirect that is not followed; Node shows it.
        statusCode: answer.type === 'opaqueredirect' && answer.status === 0 ? 302 : answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
        body: readChunks(reader),
        destroy: () => void reader?.cancel().catch(() => {}),
      };
    },
  };
}

async function* readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  if (reader === undefined) return;
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
