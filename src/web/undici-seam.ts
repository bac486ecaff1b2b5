import type { Dispatcher } from 'undici';
import { BackgroundAgent } from './background-agent.ts';
import { sendInBackground } from './background-requests.ts';
import { decodedBody, OFFERED_CODINGS } from './content-decoding.ts';
import { DispatchedAnswer } from './dispatched-answer.ts';
import type { HttpAnswer, HttpRequest, HttpSeam } from './http-seam.ts';
import { usesPlainDispatcher } from './plain-dispatcher.ts';
import { getGlobalDispatcher } from './undici-parts.ts';

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
      const options: Dispatcher.DispatchOptions = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': OFFERED_CODINGS, ...headers },
        body: body ?? null,
        // Our own deadline covers both, with the limit that the caller chose.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const answer = await DispatchedAnswer.to(via ?? getGlobalDispatcher(), options, signal);
      return {
        statusCode: answer.statusCode,
        header: (name) => answer.header(name),
        body: decodedBody(answer, answer.header('content-encoding')),
        destroy: () => answer.destroy(),
      };
    },
  };
}
