/** Program of the thread that sends the requests of blocking callers. Our bundles contain it as a string. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { cleanCause } from '../connection-error.ts';
import { type HttpProxy, ProxyError } from '../proxy-error.ts';
import { type ReceivedBody, receiveBody } from '../received-body.ts';
import { nodeHttpAdapter, type Route } from './node-http-adapter.ts';

export interface RequestWorkerData {
  readonly port: MessagePort;
  /** Counts the steps of this thread: its start, and each response. */
  readonly state: Int32Array;
}

/** How to open the connection, as data for another thread. */
interface RelayedRoute extends Pick<Route, 'ca' | 'localServer'> {
  readonly proxy: (Omit<HttpProxy, 'url'> & { readonly url: string }) | undefined;
}

export interface RelayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly route: RelayedRoute;
}

export type RelayedAnswer = RelayedResponse | { readonly timedOut: true } | RelayedFailure;

export interface RelayedResponse extends Pick<ReceivedBody, 'body' | 'isComplete'> {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RelayedFailure {
  readonly failure: string;
  readonly code?: string | undefined;
  readonly isFromProxy: boolean;
  /** Of the proxy's response to `CONNECT`. */
  readonly statusCode?: number | undefined;
}

const { port, state }: RequestWorkerData = workerData;

async function answerTo(request: RelayedRequest): Promise<RelayedAnswer> {
  const { proxy, ...route } = request.route;
  const adapter = nodeHttpAdapter({ ...route, proxy: proxy && { ...proxy, url: new URL(proxy.url) } });
  const signal = AbortSignal.timeout(Math.ceil(request.timeoutMs));
  try {
    const response = await adapter.send({
      ...request,
      url: new URL(request.url),
      signal,
      background: true,
    });
    const { statusCode, headers = {} } = response;
    const { body, isComplete } = await receiveBody(response);
    return { statusCode, headers, body, isComplete };
  } catch (error) {
    if (signal.aborted) return { timedOut: true };
    const { message: failure, code } = cleanCause(error, String);
    const isFromProxy = error instanceof ProxyError;
    return { failure, code, isFromProxy, statusCode: isFromProxy ? error.statusCode : undefined };
  }
}

function step(): void {
  Atomics.add(state, 0, 1);
  Atomics.notify(state, 0);
}

port.on('message', async (request: RelayedRequest) => {
  port.postMessage(await answerTo(request));
  step();
});
step();
