import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import nock from 'nock';
import { fetch as undiciFetch } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import {
  LogConnectionDroppedException,
  LogConnectionException,
  LogTimeoutException,
} from '../../../src/core/errors.ts';
import type { FetchLike } from '../../../src/core/http/fetch-adapter.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { startService } from '../../helpers/http-service.ts';

afterEach(() => nock.cleanAll());

const inMemory =
  (answer: (url: string, init: Parameters<FetchLike>[1]) => Response | Promise<Response>): FetchLike =>
  async (url, init) =>
    answer(url, init);

it('Requests to an HTTP mock that closes neither requests nor sockets leave their places to others', async () => {
  nock('http://service.test').get('/api/v1/x').times(65).reply(200, {});
  const caller = new WebCaller('http://service.test');
  for (let count = 0; count < 65; count++) (await caller.callRest('GET', 'x')).discard();
  expect(nock.isDone()).toBe(true);
});

describe('A custom fetch', () => {
  it('can be the global fetch, intercepted by nock', async () => {
    nock('http://service.test')
      .post('/p/api/v1/x', { a: 1 })
      .matchHeader('x-one', 'b')
      .reply(200, { ok: true });
    const caller = new WebCaller('http://service.test/p', {
      fetch: globalThis.fetch,
      headers: { 'X-One': 'b' },
    });
    expect(await (await caller.callRest('POST', 'x', { data: { a: 1 } })).json()).toEqual({ ok: true });
    expect(nock.isDone()).toBe(true);
  });

  it('can work without a network', async () => {
    const fetch = inMemory((url, { method, body, redirect }) =>
      Response.json({ url, method, body, redirect }),
    );
    const response = await new WebCaller('http://nowhere', { fetch }).callRest('PUT', 'x', { data: 'text' });
    expect(await response.json()).toEqual({
      url: 'http://nowhere/api/v1/x',
      method: 'PUT',
      body: 'text',
      redirect: 'manual',
    });
  });

  it.each([
    ['the global one', globalThis.fetch],
    ["undici's", undiciFetch as unknown as FetchLike],
  ])('does not follow redirects: %s', async (_, fetch) => {
    const service = await startService((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const call = new WebCaller(service.url, { fetch }).callRest('GET', 'x');
    await expect(call).rejects.toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: 307 });
    expect(service.calls).toHaveLength(1);
  });

  it('times out even if it ignores the signal', async () => {
    let isCancelled = false;
    const late = new ReadableStream({
      cancel() {
        isCancelled = true;
      },
    });
    let respond = (_response: Response): void => {};
    const fetch = inMemory(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const call = new WebCaller('http://nowhere', { fetch, timeoutMs: 20 }).callRest('GET', 'x');
    await expect(call).rejects.toBeInstanceOf(LogTimeoutException);
    respond(new Response(late));
    await expect.poll(() => isCancelled).toBe(true);
  });

  it('times out while reading a body that ignores the signal', async () => {
    const fetch = inMemory(
      () => new Response(new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) })),
    );
    const response = await new WebCaller('http://nowhere', { fetch, timeoutMs: 30 }).callRest('GET', 'x');
    await expect(response.text()).rejects.toBeInstanceOf(LogTimeoutException);
  });

  it('that fails causes a connection exception with the code of the inner error', async () => {
    const port = await closedPort();
    const call = new WebCaller(`http://127.0.0.1:${port}`, { fetch: globalThis.fetch }).callRest('GET', 'x');
    await expect(call).rejects.toThrow(`Nothing is listening at 127.0.0.1:${port} (ECONNREFUSED)`);
  });

  it('that fails has secrets removed from its message', async () => {
    const fetch = inMemory(() => Promise.reject(new Error('no route for Bearer abcdefgh1234')));
    const caller = new WebCaller('http://nowhere', {
      fetch,
      headers: { authorization: 'Bearer abcdefgh1234' },
    });
    const error = await caller.callRest('GET', 'x').catch((caught: Error) => caught as Error);
    expect(error).toBeInstanceOf(LogConnectionException);
    expect((error as Error).message).toBe('nowhere could not be reached: no route for [redacted]');
    expect(`${(error as Error).stack}${((error as Error).cause as Error).stack}`).not.toContain(
      'abcdefgh1234',
    );
  });

  it('whose body is cut off causes a connection-dropped exception', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const response = await new WebCaller(`http://127.0.0.1:${port}`, { fetch: globalThis.fetch }).callRest(
      'GET',
      'x',
    );
    await expect(response.text()).rejects.toBeInstanceOf(LogConnectionDroppedException);
    server.close();
  });

  it('can return a Node stream, which is closed if it is not read', async () => {
    const parts = ['{"ok":', '1}'].map((text) => Buffer.from(text));
    const bodies = [Readable.from(parts), Readable.from(parts)];
    let calls = 0;
    const fetch: FetchLike = async () => ({ status: 200, headers: new Headers(), body: bodies[calls++]! });
    const caller = new WebCaller('http://nowhere', { fetch });
    expect(await (await caller.callRest('GET', 'x')).json()).toEqual({ ok: 1 });
    (await caller.callRest('GET', 'x')).discard();
    await expect.poll(() => bodies[1]?.destroyed).toBe(true);
  });

  it.each([undefined, null, {}, { ok: true, headers: new Headers(), body: null }, { status: 200 }])(
    'that resolves to %j instead of a response fails the call with an error that says so',
    async (answer) => {
      const fetch = (async () => answer) as unknown as FetchLike;
      const call = new WebCaller('http://nowhere', { fetch }).callRest('GET', 'x');
      await expect(call).rejects.toThrow('"fetch" must resolve to a response');
    },
  );

  it('receives files byte for byte', async () => {
    const content = new Uint8Array([0, 13, 10, 255]);
    const fetch = inMemory(async (_, { headers, body }) => {
      const form = await new Response(body, { headers }).formData();
      return new Response(await (form.get('file') as File).arrayBuffer());
    });
    const response = await new WebCaller('http://nowhere', { fetch }).callRest('POST', 'files', {
      files: [{ name: 'x.csv', content }],
    });
    expect(await response.bytes()).toEqual(content);
  });
});
