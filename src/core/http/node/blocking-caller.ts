import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { cutAtWord } from '../../cut-at-word.ts';
import type { FoundServer } from '../../discovery/local-servers.ts';
import { LogConnectionException, LogTimeoutException } from '../../errors.ts';
import { startRealImmediate } from '../../real-timers.ts';
import { workerFlags } from '../../worker-flags.ts';
import { sourceOf } from '../address-source.ts';
import type { FailedRequest } from '../connection-error.ts';
import { isErrorAnswer, toHttpException } from '../http-error.ts';
import { messageRedactor, secretsOfHeaders } from '../message-redactor.ts';
import { type HttpProxy, ProxyError } from '../proxy-error.ts';
import type { ReceivedBody } from '../received-body.ts';
import { userAgent } from '../user-agent.ts';
import { connectionProxy, type ResolvedConnectionOptions } from './connection-options.ts';
import { requestException } from './request-exception.ts';
import type { RelayedAnswer, RelayedFailure, RelayedRequest, RequestWorkerData } from './request-worker.ts';
import type { WebCallerOptions } from './web-caller.ts';

export interface BlockingCallerOptions extends Pick<WebCallerOptions, 'secrets' | 'redactText' | 'followed'> {
  /** Maximum time for the worker to start, in milliseconds. */
  readonly startTimeoutMs: number;
}

export interface BlockingCall {
  readonly body?: Uint8Array | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type BlockingResponse = Pick<ReceivedBody, 'body' | 'isComplete'>;

/** Time to pass a response from the worker to this thread. */
const HAND_OVER_MS = 250;

/** The thread that sends the requests of all callers, because it takes longer to start than most requests. */
class RequestWorker {
  static #shared: RequestWorker | undefined;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  /** Counts the worker's steps: its start, and each response. */
  readonly #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #users = 0;
  #hasEnded = false;

  /** @throws Error when the worker does not start */
  static open(program: string, startTimeoutMs: number): RequestWorker {
    RequestWorker.#shared ??= new RequestWorker(program);
    const worker = RequestWorker.#shared;
    if (!worker.#waitForStep(0, startTimeoutMs)) throw new Error('the worker did not start');
    worker.#users++;
    return worker;
  }

  private constructor(program: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: RequestWorkerData = { port: port2, state: this.#state };
    this.#worker = new Worker(program, {
      eval: true,
      name: 'logclient exit',
      workerData,
      transferList: [port2],
      execArgv: workerFlags(),
    });
  }

  ask(request: RelayedRequest): RelayedAnswer {
    const before = Atomics.load(this.#state, 0);
    if (!this.#hasEnded) this.#port.postMessage(request);
    if (!this.#hasEnded && this.#waitForStep(before, request.timeoutMs + HAND_OVER_MS))
      return receiveMessageOnPort(this.#port)!.message;
    this.#end(); // A late response would be mistaken for that of the next request.
    throw new LogConnectionException('The worker thread that sends the requests is not responding.');
  }

  /** The next turn of the event loop, which does not come at exit, ends a worker without users. */
  release(): void {
    this.#users--;
    startRealImmediate(() => {
      if (this.#users === 0) this.#end();
    });
  }

  #end(): void {
    if (!this.#hasEnded) RequestWorker.#shared = undefined;
    this.#hasEnded = true;
    this.#port.close();
    void this.#worker.terminate();
  }

  #waitForStep(before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.#state, 0, before, timeoutMs) !== 'timed-out';
  }
}

/** Sends requests and blocks until they are done: for `exit` listeners, which can't wait for promises. */
export class BlockingCaller {
  readonly #connection: ResolvedConnectionOptions;
  readonly #options: BlockingCallerOptions;
  readonly #proxy: HttpProxy | undefined;
  readonly #worker: RequestWorker;

  /** @param program of the worker: `request-worker.ts`, bundled. @throws Error when the worker does not start */
  constructor(connection: ResolvedConnectionOptions, options: BlockingCallerOptions, program: string) {
    this.#connection = connection;
    this.#options = options;
    this.#proxy = options.followed === undefined ? connectionProxy('BlockingCaller', connection) : undefined;
    this.#worker = RequestWorker.open(program, options.startTimeoutMs);
  }

  /**
   * Sends a request and waits for a successful response.
   *
   * @param endpoint path below `baseUrl`.
   * @throws LogHTTPException for every unsuccessful response; redirects are not followed
   * @throws LogConnectionException
   * @throws LogTimeoutException
   */
  call(method: 'GET' | 'POST', endpoint: string, call: BlockingCall): BlockingResponse {
    const { followed } = this.#options;
    if (followed === undefined) return this.#call(method, endpoint, call);
    return followed.sendSync((localServer, credentials) =>
      this.#call(method, endpoint, { ...call, headers: { ...call.headers, ...credentials } }, localServer),
    );
  }

  #call(method: string, endpoint: string, call: BlockingCall, localServer?: FoundServer): BlockingResponse {
    const { baseUrl, clientName, ca } = this.#connection;
    const { secrets = [], redactText } = this.#options;
    const proxy = this.#proxy;
    const url = new URL(baseUrl.href + endpoint);
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent(clientName),
      ...this.#connection.headers,
      ...call.headers,
    };
    const redactor = messageRedactor(
      [...secrets, ...secretsOfHeaders({ ...headers, ...proxy?.headers })],
      redactText,
    );
    const request = {
      method,
      path: redactor(url.pathname),
      host: url.host,
      source: sourceOf(baseUrl),
      redactor,
      proxy,
      acceptsCa: localServer === undefined,
    };
    const route = { localServer, ca, proxy: proxy && { ...proxy, url: proxy.url.href } };
    const { body, timeoutMs } = call;
    const relayed = { method, url: url.href, headers, body, timeoutMs, route };
    return responseOf(this.#worker.ask(relayed), request, timeoutMs);
  }

  close(): void {
    this.#worker.release();
  }
}

/** @throws the exception, unless the response is a success */
function responseOf(answer: RelayedAnswer, request: FailedRequest, timeoutMs: number): BlockingResponse {
  if ('failure' in answer) throw requestException(toError(answer, request.proxy), request);
  if ('timedOut' in answer) {
    const { method, path } = request;
    throw new LogTimeoutException(`${method} ${path} took longer than ${timeoutMs} ms.`, timeoutMs);
  }
  const { statusCode, headers, body, isComplete } = answer;
  const head = { statusCode, header: (name: string) => headers[name]?.toString() };
  if (!isErrorAnswer(head)) return { body, isComplete };
  const text = isComplete ? body : cutAtWord(body, Math.max(0, body.length - 1));
  throw toHttpException(head, text, request);
}

function toError(
  { failure, code, isFromProxy, statusCode }: RelayedFailure,
  proxy: HttpProxy | undefined,
): Error {
  const cause = Object.assign(new Error(failure), code && { code });
  return isFromProxy && proxy !== undefined ? new ProxyError(proxy, { statusCode, cause }) : cause;
}
