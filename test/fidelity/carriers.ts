import { type ClientRequest, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import nock from 'nock';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher, fetch as undiciFetch } from 'undici';
import { onTestFinished } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import type { FetchLike } from '../../src/core/http/fetch-adapter.ts';
import { entriesOf, type Reply, type Script, type SentRequest, type Turn } from './service-script.ts';

/**
 * What a carrier can simulate:
 * - `pieces`: a body that arrives in several chunks, whose end can be delayed
 * - `cuts`: a truncated body
 * - `wire`: the headers that the HTTP library adds
 * - `codings`: every compression of HTTP
 */
export type Capability = 'pieces' | 'cuts' | 'wire' | 'codings';

export interface ScriptedService {
  /** The client options for the service. */
  readonly connection: { readonly baseUrl: string; fetch?: FetchLike };
  /** All requests so far. */
  readonly requests: readonly SentRequest[];
}

/** A transport between the client and a scripted service. */
export interface Carrier {
  readonly name: string;
  readonly can: readonly Capability[];
  start(script: Script): Promise<ScriptedService>;
}

export const CARRIERS: readonly Carrier[] = [
  { name: 'HTTP on loopback', can: ['pieces', 'cuts', 'wire', 'codings'], start: startLoopback },
  // A mock responds with one complete piece.
  { name: "fetch with undici's MockAgent", can: ['codings'], start: startMockAgent },
  { name: 'fetch on loopback', can: ['pieces', 'cuts', 'wire', 'codings'], start: startFetchOnLoopback },
  { name: 'nock', can: ['pieces', 'cuts', 'codings'], start: startNock },
];

export const TOKEN = 'hV7sQ2xLm9RtYb4WcE8nKd3Z~aPq6JfU1oGz5HiS0vXtBwN7yMrCkLe2DjA9uF4gTs8Qh';

/** A client for the repository `sandbox` of a scripted service. */
export async function connect(
  carrier: Carrier,
  script: Script,
  options: { prefix?: string; repository?: string; timeoutMs?: number; maxRetries?: number } = {},
): Promise<{ client: LogClient; service: ScriptedService; calls: () => string[] }> {
  const service = await carrier.start(script);
  const { prefix = '', ...rest } = options;
  const baseUrl = service.connection.baseUrl + prefix;
  const client = new LogClient({
    repository: 'sandbox',
    userToken: TOKEN,
    ...service.connection,
    ...rest,
    baseUrl,
  });
  const count = (verb: string): number => service.requests.filter(({ method }) => method === verb).length;
  onTestFinished(async () => {
    // Jobs are deleted in the background, which must not go on in the next test.
    for (let turn = 0; turn < 300 && count('DELETE') < count('POST'); turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  return { client, service, calls: () => service.requests.map(({ method, path }) => `${method} ${path}`) };
}

// HTTP on loopback

async function startLoopback(script: Script): Promise<ScriptedService> {
  const turns = new Map(
    entriesOf(script).map(({ method, path, turns: own }) => [`${method} ${path}`, [...own]]),
  );
  const requests: SentRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const [path = ''] = (incoming.url ?? '').split('?', 1);
    const method = incoming.method ?? '';
    const headers = incoming.headers as SentRequest['headers'];
    requests.push({ method, path, headers, body: Buffer.concat(chunks) });
    const left = turns.get(`${method} ${path}`);
    const turn = left !== undefined && left.length > 1 ? left.shift() : left?.[0];
    if (turn === undefined) response.writeHead(421).end(`Nothing is scripted for ${method} ${path}`);
    else await play(turn, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { connection: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, requests };
}

async function play(turn: Turn, response: ServerResponse): Promise<void> {
  if (turn === 'silence') return;
  if (turn === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(turn.status, { ...turn.headers });
  response.flushHeaders();
  for (const piece of turn.body) await new Promise((resolve) => response.write(piece, resolve));
  if (turn.ending === 'reset') response.socket?.resetAndDestroy();
  else if (turn.ending !== 'silence') response.end();
}

async function startFetchOnLoopback(script: Script): Promise<ScriptedService> {
  const { connection, requests } = await startLoopback(script);
  // Here the runtime's own is nock's.
  return { connection: { ...connection, fetch: undiciFetch as unknown as FetchLike }, requests };
}

// undici's mocks

async function startMockAgent(script: Script): Promise<ScriptedService> {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const before = getGlobalDispatcher();
  onTestFinished(async () => {
    setGlobalDispatcher(before);
    await agent.close();
  });
  const requests: SentRequest[] = [];
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const { method, path, headers, body } = options;
    requests.push(sentRequest(method, path, headers as Record<string, string>, body));
    return dispatch(options, handler);
  });
  setGlobalDispatcher(dispatcher);
  const pool = agent.get('http://service.test');
  for (const { method, path, turns } of entriesOf(script)) {
    for (const [index, turn] of turns.entries()) {
      const interceptor = pool.intercept({
        method,
        path: (asked: string) => asked.split('?', 1)[0] === path,
      });
      const scope =
        turn === 'reset'
          ? interceptor.replyWithError(resetError())
          : turn === 'silence'
            ? interceptor.reply(200, () => new Promise<never>(() => {}) as never)
            : interceptor.reply(turn.status, wholeBody(turn), { headers: { ...turn.headers } });
      if (index === turns.length - 1) scope.persist();
    }
  }
  return { connection: { baseUrl: 'http://service.test' }, requests };
}

function wholeBody({ body, ending = 'end' }: Reply): Buffer {
  if (ending !== 'end') throw new Error('This carrier can not leave a body open: ask for a capability.');
  return Buffer.concat(body.map((piece) => Buffer.from(piece)));
}

function resetError(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

// nock

async function startNock(script: Script): Promise<ScriptedService> {
  onTestFinished(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
  const requests: SentRequest[] = [];
  for (const { method, path, turns } of entriesOf(script)) {
    for (const [index, turn] of turns.entries()) {
      const scope = nock('http://service.test').persist(index === turns.length - 1);
      scope.on('request', (request: ClientRequest, _, body: string) =>
        requests.push(
          sentRequest(request.method, request.path, request.getHeaders() as Record<string, string>, body),
        ),
      );
      const interceptor = scope.intercept((asked: string) => asked.split('?', 1)[0] === path, method);
      if (turn === 'reset') interceptor.replyWithError(resetError());
      else if (turn === 'silence') interceptor.reply(() => new Promise<never>(() => {}));
      else interceptor.reply(turn.status, () => streamedBody(turn), { ...turn.headers });
    }
  }
  return { connection: { baseUrl: 'http://service.test' }, requests };
}

function streamedBody({ body, ending = 'end' }: Reply): Readable | string {
  if (body.length === 0 && ending === 'end') return '';
  const pieces = body.map((piece) => Buffer.from(piece));
  const stream = new Readable({
    read() {
      const piece = pieces.shift();
      if (piece !== undefined) this.push(piece);
      else if (ending === 'end') this.push(null);
      else if (ending === 'reset') this.destroy(resetError());
    },
  });
  return stream;
}

function sentRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): SentRequest {
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : '';
  return { method, path: path.split('?', 1)[0] ?? '', headers, body: Buffer.from(content) };
}
