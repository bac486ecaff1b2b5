import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Fault, FaultScript } from '../faults.ts';
import { type Connection, connectionLost, connectionOf } from './connection.ts';
import { cutBody } from './cut-body.ts';
import type { RequestLog } from './request-log.ts';

/** Answers a request; `environment` has its connection when it came over a socket. */
export type RequestHandler = (request: Request, environment?: object) => Promise<Response>;

export interface RequestHandlerOptions {
  /** What answers when nothing goes wrong on purpose. */
  readonly app: (request: Request, environment?: object) => Response | Promise<Response>;
  readonly faults: FaultScript;
  readonly requests: RequestLog;
  readonly closing: AbortSignal;
}

/** Stands in front of the routes: keeps the log of requests, and plays the faults that tests have scripted. */
export function requestHandler({ app, faults, requests, closing }: RequestHandlerOptions): RequestHandler {
  return async (request, environment) => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const fault = faults.take(method, path);
    const connection = connectionOf(environment);
    const answer = (): Promise<Response> => Promise.resolve(app(request, environment));
    let status = 0;
    try {
      const response =
        fault === undefined ? await answer() : await play(fault, { answer, connection, closing, request });
      if (response !== RESPONSE_ALREADY_SENT) status = response.status;
      return response;
    } finally {
      requests.add({ method, path, status });
    }
  };
}

interface Scene {
  readonly answer: () => Promise<Response>;
  readonly connection: Connection | undefined;
  readonly closing: AbortSignal;
  readonly request: Request;
}

async function play(fault: Fault, scene: Scene): Promise<Response> {
  const { connection, closing } = scene;
  if (fault.delayMs !== undefined) {
    await wait(fault.delayMs, undefined, { ref: false, signal: closing }).catch(() => {});
  }
  if (fault.hang === true) await forever(scene);
  if (fault.hang === true || fault.reset === 'before') return cut(connection);
  if (fault.status !== undefined) return scriptedAnswer(fault, fault.status);
  const response = await scene.answer();
  if (fault.reset === 'afterStore') {
    await response.body?.cancel();
    return cut(connection);
  }
  if (fault.notDone === true) return asNotDone(response);
  return fault.cutAfterBytes === undefined ? response : cutBody(response, fault.cutAfterBytes, connection);
}

function cut(connection: Connection | undefined): Response {
  if (connection === undefined) throw connectionLost();
  connection.outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Until the client has gone or the server closes. */
function forever({ connection, closing, request }: Scene): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    if (closing.aborted) end();
    closing.addEventListener('abort', end, { once: true });
    if (connection === undefined) request.signal.addEventListener('abort', end, { once: true });
    else connection.outgoing.once('close', end);
  });
}

function scriptedAnswer({ body, retryAfter, headers = {} }: Fault, status: number): Response {
  const text = body ?? `This answer is scripted: status ${status}.`;
  return new Response(status === 204 || status === 304 ? null : text, {
    status,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  });
}

async function asNotDone(response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== 'application/json') return response;
  const body = (await response.json()) as { metaData?: object };
  if (body.metaData === undefined) return Response.json(body, { status: response.status });
  const metaData = { ...body.metaData, eventCount: 0, resultBufferSize: 0, pollAfter: 20 };
  return Response.json({ ...body, done: false, events: [], metaData });
}
