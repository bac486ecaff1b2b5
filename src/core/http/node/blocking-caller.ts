import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { cutAtWord } from '../../cut-at-word.ts';
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
import type {
  RelayedAnswer,
  RelayedFailure,
  RelayedRequest,
  RelayedResponse,
  RequestWorkerData,
} from './request-worker.ts';
import type { WebCallerOptions } from './web-caller.ts';

export interface BlockingCallerOptions extends Pick<WebCallerOptions, 'secrets' | 'redactText' | 'followed'> {
  /** Maximum time for the worker to start, in milliseconds. */
  readonly startTimeoutMs: number;
}

export interface BlockingCall {
  readonly body?: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

type WorkerCall = Omit<RelayedRequest, 'method' | 'url'>;

export type BlockingResponse = Pick<ReceivedBody, 'body' | 'isComplete'>;

/** Time to pass a response from the worker to this thread. */
const HAND_OVER_MS = 250;

/** Sends the requests of all callers with the same settings, because a worker takes longer to start than most requests. */
class RequestWorker {
  static readonly #all = new Map<string, RequestWorker>();
  readonly #key: string;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  /** Counts the worker's steps: its start, and each response. */
  readonly #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #users = 0;
  #hasEnded = false;

  /** @throws Error when the worker does not start */
  static open(
    program: string,
    settings: Pick<RequestWorkerData, 'proxy' | 'ca'>,
    startTimeoutMs: number,
  ): RequestWorker {
    const key = JSON.stringify(settings);
    const worker = RequestWorker.#all.get(key) ?? new RequestWorker(program, settings, key);
    if (!worker.#waitForStep(0, startTimeoutMs)) throw new Error('the worker did not start');
    worker.#users++;
    return worker;
  }

  private constructor(program: string, settings: object, key: string) {
    this.#key = key;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(program, {
      eval: true,
      name: 'logclient exit',
      workerData: { ...settings, port: port2, state: this.#state },
      transferList: [port2],
      execArgv: workerFlags(),
    });
    RequestWorker.#all.set(key, this);
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
    if (!this.#hasEnded) RequestWorker.#all.delete(this.#key);
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
    const proxy = options.followed === undefined ? connectionProxy('BlockingCaller', connection) : undefined;
    this.#proxy = proxy;
    const settings = { proxy: proxy && { ...proxy, url: proxy.url.href }, ca: connection.ca };
    this.#worker = RequestWorker.open(program, settings, options.startTimeoutMs);
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
      this.#call(method, endpoint, { ...call, localServer, headers: { ...call.headers, ...credentials } }),
    );
  }

  #call(method: 'GET' | 'POST', endpoint: string, call: WorkerCall): BlockingResponse {
    const { baseUrl, clientName } = this.#connection;
    const { secrets = [], redactText } = this.#options;
    const proxy = this.#proxy;
    const own = { 'user-agent': userAgent(clientName), ...this.#connection.headers };
    const url = new URL(baseUrl.href + endpoint);
    const redactor = messageRedactor(
      [...secrets, ...secretsOfHeaders({ ...own, ...call.headers, ...proxy?.headers })],
      redactText,
    );
    const path = redactor(url.pathname);
    const [host, source] = [url.host, sourceOf(baseUrl)];
    const acceptsCa = call.localServer === undefined;
    const request = { method, path, host, source, redactor, proxy, acceptsCa };
    const headers = { accept: 'application/json', ...own, ...call.headers };
    const { statusCode, headers: fields, body, isComplete } = this.#ask(request, url, { ...call, headers });
    const head = { statusCode, header: (name: string) => fields[name]?.toString() };
    if (!isErrorAnswer(head)) return { body, isComplete };
    const text = isComplete ? body : cutAtWord(body, Math.max(0, body.length - 1));
    throw toHttpException(head, text, request);
  }

  /** @throws an exception that names the request, if there is no response */
  #ask(request: FailedRequest, url: URL, call: WorkerCall): RelayedResponse {
    const { method, path, proxy } = request;
    const answer = this.#worker.ask({ ...call, method, url: url.href });
    if ('body' in answer) return answer;
    if ('failure' in answer) throw requestException(toError(answer, proxy), request);
    const { timeoutMs } = call;
    throw new LogTimeoutException(`${method} ${path} took longer than ${timeoutMs} ms.`, timeoutMs);
  }

  close(): void {
    this.#worker.release();
  }
}

function toError(
  { failure, code, isFromProxy, statusCode }: RelayedFailure,
  proxy: HttpProxy | undefined,
): Error {
  const cause = Object.assign(new Error(failure), code && { code });
  return isFromProxy && proxy !== undefined ? new ProxyError(proxy, { statusCode, cause }) : cause;
}
