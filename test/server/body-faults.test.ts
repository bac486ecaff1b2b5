import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventMatch, type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { ingest, post, stream } from './query-calls.ts';

describe.each([
  ['over a socket', true],
  ['through server.fetch', false],
])('Body faults %s', (_, listen) => {
  let server: LocalServer;
  beforeEach(async () => {
    server = await startLocalServer({ listen });
  });
  afterEach(() => server.close());

  const send = (
    path: string,
    body: string | Uint8Array,
    init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> => post(server, `ingest/${path}`, body, { token: server.ingestToken, ...init });
  const events = (): number => server.inspect.store().events;

  it('maxBodyBytes rejects larger bodies with a 413 and accepts the others', async () => {
    const fault = server.faults.add({ maxBodyBytes: 1000 });
    const refused = await send('raw', 'x'.repeat(1001));
    expect([refused.status, await refused.text()]).toEqual([
      413,
      'Scripted response: the request content is larger than 1000 bytes.',
    ]);
    expect([events(), fault.hits]).toEqual([0, 1]);
    expect((await send('raw', 'x'.repeat(1000))).status).toBe(200);
    expect([events(), fault.hits]).toEqual([1, 1]);
  });

  it('maxBodyBytes limits the decompressed size of a compressed body', async () => {
    server.faults.add({ maxBodyBytes: 1000 });
    const gzip = (bytes: number): Promise<Response> =>
      send('raw', gzipSync('x'.repeat(bytes)), { headers: { 'content-encoding': 'gzip' } });
    expect((await gzip(1001)).status).toBe(413);
    expect((await gzip(1000)).status).toBe(200);
  });

  it('maxBodyBytes rejects with the given status, body and headers', async () => {
    const answer = { status: 502, body: '<html>', retryAfter: 7, headers: { 'content-type': 'text/html' } };
    server.faults.add({ path: 'ingest', maxBodyBytes: 0, times: 1, ...answer });
    const response = await send('raw', 'x');
    expect([response.status, await response.text()]).toEqual([502, '<html>']);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('retry-after')).toBe('7');
    expect((await send('raw', 'x')).status).toBe(200);
  });

  it.each<[string, EventMatch]>([
    ['a text', 'poison'],
    ['an expression', /"level":"poi.on"/g],
    ['fields', { level: 'poison', 'user.id': 7, '#host': /^web-\d$/ }],
    ['a function', (event) => Number(event['user.id']) > 6],
  ])(
    'refuseEvents rejects a whole request because of one event, matched by %s',
    async (_name, refuseEvents) => {
      const fault = server.faults.add({ refuseEvents });
      const request = (levels: string[], id = 7): string =>
        JSON.stringify([
          {
            tags: { host: 'web-1' },
            events: levels.map((level) => ({
              timestamp: 1,
              attributes: { level, user: { id: level === 'poison' ? id : 1 } },
            })),
          },
        ]);
      for (let i = 0; i < 2; i++) {
        const refused = await send('humio-structured', request(['info', 'poison', 'info']));
        expect(refused.status).toBe(400);
        expect(await refused.text()).toBe(
          'The request content was malformed:\nScripted response: the event at index 1 is rejected.',
        );
      }
      expect([events(), fault.hits]).toEqual([0, 2]);
      expect((await send('humio-structured', request(['info', 'info']))).status).toBe(200);
      expect([events(), fault.hits]).toEqual([2, 2]);
    },
  );

  it('refuseEvents applies to all ingest endpoints, after the token check', async () => {
    server.faults.add({ refuseEvents: 'poison' });
    expect((await send('raw', 'a poison')).status).toBe(400);
    expect((await send('humio-unstructured', '[{"messages":["fine","a poison"]}]')).status).toBe(400);
    expect((await send('hec', '{"event":"fine"}\n{"event":"poison"}')).status).toBe(400);
    expect((await post(server, 'ingest/raw', 'a poison', { token: 'wrong' })).status).toBe(401);
    expect(events()).toBe(0);
    expect((await send('hec', '{"event":"fine"}')).status).toBe(200);
  });

  it('a request that matches several faults is affected by one of them', async () => {
    const first = server.faults.add({ delayMs: 1, times: 1 });
    const second = server.faults.add({ refuseEvents: 'poison', times: 1 });
    const third = server.faults.add({ maxBodyBytes: 1 });
    expect((await send('raw', 'poison')).status).toBe(200);
    expect((await send('raw', 'poison')).status).toBe(413);
    third.remove();
    expect((await send('raw', 'poison')).status).toBe(400);
    expect((await send('raw', 'poison')).status).toBe(200);
    expect([first.hits, second.hits, third.hits]).toEqual([1, 1, 1]);
  });

  it.each([
    ['inBody', undefined],
    ['inBody', 100],
    ['inBody', 10_000_000],
    ['afterBody', undefined],
  ] as const)(
    'reset %s with resetAfterBytes %s cuts the connection and stores no event',
    async (reset, resetAfterBytes) => {
      const bytes = resetAfterBytes === undefined ? {} : { resetAfterBytes };
      server.faults.add({ reset, times: 1, ...bytes });
      await expect(send('raw', 'x'.repeat(500_000))).rejects.toThrow(TypeError);
      expect(events()).toBe(0);
      expect(server.inspect.requests({ status: 0 })).toHaveLength(1);
      expect((await send('raw', 'x')).status).toBe(200);
    },
  );

  it('uploadBytesPerSecond reads a request slowly and then processes it', async () => {
    server.faults.add({ uploadBytesPerSecond: 50_000, times: 1 });
    const before = performance.now();
    expect((await send('raw', 'x'.repeat(10_000))).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(150);
    expect(events()).toBe(1);
  });

  it('uploadBytesPerSecond stops reading when the client aborts', async () => {
    const fault = server.faults.add({ uploadBytesPerSecond: 10, times: 1 });
    const client = new AbortController();
    const uploading = expect(send('raw', 'x'.repeat(1000), { signal: client.signal })).rejects.toThrow(
      'enough',
    );
    await eventually(() => expect(fault.hits).toBe(1));
    client.abort(new Error('enough'));
    await uploading;
    await eventually(() => expect(server.inspect.requests({ status: 0 })).toHaveLength(1));
    expect(events()).toBe(0);
  });

  it('dripBytesPerSecond sends a complete response slowly', async () => {
    const timestamp = Date.now();
    await ingest(server, [{ timestamp, attributes: { text: 'y'.repeat(2000) } }]);
    const [expected] = await stream(server, '*');
    server.faults.add({ path: /query$/, dripBytesPerSecond: 40_000, times: 1 });
    const before = performance.now();
    expect(await stream(server, '*')).toEqual([expected]);
    expect(performance.now() - before).toBeGreaterThan(80);
  });

  it('cutAfterBytes cuts a slow scripted response', async () => {
    server.faults.add({ status: 503, body: '0123456789', dripBytesPerSecond: 1000, cutAfterBytes: 4 });
    const response = await send('raw', 'x');
    expect(response.status).toBe(503);
    let received = '';
    const reading = async (): Promise<void> => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        received += Buffer.from(chunk).toString();
    };
    await expect(reading()).rejects.toThrow(TypeError);
    expect(received).toBe('0123');
  });

  it('server.close() ends slow requests and responses', async () => {
    const fault = server.faults.add({ dripBytesPerSecond: 1, times: 1 });
    const dripping = await send('raw', 'x');
    const broken = expect(dripping.text()).rejects.toThrow();
    server.faults.add({ uploadBytesPerSecond: 1 });
    const uploading = expect(send('raw', 'x'.repeat(1000))).rejects.toThrow(TypeError);
    await eventually(() => expect(server.inspect.store().events).toBe(1));
    await server.close();
    await Promise.all([broken, uploading]);
    expect(fault.hits).toBe(1);
  });
});
