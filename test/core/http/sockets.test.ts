import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { LogClient } from '../../../src/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { type HttpService, sendJson, startService } from '../../helpers/http-service.ts';
import { pollAnswer } from '../../helpers/query-answers.ts';

const MAX_SOCKETS = 64;

interface Held {
  readonly service: HttpService;
  /** The local ports of all connections so far. */
  readonly ports: Set<number | undefined>;
  /** Answers the requests that wait. */
  release(): void;
}

/** A service that answers `GET /api/v1/held` when the test says so, and everything else immediately. */
async function startHeld(): Promise<Held> {
  const waiting: (() => void)[] = [];
  const ports = new Set<number | undefined>();
  const service = await startService((request, response) => {
    ports.add(response.req.socket.remotePort);
    if (request.path.endsWith('/held')) return waiting.push(() => sendJson(response, {}));
    if (request.path.endsWith('/reset')) return response.destroy();
    if (request.path.endsWith('/query')) return response.writeHead(200).write('{"a":"1"}\n');
    if (request.path.endsWith('/queryjobs')) return sendJson(response, { id: 'id' });
    return sendJson(response, pollAnswer({ events: [{ a: '1' }] }));
  });
  const release = (): void => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { service, ports, release };
}

function clientOf({ service }: Held): LogClient {
  return new LogClient({ baseUrl: service.url, repository: 'r', userToken: 't' });
}

describe('Sockets of calls', () => {
  it('are 64 per address at most, however many queries run', async () => {
    const held = await startHeld();
    const client = clientOf(held);
    const results = await Promise.all(Array.from({ length: 160 }, () => client.query('*')));
    expect(results.flat()).toHaveLength(160);
    expect(held.ports.size).toBeLessThanOrEqual(MAX_SOCKETS);
  });

  it('are not those of streams, whose readers can query', async () => {
    const held = await startHeld();
    const client = clientOf(held);
    const streams = Array.from({ length: MAX_SOCKETS + 1 }, () => client.streamingQuery('*'));
    const rows = streams.map(async (stream) => {
      await stream.next();
      return client.query('*');
    });
    expect((await Promise.all(rows)).flat()).toHaveLength(MAX_SOCKETS + 1);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('are free again after every ending of a request', async () => {
    const held = await startHeld();
    const caller = new WebCaller(held.service.url);
    const aborted = (): AbortSignal => {
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      return controller.signal;
    };
    const endings: (() => Promise<unknown>)[] = [
      () => caller.callRest('GET', 'held', { signal: aborted() }),
      () => caller.callRest('GET', 'reset'),
      async () => (await caller.callRest('GET', 'a')).discard(),
      async () => (await caller.callRest('GET', 'a')).text(),
      async () => (await caller.callRest('GET', 'a')).bytes(1),
      () => caller.callRest('B AD', 'a'),
    ];
    for (const ending of endings) {
      await Promise.allSettled(Array.from({ length: MAX_SOCKETS + 1 }, ending));
    }
    expect(await (await caller.callRest('GET', 'a')).json()).toMatchObject({ done: true });
  });
});

describe('Waiting for a socket', () => {
  it.each([
    ['of the package', undefined, MAX_SOCKETS],
    ['of an own agent', new Agent({ maxSockets: 2, keepAlive: true }), 2],
  ])('is not part of timeoutMs: one %s', async (_, agent, sockets) => {
    const held = await startHeld();
    const timers = holdTimers(12_345);
    const caller = new WebCaller(held.service.url, { timeoutMs: 12_345, ...(agent && { agent }) });
    const calls = Array.from({ length: sockets + 2 }, async () =>
      (await caller.callRest('GET', 'held')).text(),
    );
    await eventually(() => expect(held.service.calls).toHaveLength(sockets));
    expect(timers.running).toBe(sockets);
    held.release();
    await eventually(() => expect(held.service.calls).toHaveLength(sockets + 2));
    expect(timers.running).toBe(2);
    held.release();
    await Promise.all(calls);
    agent?.destroy();
  });

  it('ends with the signal, and leaves the socket to others', async () => {
    const held = await startHeld();
    const caller = new WebCaller(held.service.url);
    const get = async (signal?: AbortSignal): Promise<string> =>
      (await caller.callRest('GET', 'held', { signal })).text();
    const calls = Array.from({ length: MAX_SOCKETS }, () => get());
    await eventually(() => expect(held.service.calls).toHaveLength(MAX_SOCKETS));
    const controller = new AbortController();
    const waiting = [get(controller.signal), get()];
    controller.abort(new Error('enough'));
    await expect(waiting[0]).rejects.toThrow('enough');
    held.release();
    await eventually(() => expect(held.service.calls).toHaveLength(MAX_SOCKETS + 1));
    held.release();
    await Promise.all([...calls, waiting[1]]);
  });
});
