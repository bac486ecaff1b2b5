import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { bytesInUse } from '../helpers/heap-size.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { ingest, post, stream } from './query-calls.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ keepAliveIntervalMs: 50 });
});
afterEach(() => server.close());

function openStream(
  queryString: string,
  options: Record<string, unknown> = {},
  init: { accept?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { accept = 'application/x-ndjson', ...rest } = init;
  return post(server, 'repositories/sandbox/query', JSON.stringify({ queryString, ...options }), {
    headers: { accept, 'x-desired-filename': 'out "1".txt' },
    ...rest,
  });
}

/** Lines as they arrive, including blank ones. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const text of response.body!.pipeThrough(
    new TextDecoderStream(),
  ) as unknown as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function nextRow(lines: AsyncGenerator<string>): Promise<Record<string, unknown>> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The stream has ended.');
    if (value !== '') return JSON.parse(value);
  }
}

describe('Static streaming query', () => {
  it('streams all matching events, not only 200', async () => {
    const start = Date.now() - 10_000;
    await ingest(
      server,
      Array.from({ length: 1000 }, (_, n) => ({ timestamp: start + n, attributes: { n } })),
    );
    const rows = await stream(server, 'n<700');
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 700 }, (_, n) => n));
  });

  it('writes @timestamp as a number up to the last valid date, and as a string beyond it', async () => {
    const last = 8_640_000_000_000_000;
    await ingest(server, [
      { timestamp: 1, attributes: {} },
      { timestamp: last, attributes: {} },
    ]);
    const rows = await stream(server, '*', { start: 0, end: last });
    expect(rows.map((row) => row['@timestamp'])).toEqual([1, last]);
    expect(await stream(server, '"@timestamp" := "9999999999999999"', { start: 0, end: 2 })).toMatchObject([
      { '@timestamp': '9999999999999999' },
    ]);
  });

  it('responds in the format of the Accept header', async () => {
    const timestamp = Date.now();
    await ingest(server, [
      { timestamp, attributes: { a: 1 }, rawstring: 'one' },
      { timestamp, attributes: { a: 2 }, rawstring: 'two\nlines' },
    ]);
    const ndjson = await openStream('select([a])');
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson');
    expect(ndjson.headers.get('humio-query-id')).toMatch(/^IQ-\w{24}$/);
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="out _1_.txt"');
    expect(await ndjson.text()).toBe('{"a":"1"}\n{"a":"2"}\n');
    const json = await openStream('*', {}, { accept: 'application/json' });
    expect(await json.json()).toMatchObject([{ a: '1', '@timestamp': timestamp }, { a: '2' }]);
    const none = await openStream('a=3', {}, { accept: 'application/json' });
    expect(await none.json()).toEqual([]);
    const text = await openStream('*', {}, { accept: 'text/plain' });
    expect(text.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await text.text()).toBe('one\ntwo\nlines\n');
    expect(await (await openStream('count(as=x)', {}, { accept: '*/*' })).text()).toBe('x->2\n');
  });

  it('streams the rows of an aggregate', async () => {
    await ingest(server, [{ timestamp: Date.now(), attributes: { a: 1 } }]);
    expect(await stream(server, 'count()')).toEqual([{ _count: '1' }]);
  });

  it('accepts arguments and ignores unknown members', async () => {
    await ingest(server, [
      { timestamp: Date.now(), attributes: { host: 'a' } },
      { timestamp: Date.now(), attributes: { host: 'b' } },
    ]);
    const rows = await stream(server, 'host=?host', {
      arguments: { host: 'b' },
      languageVersion: 'legacy',
      x: {},
    });
    expect(rows).toMatchObject([{ host: 'b' }]);
  });

  it('computes days in the time zone of the query', async () => {
    server.clock.set(Date.UTC(2026, 1, 3, 23, 30));
    await ingest(server, [{ timestamp: Date.UTC(2026, 1, 3, 22, 30), attributes: {} }]);
    const bucket = { queryString: 'bucket(span=1d, function=count())', start: '1h' };
    const [local] = await stream(server, bucket.queryString, { start: '1h', timeZoneOffsetMinutes: 120 });
    expect(local?._bucket).toBe(String(Date.UTC(2026, 1, 3, 22)));
    const [utc] = await stream(server, bucket.queryString, { start: '1h' });
    expect(utc?._bucket).toBe(String(Date.UTC(2026, 1, 3)));
  });

  it('waits for a slow reader instead of buffering the result in memory', async () => {
    const padding = 'x'.repeat(1000);
    for (let batch = 0; batch < 10; batch++) {
      await ingest(
        server,
        Array.from({ length: 2000 }, () => ({ timestamp: Date.now(), rawstring: padding, attributes: {} })),
      );
    }
    const response = await server.fetch(`${server.url}/api/v1/repositories/sandbox/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, accept: 'application/x-ndjson' },
      body: '{"queryString":"*"}',
    });
    const reader = response.body!.getReader();
    await reader.read();
    const before = bytesInUse();
    // Each turn is enough to write 256 events.
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(bytesInUse() - before).toBeLessThan(5_000_000); // of more than 20 MB
    await reader.cancel();
  });

  it('aborts its response when the server closes, so that it does not look complete', async () => {
    const rawstring = 'x'.repeat(2000);
    for (let batch = 0; batch < 3; batch++) {
      await ingest(
        server,
        Array.from({ length: 3000 }, () => ({ timestamp: Date.now(), rawstring, attributes: {} })),
      );
    }
    const response = await openStream('*');
    expect(response.status).toBe(200);
    await server.close();
    await expect(response.text()).rejects.toThrow();
  });

  it('does not block ingest while it runs', async () => {
    for (let batch = 0; batch < 4; batch++) {
      await ingest(
        server,
        Array.from({ length: 3000 }, (_, n) => ({
          timestamp: Date.now(),
          attributes: { n, text: `a${n}b` },
        })),
      );
    }
    const order: string[] = [];
    // By this clock, the query needs hundreds of time slices.
    stepClock(0.2);
    const slow = stream(
      server,
      'text=/a\\d+b/ | groupBy([n], function=[count(), max(n)], limit=20000) | count()',
    ).then(() => order.push('query'));
    await post(server, 'ingest/raw', 'meanwhile', { token: server.ingestToken });
    order.push('ingest');
    await slow;
    expect(order).toEqual(['ingest', 'query']);
  });
});

describe('Live streaming query', () => {
  it('streams existing events, then new ones, each once', async () => {
    await ingest(server, [{ timestamp: Date.now(), attributes: { n: 0, wanted: 'yes' } }]);
    const lines = linesOf(await openStream('wanted=yes', { isLive: true, start: '1m' }));
    expect(await nextRow(lines)).toMatchObject({ n: '0' });
    for (let n = 1; n < 20; n++) {
      await ingest(server, [
        { timestamp: Date.now(), attributes: { n, wanted: 'no' } },
        { timestamp: Date.now(), attributes: { n, wanted: 'yes' } },
      ]);
      expect(await nextRow(lines)).toMatchObject({ n: String(n), wanted: 'yes' });
    }
    await lines.return(undefined);
  });

  it('neither loses nor repeats events that arrive while it starts', async () => {
    const batch = (from: number) =>
      Array.from({ length: 500 }, (_, n) => ({ timestamp: Date.now(), attributes: { n: from + n } }));
    await ingest(server, batch(0));
    const [response] = await Promise.all([
      openStream('*', { isLive: true, start: '1m' }),
      ingest(server, batch(500)),
      ingest(server, batch(1000)),
    ]);
    const lines = linesOf(response);
    const seen: number[] = [];
    while (seen.length < 1500) seen.push(Number((await nextRow(lines)).n));
    expect(new Set(seen).size).toBe(1500);
    await lines.return(undefined);
  });

  it('responds at once and sends blank lines while it is idle', async () => {
    const response = await openStream('*', { isLive: true, start: 'now' });
    expect(response.status).toBe(200);
    const lines = linesOf(response);
    expect(await lines.next()).toEqual({ value: '', done: false });
    expect(await lines.next()).toEqual({ value: '', done: false });
    await ingest(server, [{ timestamp: Date.now(), attributes: { n: 1 } }]);
    expect(await nextRow(lines)).toMatchObject({ n: '1' });
    await lines.return(undefined);
  });

  it('skips events older than its interval that arrive late', async () => {
    const lines = linesOf(await openStream('*', { isLive: true, start: '1m' }));
    await ingest(server, [
      { timestamp: Date.now() - 120_000, attributes: { n: 'old' } },
      { timestamp: Date.now() - 30_000, attributes: { n: 'late' } },
    ]);
    expect(await nextRow(lines)).toMatchObject({ n: 'late' });
    await lines.return(undefined);
  });

  it('stops when its client disconnects', async () => {
    const leaving = new AbortController();
    const response = await openStream('*', { isLive: true }, { signal: leaving.signal });
    const lines = linesOf(response);
    await lines.next();
    expect(server.inspect.store().liveStreams).toBe(1);
    leaving.abort(new Error('enough'));
    await expect(nextRow(lines)).rejects.toThrow('enough');
    await eventually(() => expect(server.inspect.store().liveStreams).toBe(0));
  });

  it('completes its response when the server closes', async () => {
    await ingest(server, [{ timestamp: Date.now(), attributes: { n: 1 } }]);
    const response = await openStream('*', { isLive: true }, { accept: 'application/json' });
    const text = response.text();
    await eventually(() => expect(server.inspect.requests({ path: /query$/ })).toHaveLength(1));
    await server.close();
    expect(JSON.parse(await text)).toMatchObject([{ n: '1' }]);
  });

  it('closes the connection when its client stops reading and too much output is pending', async () => {
    await server.close();
    server = await startLocalServer({ maxRequestBytes: 200_000 });
    const response = await server.fetch(`${server.url}/api/v1/repositories/sandbox/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, accept: 'application/x-ndjson' },
      body: '{"queryString":"*","isLive":true}',
    });
    for (let batch = 0; batch < 10; batch++) {
      await ingest(server, [{ timestamp: Date.now(), rawstring: 'x'.repeat(150_000), attributes: {} }]);
    }
    await expect(response.text()).rejects.toThrow('fetch failed');
    expect(server.inspect.store().events).toBe(10);
  });
});
