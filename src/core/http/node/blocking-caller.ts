import type { Socket } from 'node:net';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { cutAtWord } from '../../cut-at-word.ts';
import type { FoundServer } from '../../discovery/local-servers.ts';
import {
  Challenge,
  endsSeenByClient,
  PROOF_HEADER,
  PROOF_PATH,
  unprovenError,
} from '../../discovery/server-proof.ts';
import { LogConnectionException, LogTimeoutException } from '../../errors.ts';
import { startRealImmediate } from '../../real-timers.ts';
import { workerFlags } from '../../worker-flags.ts';
import { sourceOf } from '../address-source.ts';
import type { FailedRequest } from '../connection-error.ts';
import { isErrorAnswer, toHttpException } from '../http-error.ts';
import { messageRedactor, secretsOfHeaders } from '../message-redactor.ts';
import { type HttpProxy, ProxyError } from '../proxy-error.ts';
import { userAgent } from '../user-agent.ts';
import { connectionProxy, type ResolvedConnectionOptions } from './connection-options.ts';
import { serverNameOf } from './proxy.ts';
import { requestException } from './request-exception.ts';
import type { WebCallerOptions } from './web-caller.ts';

/**
 * Source of the worker that sends the requests. It is a string, because a bundled program has no other file to start a
 * worker from. Uses only Node's own modules.
 */
const WORKER_TEXT = `
const { workerData: { port, state, proxy, ca } } = require('node:worker_threads');
const http = require('node:http');
const https = require('node:https');
const { isIPv6 } = require('node:net');
const tls = require('node:tls');
const MAX_TEXT = 65536;
const roots = () => tls.getCACertificates?.('default') ?? tls.rootCertificates;
const secureContext = ca && tls.createSecureContext({ ca: [...roots(), ...ca] });
const open = (url, options) => (url.startsWith('https:') ? https : http).request(url, { secureContext, ...options });
const viaProxy = (error) => Object.assign(error, { isFromProxy: true });
class TunnelAgent extends https.Agent {
  createConnection(options, connected) {
    const target = (isIPv6(options.host) ? '[' + options.host + ']' : options.host) + ':' + options.port;
    const headers = { ...proxy.headers, host: target };
    const { serverName: servername } = proxy;
    open(proxy.href, { method: 'CONNECT', path: target, headers, servername, agent: false })
      .on('error', (error) => connected(viaProxy(error)))
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode < 300) return void connected(null, tls.connect({ ...options, socket }));
        socket.destroy();
        connected(viaProxy(Object.assign(new Error('no tunnel'), { statusCode })));
      })
      .end();
  }
}
const agent = proxy && new TunnelAgent({ keepAlive: true });
function start(url, options) {
  if (proxy === undefined) return open(url, options);
  if (url.startsWith('https:')) return open(url, { ...options, agent });
  const headers = { ...options.headers, ...proxy.headers, host: new URL(url).host };
  return open(proxy.href, { ...options, path: url, headers, servername: proxy.serverName })
    .prependListener('error', viaProxy);
}
const ids = new WeakMap();
let count = 0;
function endsOf(socket) {
  if (!ids.has(socket)) ids.set(socket, ++count);
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return { id: ids.get(socket), localAddress, localPort, remoteAddress, remotePort };
}
function call({ method, url, headers: given, body, timeoutMs, socketId }, settle) {
  let done = () => settle({ timedOut: true });
  const timer = setTimeout(() => { done(); request.destroy(); }, timeoutMs);
  const settled = (answer) => { clearTimeout(timer); settle(answer); };
  const failed = (error) => settled({
    failure: error.message,
    code: error.errors?.[0]?.code ?? error.code,
    isFromProxy: error.isFromProxy,
    statusCode: error.statusCode,
  });
  const length = body && { 'content-length': body.byteLength };
  const fields = { ...given, ...length };
  const options = { method, headers: socketId === undefined ? fields : {} };
  const request = start(url, options).on('response', (answer) => {
    const { statusCode, headers, socket } = answer;
    const ends = endsOf(socket);
    let text = '';
    done = (isComplete = false) => settled({ statusCode, headers, text, isComplete, ends });
    answer.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.length < MAX_TEXT) return;
      done();
      answer.destroy();
    });
    answer.on('end', () => done(answer.complete)).on('error', () => done());
  });
  request.on('upgrade', ({ statusCode, headers }, socket) => {
    socket.destroy();
    settled({ statusCode, headers, text: '', isComplete: true });
  });
  request.on('error', failed);
  if (socketId === undefined) return void request.end(body);
  request.once('socket', (socket) => {
    if (ids.get(socket) !== socketId) {
      return void request.destroy(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }));
    }
    for (const [name, value] of Object.entries(fields)) request.setHeader(name, value);
    request.end(body);
  });
}
const step = () => { Atomics.add(state, 0, 1); Atomics.notify(state, 0); };
port.on('message', (request) => {
  let isSettled = false;
  call(request, (answer) => {
    if (isSettled) return;
    isSettled = true;
    port.postMessage(answer);
    step();
  });
});
step();
`;

type RelayedAnswer = RelayedResponse | { readonly timedOut: true } | RelayedFailure;

interface RelayedResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly text: string;
  readonly isComplete: boolean;
  readonly ends?: SocketEnds;
}

/** The connection of a response. */
interface SocketEnds extends Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'> {
  readonly id: number;
}

interface RelayedFailure {
  readonly failure: string;
  readonly code?: string;
  readonly isFromProxy?: true;
  /** Of the proxy's response to `CONNECT`. */
  readonly statusCode?: number;
}

export interface BlockingCallerOptions extends Pick<WebCallerOptions, 'secrets' | 'redactText' | 'followed'> {
  /** Maximum time for the worker to start, in milliseconds. */
  readonly startTimeoutMs: number;
}

export interface BlockingCall {
  readonly body?: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

interface WorkerCall extends BlockingCall {
  /** The connection to use. The call fails if it is closed. */
  readonly socketId?: number | undefined;
}

export interface BlockingResponse {
  /** Up to 64 KiB. */
  readonly body: string;
  /** False if the connection dropped, the time was up, or the body is longer or compressed. */
  readonly isComplete: boolean;
}

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
    proxy: HttpProxy | undefined,
    ca: readonly string[] | undefined,
    startTimeoutMs: number,
  ): RequestWorker {
    const { url, headers } = proxy ?? {};
    const settings = { proxy: url && { href: url.href, headers, serverName: serverNameOf(url) }, ca };
    const key = JSON.stringify(settings);
    const worker = RequestWorker.#all.get(key) ?? new RequestWorker(key, settings);
    if (!worker.#waitForStep(0, startTimeoutMs)) throw new Error('the worker did not start');
    worker.#users++;
    return worker;
  }

  private constructor(key: string, settings: object) {
    this.#key = key;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(WORKER_TEXT, {
      eval: true,
      name: 'logclient exit',
      workerData: { ...settings, port: port2, state: this.#state },
      transferList: [port2],
      execArgv: workerFlags(),
    });
    RequestWorker.#all.set(key, this);
  }

  ask(request: WorkerCall & { readonly method: string; readonly url: string }): RelayedAnswer {
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

  /** @throws Error when the worker does not start */
  constructor(connection: ResolvedConnectionOptions, options: BlockingCallerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#proxy = options.followed === undefined ? connectionProxy('BlockingCaller', connection) : undefined;
    this.#worker = RequestWorker.open(this.#proxy, connection.ca, options.startTimeoutMs);
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
    return followed.sendSync((server, credentials) => {
      const socketId = this.#prove(server, call.timeoutMs);
      return this.#call(method, endpoint, {
        ...call,
        socketId,
        headers: { ...call.headers, ...credentials },
      });
    });
  }

  /** @returns the ID of the connection on which the server has proven its identity. */
  #prove(server: FoundServer, timeoutMs: number): number {
    const challenge = new Challenge(server.secret);
    const request = {
      method: 'GET',
      path: PROOF_PATH,
      host: this.#connection.baseUrl.host,
      source: sourceOf(this.#connection.baseUrl),
      redactor: messageRedactor([]),
      proxy: undefined,
      acceptsCa: false,
    };
    const url = new URL(PROOF_PATH, server.url);
    const { ends, headers } = this.#ask(request, url, { headers: challenge.headers, timeoutMs });
    const proof = headers[PROOF_HEADER];
    if (ends !== undefined && challenge.isMetBy(proof, endsSeenByClient(ends))) return ends.id;
    throw requestException(unprovenError(server), request);
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
    const request = { method, path, host, source, redactor, proxy, acceptsCa: true };
    const headers = { accept: 'application/json', ...own, ...call.headers };
    const answer = this.#ask(request, url, { ...call, headers });
    const head = {
      statusCode: answer.statusCode,
      header: (name: string) => answer.headers[name]?.toString(),
    };
    if (isErrorAnswer(head)) {
      const { text, isComplete } = answer;
      throw toHttpException(head, isComplete ? text : cutAtWord(text, text.length - 1), request);
    }
    // The worker does not decompress bodies, and asks for none that are compressed.
    const isPlain = /^(identity)?$/i.test(head.header('content-encoding') ?? '');
    return { body: answer.text, isComplete: answer.isComplete && isPlain };
  }

  /** @throws an exception that names the request, if there is no response */
  #ask(request: FailedRequest, url: URL, call: WorkerCall): RelayedResponse {
    const { method, path, proxy } = request;
    const answer = this.#worker.ask({ ...call, method, url: url.href });
    if ('text' in answer) return answer;
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
