import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { callJob, createJob, ingest, poll, post, stream } from './query-calls.ts';

describe.each([
  ['over a socket', true],
  ['through server.fetch', false],
])('Scripted faults %s', (_, listen) => {
  let server: LocalServer;
  beforeEach(async () => {
    server = await startLocalServer({ listen });
  });
  afterEach(() => server.close());

  const send = (signal?: AbortSignal): Promise<Response> =>
    post(server, 'ingest/raw', 'x', {
      token: server.ingestToken,
      ...(signal === undefined ? {} : { signal }),
    });

  it('respond with the given status, headers and body until times is used up, and store nothing', async () => {
    const fault = server.faults.add({
      path: /ingest/,
      times: 2,
      status: 503,
      retryAfter: 1,
      body: 'queues full',
      headers: { 'x-more': 'yes' },
    });
    for (const expected of [1, 0]) {
      const response = await send();
      expect([response.status, await response.text()]).toEqual([503, 'queues full']);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('x-more')).toBe('yes');
      expect(fault.remaining).toBe(expected);
    }
    expect(server.inspect.store().events).toBe(0);
    expect((await send()).status).toBe(200);
    expect(fault.hits).toBe(2);
    expect(server.inspect.requests({ path: 'raw', status: 503 })).toHaveLength(2);
  });

  it('affect only requests that match method and path, until they are removed', async () => {
    server.faults.add({ method: 'get', path: '/ingest', status: 500 });
    expect((await send()).status).toBe(200);
    const fault = server.faults.add({ path: 'ingest/raw', status: 500 });
    expect((await send()).status).toBe(500);
    fault.remove();
    expect((await send()).status).toBe(200);
    server.faults.add({ status: 500 });
    server.faults.clear();
    expect((await send()).status).toBe(200);
  });

  it('reset the connection before anything is stored', async () => {
    server.faults.add({ reset: 'before', times: 1 });
    await expect(send()).rejects.toThrow(TypeError);
    expect(server.inspect.store().events).toBe(0);
    expect(server.inspect.requests({ status: 0 })).toHaveLength(1);
    expect((await send()).status).toBe(200);
  });

  it('reset the connection after the events are stored', async () => {
    server.faults.add({ reset: 'afterStore', times: 1 });
    await expect(send()).rejects.toThrow(TypeError);
    expect(server.inspect.store().events).toBe(1);
    expect((await send()).status).toBe(200);
  });

  it('delay a response by delayMs', async () => {
    server.faults.add({ delayMs: 60 });
    const before = performance.now();
    expect((await send()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it('hang until the client aborts', async () => {
    const fault = server.faults.add({ hang: true, times: 1 });
    const client = new AbortController();
    const hanging = expect(send(client.signal)).rejects.toThrow('enough');
    await eventually(() => expect(fault.hits).toBe(1));
    client.abort(new Error('enough'));
    await hanging;
    expect((await send()).status).toBe(200);
  });

  it('end a hanging request when the server closes', async () => {
    const fault = server.faults.add({ hang: true });
    const hanging = expect(send()).rejects.toThrow(TypeError);
    await eventually(() => expect(fault.hits).toBe(1));
    await server.close();
    await hanging;
  });

  it('cut a response stream after cutAfterBytes bytes', async () => {
    const timestamp = Date.now();
    await ingest(
      server,
      Array.from({ length: 2000 }, (_, n) => ({ timestamp, attributes: { n } })),
    );
    server.faults.add({ path: /query$/, cutAfterBytes: 5000, times: 1 });
    const response = await post(server, 'repositories/sandbox/query', '{"queryString":"*"}');
    expect(response.status).toBe(200);
    let received = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        received += chunk.length;
    };
    await expect(reading()).rejects.toThrow(TypeError);
    expect(received).toBe(5000);
    expect(await stream(server, 'count()')).toEqual([{ _count: '2000' }]);
  });

  it.each([204, 205, 304])('respond with status %i and no body', async (status) => {
    server.faults.add({ status });
    const response = await send();
    expect([response.status, await response.text()]).toEqual([status, '']);
  });

  it('match refuseEvents only against fields of the event, not inherited properties', async () => {
    server.faults.add({ refuseEvents: { constructor: /x/ } });
    expect((await send()).status).toBe(200);
  });

  it.each([
    [{ status: 500, times: 1 }, [204, 500]],
    [{ status: 500, times: 1, path: 'jobs' }, [500, 200]],
    [{ status: 500, times: 1, method: 'DELETE' }, [500, 200]],
  ])(
    'affect the deletion of a query job, which clients send in the background, only if asked: %j',
    async (fault, statuses) => {
      const id = await createJob(server, '*');
      server.faults.add(fault);
      const deleted = await callJob(server, id, 'DELETE');
      expect([deleted.status, (await send()).status]).toEqual(statuses);
    },
  );

  it('report a query job as not done for the given number of polls', async () => {
    await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
    server.faults.add({ method: 'GET', path: '/queryjobs/', notDone: true, times: 2 });
    const id = await createJob(server, '*');
    for (const done of [false, false, true]) {
      const answer = await poll(server, id);
      expect(answer).toMatchObject({ done, metaData: { queryEnd: expect.any(Number) } });
      expect(answer.events).toHaveLength(done ? 1 : 0);
    }
  });

  it.each([
    [{}, 'does nothing'],
    [{ status: 503, tiems: 2 }, 'Did you mean "times"?'],
    [{ status: 42 }, '"status"'],
    [{ status: 503, method: 5 as never }, '"method" must be a non-empty string'],
    [{ status: 503, path: 5 as never }, '"path" must be a string or a RegExp (got 5)'],
    [{ status: 503, body: 5 as never }, '"body" must be a string (got 5)'],
    [{ status: 503, retryAfter: Number.NaN }, '"retryAfter" must be a number of seconds or a date'],
    [{ status: 503, headers: { 'no name': 'x' } }, '"headers" must be an object of valid HTTP headers'],
    [{ status: 503, headers: { a: 'x\ny' } }, '"headers" must be'],
    [{ delayMs: 2 ** 31 }, '"delayMs" must be a whole number of at least 0 and at most 2147483647'],
    [{ every: 0, status: 503 }, '"every" must be a whole number of at least 1'],
    [{ probability: 20, status: 503 }, '"probability" must be a number above 0 and at most 1 (got 20)'],
    [{ dripBytesPerSecond: 0 }, '"dripBytesPerSecond"'],
    [{ refuseEvents: '' }, '"refuseEvents" must be a non-empty string'],
    [{ refuseEvents: {} }, 'an object with fields or a function (got an object)'],
    [{ hang: true, status: 503 }, `"hang" and "status" can't be combined`],
    [{ reset: 'before' as const, cutAfterBytes: 1 }, `"reset" and "cutAfterBytes" can't be combined`],
    [{ maxBodyBytes: 1, refuseEvents: 'x' }, `"maxBodyBytes" and "refuseEvents" can't be combined`],
    [{ maxBodyBytes: 1, status: 204 }, '"status" must be at least 400'],
    [{ delayMs: 5, retryAfter: 1 }, '"retryAfter" has no effect without "status"'],
    [{ status: 503, seed: 4 }, '"seed" has no effect without "probability"'],
    [{ reset: 'before' as const, resetAfterBytes: 4 }, 'requires reset: "inBody"'],
    [{ reset: 'sometime' as 'before' }, 'must be one of before, inBody, afterBody, afterStore'],
  ])('reject the invalid fault %o', (fault, message) => {
    expect(() => server.faults.add(fault)).toThrow(message);
  });
});
