import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';
import { compressed } from '../../src/server/node/compressed.ts';
import { SocketConnection } from '../../src/server/node/socket-connection.ts';

const REMOTE = '192.0.2.7';

/** A server that sees this address of its clients. */
async function startServer(address: string, options: LocalServerOptions = {}): Promise<LocalServer> {
  const onSocket = (message: unknown): void => {
    Object.defineProperty((message as { socket: Socket }).socket, 'remoteAddress', { value: address });
  };
  subscribe('net.server.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
  const server = await startLocalServer({ repository: 'shop', ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Stores records. */
async function store(server: LocalServer, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    timestamp: Date.now(),
    attributes: { msg: `record ${n}` },
  }));
  const response = await server.fetch(`${server.url}/api/v1/ingest/humio-structured`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ tags: {}, events }]),
  });
  expect(response.status).toBe(200);
}

interface Ask {
  readonly body?: object;
  readonly encoding?: string;
  readonly method?: string;
  readonly accept?: string;
}

/** Sends a request; its response is not decompressed. */
async function ask(
  server: LocalServer,
  path: string,
  { body, encoding = 'gzip', method = body === undefined ? 'GET' : 'POST', accept = '*/*' }: Ask = {},
): Promise<{ sent: ClientRequest; response: IncomingMessage }> {
  const sent = request(`${server.url}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.userToken}`,
      accept,
      ...(encoding === '' ? {} : { 'accept-encoding': encoding }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  sent.on('error', () => {});
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { sent, response };
}

const QUERY = 'api/v1/repositories/shop/query';
const NDJSON = 'application/x-ndjson';
const ALL = { queryString: '', start: 0, end: 'now' };

interface Polled {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly events: readonly object[];
}

/** The response to a poll of a job that is done. */
async function pollAll(server: LocalServer, encoding: string): Promise<Polled> {
  const jobs = 'api/v1/repositories/shop/queryjobs';
  const created = await ask(server, jobs, { body: { ...ALL, queryString: 'tail(1000)' }, encoding: '' });
  const { id } = JSON.parse((await buffer(created.response)).toString()) as { id: string };
  for (;;) {
    const { response } = await ask(server, `${jobs}/${id}?paginationLimit=1000`, { encoding });
    const { headers } = response;
    const body = await buffer(response);
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    const { done, events } = JSON.parse(text) as { done: boolean; events: object[] };
    if (done) return { headers, body, events };
  }
}

describe('Responses to other computers', () => {
  it('are compressed if they are long and the client accepts gzip', async () => {
    const server = await startServer(REMOTE);
    await store(server, 400);
    const zipped = await pollAll(server, 'deflate, gzip;q=0.5');
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    const plain = await pollAll(server, 'br');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-length']).toBe(String(plain.body.length));
    expect(zipped.events).toHaveLength(400);
    expect(zipped.events).toEqual(plain.events);
    expect(zipped.body.length).toBeLessThan(plain.body.length / 3);
  });

  it('are sent as they are, with their length, if they are short, and without a body to HEAD', async () => {
    const server = await startServer(REMOTE);
    for (const method of ['GET', 'HEAD']) {
      const { response } = await ask(server, 'api/v1/status', { method });
      const body = await buffer(response);
      expect(response.headers['content-encoding']).toBeUndefined();
      expect(response.statusCode).toBe(200);
      if (method === 'GET') expect(response.headers['content-length']).toBe(String(body.length));
      else expect(body.length).toBe(0);
    }
  });

  it('contain each record of a live stream as soon as it has arrived', async () => {
    const server = await startServer(REMOTE);
    const body = { queryString: '', start: '1m', isLive: true };
    const { sent, response } = await ask(server, QUERY, { body, accept: NDJSON });
    expect(response.headers['content-encoding']).toBe('gzip');
    let text = '';
    response
      .pipe(createGunzip())
      .on('error', () => {})
      .on('data', (data) => (text += data));
    for (let number = 0; number < 3; number++) {
      await store(server, 1);
      await expect.poll(() => text.match(/"msg":"record 0"/g)?.length ?? 0).toBe(number + 1);
    }
    expect(server.inspect.store().liveStreams).toBe(1);
    sent.destroy();
    await expect.poll(() => server.inspect.store().liveStreams).toBe(0);
  });

  it('end what they are made from when the client disconnects while it waits', async () => {
    const chunks = [Buffer.from('{"first":1}\n')];
    const onCancel = vi.fn();
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        return chunk === undefined ? new Promise<void>(() => {}) : controller.enqueue(chunk);
      },
      cancel: onCancel,
    });
    const incoming = { socket: { remoteAddress: REMOTE } } as IncomingMessage;
    const connection = new SocketConnection(incoming, {} as ServerResponse);
    const headers = { 'content-type': NDJSON };
    const accepting = new Request('http://x/', { headers: { 'accept-encoding': 'gzip' } });
    const response = await compressed(accepting, new Response(source, { headers }), connection);
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    const waiting = reader.read();
    await reader.cancel('gone');
    expect([(await waiting).done, onCancel.mock.calls]).toEqual([true, [['gone']]]);
  });

  it('are complete for a result of many chunks', async () => {
    const server = await startServer(REMOTE);
    for (let batch = 0; batch < 5; batch++) await store(server, 4000);
    const { response } = await ask(server, QUERY, { body: ALL, accept: NDJSON });
    expect(response.headers['content-encoding']).toBe('gzip');
    const lines = gunzipSync(await buffer(response))
      .toString()
      .trim()
      .split('\n');
    expect(lines).toHaveLength(20_000);
  });

  it('are read by the client of the package', async () => {
    const server = await startServer(REMOTE);
    await store(server, 1000);
    const client = new LogClient({
      baseUrl: server.url,
      repository: 'shop',
      userToken: server.userToken,
    });
    expect(await client.query('', { start: 0 })).toHaveLength(1000);
    let count = 0;
    for await (const _ of client.streamingQuery('', { start: 0 })) count++;
    expect(count).toBe(1000);
  });
});

describe('Responses on this computer', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('are never compressed: %s', async (address) => {
    const server = await startServer(address);
    await store(server, 400);
    expect((await pollAll(server, 'gzip')).headers['content-encoding']).toBeUndefined();
    const { response } = await ask(server, QUERY, { body: ALL, accept: NDJSON });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect((await buffer(response)).toString().trim().split('\n')).toHaveLength(400);
  });
});
