import type { Dispatcher } from 'undici';
import { BackgroundAgent } from './background-agent.ts';
import { sendInBackground } from './background-requests.ts';
import { decodedBody, OFFERED_CODINGS } from './content-decoding.ts';
import type { HttpAnswer, HttpRequest, HttpSeam } from './http-seam.ts';
import { usesPlainDispatcher } from './plain-dispatcher.ts';
import { getGlobalDispatcher, request } from './undici-parts.ts';

/** HTTP by undici, through `dispatcher` or else undici's global dispatcher. */
export function undiciSeam(dispatcher?: Dispatcher): HttpSeam {
  let ownAgent: BackgroundAgent | undefined;

  function inBackground(body: HttpRequest['body'], signal: AbortSignal): Dispatcher | undefined {
    if (!usesPlainDispatcher(dispatcher)) {
      if (body instanceof Uint8Array) sendInBackground(body);
      return dispatcher;
    }
    ownAgent ??= new BackgroundAgent();
    signal.addEventListener('abort', () => ownAgent?.dropConnecting(), { once: true });
    return ownAgent.dispatcher;
  }

  return {
    async send({ method, url, headers, body, signal, background }: HttpRequest): Promise<HttpAnswer> {
      const via = background ? inBackground(body, signal) : dispatcher;
      const answer = await request(url, via ?? getGlobalDispatcher(), {
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': OFFERED_CODINGS, ...headers },
        body: body ?? null,
        signal,
        // Our own deadline covers both, with the limit that the caller chose.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // A destroyed body emits an error; nobody but the reader, who gets it anyway, needs to hear of it.
      answer.body.on('error', () => {});
      const header = (name: string): string | undefined => {
        const value = answer.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      };
      return {
        statusCode: answer.statusCode,
        header,
        body: decodedBody(answer.body, header('content-encoding')),
        destroy: () => void answer.body.destroy(),
      };
    },
  };
}
