/** Program of the thread that sends the requests of blocking callers. Our bundles contain it as a string. */
import { type MessagePort, workerData } from 'node:worker_threads';
import type { FoundServer } from '../../discovery/local-servers.ts';
import { cleanCause } from '../connection-error.ts';
import { type HttpProxy, ProxyError } from '../proxy-error.ts';
import { type ReceivedBody, receiveBody } from '../received-body.ts';
import { nodeHttpAdapter } from './node-http-adapter.ts';

export interface RequestWorkerData {
  readonly port: MessagePort;
  /** Counts the steps of this thread: its start, and each response. */
  readonly state: Int32Array;
  readonly proxy: (Omit<HttpProxy, 'url'> & { readonly url: string }) | undefined;
  readonly ca: readonly string[] | undefined;
}

export interface RelayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** The discovered local server that must prove its identity first. */
  readonly localServer?: FoundServer | undefined;
}

export type RelayedAnswer = RelayedResponse | { readonly timedOut: true } | RelayedFailure;

export interface RelayedResponse extends ReceivedBody {
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

const { port, state, proxy, ca }: RequestWorkerData = workerData;
const route = { proxy: proxy && { ...proxy, url: new URL(proxy.url) }, ca };

async function answerTo(request: RelayedRequest): Promise<RelayedAnswer> {
  const { method, headers, body, localServer } = request;
  const signal = AbortSignal.timeout(Math.ceil(request.timeoutMs));
  const sent = { method, url: new URL(request.url), headers, body, signal, background: true };
  try {
    const response = await nodeHttpAdapter(localServer ? { localServer } : route).send(sent);
    const received = await receiveBody(response);
    return { statusCode: response.statusCode, headers: response.headers, ...received };
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
