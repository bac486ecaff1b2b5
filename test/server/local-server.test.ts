import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { ingest, post, stream } from './query-calls.ts';

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(...args: Parameters<typeof startLocalServer>): Promise<LocalServer> {
  const server = await startLocalServer(...args);
  servers.push(server);
  return server;
}

describe('startLocalServer()', () => {
  it('needs no options', async () => {
    const server = await start();
    expect(server).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      repository: 'sandbox',
      userToken: expect.stringMatching(/^\w{24}~\w{44}$/),
      ingestToken: expect.stringMatching(/^\w{24}~\w{44}$/),
    });
    expect((await fetch(`${server.url}/api/v1/status`)).status).toBe(200);
  });

  it('uses the given repository and tokens', async () => {
    const server = await start({ repository: 'my logs', userToken: 'u-1', ingestToken: 'i-1' });
    expect(server).toMatchObject({ repository: 'my logs', userToken: 'u-1', ingestToken: 'i-1' });
    await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
    for (const name of ['my%20logs', 'my+logs']) {
      const answer = await post(server, `repositories/${name}/query`, '{"queryString":"count()"}');
      expect(await answer.text()).toBe('_count->1\n');
    }
  });

  it('reports the port in use and the option that changes it', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(start({ port })).rejects.toThrow(
      `startLocalServer: port ${port} on 127.0.0.1 is in use. Set the option "port" to another one; 0 picks a free one.`,
    );
  });

  it('stops its timers when the start fails', async () => {
    const port = Number(new URL((await start()).url).port);
    using started = vi.spyOn(globalThis, 'setInterval');
    using stopped = vi.spyOn(globalThis, 'clearInterval');
    await expect(start({ port })).rejects.toThrow('in use');
    const timers = started.mock.results.map(({ value }) => value);
    expect(timers.length).toBeGreaterThan(0);
    expect(stopped.mock.calls.flat()).toEqual(expect.arrayContaining(timers));
  });

  it.each([
    [{ repo: 'x' }, 'startLocalServer has no option "repo". Did you mean "repository"?'],
    [{ prot: 3000 }, 'startLocalServer has no option "prot". Did you mean "port"?'],
    [{ port: 70_000 }, '"port" must be a whole number of at least 0 and at most 65535 (got 70000)'],
    [{ repository: '../etc' }, '"repository" is invalid'],
    [{ repository: '..' }, '"repository" is invalid'],
    [
      { keepAliveIntervalMs: 2 ** 31 },
      '"keepAliveIntervalMs" must be a whole number of at least 1 and at most 2147483647, or Infinity',
    ],
    [{ now: 9e15 }, '"now" must be a whole number of at least 0 and at most 8640000000000000'],
    [{ userToken: 'dev', ingestToken: 'dev' }, '"userToken" and "ingestToken" must be different'],
    [{ maxEvents: 0 }, '"maxEvents" must be a whole number of at least 1'],
    [{ userToken: 'two words' }, '"userToken" contains characters'],
    [{ host: 'nosuch.invalid' }, 'the host "nosuch.invalid" is unknown'],
  ])('rejects %o', async (options, message) => {
    await expect(start(options as object)).rejects.toThrow(message);
  });
});

describe('Server without a port', () => {
  it('responds only through server.fetch', async () => {
    const server = await start({ listen: false });
    expect(server.url).toBe('http://localhost');
    await ingest(server, [{ timestamp: Date.now(), attributes: { a: 1 } }]);
    expect(await stream(server, 'a=1 | count()')).toEqual([{ _count: '1' }]);
    const request = new Request(`${server.url}/api/v1/status`);
    expect(await (await server.fetch(request)).json()).toMatchObject({ status: 'OK' });
    expect(await (await server.fetch(new URL('/api/v1/status', server.url))).json()).toMatchObject({
      status: 'OK',
    });
  });

  it('rejects server.fetch with the reason of an aborted signal', async () => {
    const server = await start({ listen: false });
    const status = `${server.url}/api/v1/status`;
    await expect(server.fetch(status, { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow(
      'early',
    );
    server.faults.add({ hang: true });
    const leaving = new AbortController();
    const waiting = server.fetch(status, { signal: leaving.signal });
    leaving.abort(new Error('late'));
    await expect(waiting).rejects.toThrow('late');
  });

  it('aborts the response body when the signal aborts', async () => {
    const server = await start({ listen: false });
    const leaving = new AbortController();
    const response = await post(server, 'repositories/sandbox/query', '{"queryString":"*","isLive":true}', {
      signal: leaving.signal,
    });
    expect(server.inspect.store().liveStreams).toBe(1);
    const text = response.text();
    leaving.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
    expect(server.inspect.store().liveStreams).toBe(0);
  });

  it('responds to 20 concurrent requests without a warning about listeners', async () => {
    const server = await start({ listen: false });
    using emitWarning = vi.spyOn(process, 'emitWarning');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(server, 'repositories/sandbox/query', '{"queryString":"*"}')),
    );
    for (const answer of answers) await answer.text();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(emitWarning).not.toHaveBeenCalled();
  });

  it('does not replace the global Request and Response', async () => {
    const { Request: request, Response: response } = globalThis;
    const server = await start();
    await fetch(server.url);
    expect(globalThis.Request).toBe(request);
    expect(globalThis.Response).toBe(response);
  });
});

describe('close()', () => {
  it('can be called more than once and frees the port', async () => {
    const port = await closedPort();
    const server = await start({ port });
    await fetch(`${server.url}/api/v1/status`);
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await expect(fetch(`${server.url}/api/v1/status`)).rejects.toThrow();
    await expect(server.fetch(`${server.url}/api/v1/status`)).rejects.toThrow('fetch failed');
    await start({ port });
  });

  it('is called at the end of an `await using` block', async () => {
    let url: string;
    {
      await using server = await startLocalServer({ port: await closedPort() });
      url = server.url;
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it('does not wait for clients that never finish their request', async () => {
    const server = await start();
    const { hostname, port } = new URL(server.url);
    const sockets = ['', 'POST /api/v1/ingest/raw HTTP/1.1\r\n', authorized(server)].map((text) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('error', () => {});
      return socket;
    });
    await fetch(`${server.url}/api/v1/status`);
    await server.close();
    expect(server.inspect.store().events).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it('leaves no dead keep-alive connections when a server starts again on the same port', async () => {
    const agent = new Agent({ keepAlive: true });
    const port = await closedPort();
    let server = await start({ port });
    const requests = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 5 }, () => statusOf(server, agent)));
    expect(await requests()).toEqual(Array(5).fill(200));
    await server.close();
    server = await start({ port });
    expect(await requests()).toEqual(Array(5).fill(200));
    agent.destroy();
  });

  it('stores no request that arrives on an idle connection during the shutdown', async () => {
    const server = await start();
    const { hostname, port } = new URL(server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => {});
    socket.resume().once('end', () => socket.write(`${authorized(server)}${'x'.repeat(993)}`));
    await fetch(`${server.url}/api/v1/status`);
    await server.close();
    expect(server.inspect.store().events).toBe(0);
    socket.destroy();
  });
});

async function statusOf(server: LocalServer, agent: Agent): Promise<number | undefined> {
  const [response] = await once(get(`${server.url}/api/v1/status`, { agent }), 'response');
  await text(response);
  return response.statusCode;
}

function authorized({ ingestToken }: LocalServer): string {
  const head = [
    'POST /api/v1/ingest/raw HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${ingestToken}`,
  ];
  return `${head.join('\r\n')}\r\nContent-Length: 1000\r\n\r\npartial`;
}

it('the server survives a client that disconnects in the middle of a request', async () => {
  const warnings: string[] = [];
  const server = await start({ onWarning: (message) => warnings.push(message) });
  const { hostname, port } = new URL(server.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(authorized(server), () => setImmediate(() => socket.destroy()));
    });
    socket.on('close', () => resolve());
  });
  await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
  expect(server.inspect.store().events).toBe(1);
  expect(warnings).toEqual([]);
});

it('server.clock, server.faults and server.inspect never show a token when printed', async () => {
  const server = await start({ userToken: 'secret-user', ingestToken: 'secret-ingest' });
  await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
  const { clock, faults, inspect: inspection } = server;
  expect(inspect({ clock, faults, inspection }, { depth: 10, showHidden: true })).not.toContain('secret');
});

it('the server counts 40,000 events', async () => {
  const server = await start();
  const timestamp = Date.now() - 1000;
  for (let batch = 0; batch < 20; batch++) {
    const events = Array.from({ length: 2000 }, (_, n) => ({
      timestamp: timestamp + (n % 7),
      attributes: { n, batch },
    }));
    await ingest(server, events);
  }
  expect(await stream(server, 'count()')).toEqual([{ _count: '40000' }]);
  expect(await stream(server, 'batch=7 | count(n, distinct=true)')).toEqual([{ _count: '2000' }]);
});
