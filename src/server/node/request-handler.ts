import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Environment, type RequestHandler, requestEnd } from '../environment.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultScript } from '../faults/fault-script.ts';
import { type BodyScript, watchedBody } from '../http/body-script.ts';
import type { RequestLog } from '../http/request-log.ts';
import { compressed } from './compressed.ts';
import { playFault } from './play-fault.ts';
import { paced } from './slow-body.ts';
import { zlibDecompression } from './zlib-decompression.ts';

export interface RequestHandlerOptions {
  readonly app: (request: Request, environment: Environment) => Response | Promise<Response>;
  readonly faults: FaultScript;
  readonly requests: RequestLog;
  readonly closing: AbortSignal;
}

/** Wraps the routes: logs requests, and applies the faults that tests have added. */
export function requestHandler({ app, faults, requests, closing }: RequestHandlerOptions): RequestHandler {
  return async (request, connection) => {
    if (closing.aborted) return new Response('The server is closing.', { status: 503 });
    const { method } = request;
    const start = performance.now();
    const path = new URL(request.url).pathname;
    const facts = { method, path, headers: request.headers };
    const fault = faults.take(facts);
    const ask = async (bodyScript: BodyScript): Promise<Response> =>
      app(request, { connection, bodyScript, decompression: zlibDecompression });
    let status = 0;
    try {
      let response: Response;
      if (fault === undefined) {
        response = await ask(watchedBody(faults, facts));
      } else {
        const end = requestEnd(request, connection, closing).signal;
        const answer = (): Promise<Response> => ask(throttledBody(fault, end));
        response = await playFault(fault, { request, connection, closing, end, answer });
      }
      if (response === RESPONSE_ALREADY_SENT) return response;
      status = response.status;
      return await compressed(request, response, connection);
    } finally {
      requests.add({ method, path, status }, performance.now() - start);
    }
  };
}

/** For a request that already has a fault, which may limit the speed of its body. */
function throttledBody({ uploadBytesPerSecond }: Fault, end: AbortSignal): BodyScript {
  if (uploadBytesPerSecond === undefined) return {};
  return { incoming: (chunks) => paced(chunks, uploadBytesPerSecond, end) };
}
