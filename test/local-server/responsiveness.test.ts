import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { answeredDuring } from './answered-during.ts';
import { createJob, ingest, poll, post, runJob, stream } from './query-calls.ts';

let server: LocalServer;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  server = await startLocalServer({ queryTimeoutMs: 300, onWarning: (message) => warnings.push(message) });
});
afterEach(() => server.close());

const STUCK = /^The query was canceled: a step took longer than 300 ms for a few events\./;

describe('a regular expression that takes ages for one event, and that no other engine can run', () => {
  beforeEach(() => ingest(server, [{ timestamp: Date.now(), attributes: { text: `${'a'.repeat(40)}!` } }]));

  it.each([
    'text=/^(?=(a+)+$)/',
    'nope or not regex("^(?=(a+)+$)", field=text)',
    'replace("^(a+)+\\\\1$", field=text)',
  ])('cancels its job: %s', async (query) => {
    const { cancelled, metaData } = await runJob(server, query);
    expect(cancelled).toBe(true);
    expect(metaData.warnings).toEqual([expect.stringMatching(STUCK)]);
    await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
    expect(await stream(server, 'count()')).toEqual([{ _count: '2' }]);
  });

  it('fails a streaming query, also where it works on the result', async () => {
    for (const body of [
      { queryString: 'text=/^(?=(a+)+$)/ | count()' },
      { queryString: 'groupBy(text) | text=/^(?=(a+)+$)/' },
      { queryString: 'text=/^(?=(a+)+$)/' },
      { queryString: 'text=/^(?=(a+)+$)/', isLive: true },
    ]) {
      const response = await post(server, 'repositories/sandbox/query', JSON.stringify(body), {
        headers: { accept: 'application/json' },
      });
      expect(response.status).toBe(500);
      expect(await response.text()).toMatch(STUCK);
    }
  });

  it('breaks a stream off that has begun, and tells the owner of the server why', async () => {
    await server.close();
    // By the clock below, the easy events alone take seconds.
    server = await startLocalServer({
      queryTimeoutMs: 600_000,
      onWarning: (message) => warnings.push(message),
    });
    const timestamp = Date.now();
    // More than a segment and more than the sockets hold: the server reaches the hard event only after the client has
    // read the start of the stream.
    const attributes = { text: 'aa', padding: 'x'.repeat(5_000) };
    const easy = Array.from({ length: 1_000 }, () => ({ timestamp: timestamp - 1000, attributes }));
    for (let batch = 0; batch < 6; batch++) await ingest(server, easy);
    await ingest(server, [{ timestamp, attributes: { text: `${'a'.repeat(40)}!` } }]);
    const body = JSON.stringify({ queryString: 'text=/^(?=(a+)+$)/' });
    // A slice covers only a few events, so the first rows are sent before the second segment is read.
    stepClock(0.4);
    const response = await post(server, 'repositories/sandbox/query', body);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The response to POST \/api\/v1\/repositories\/sandbox\/query was cut off\. The query was canceled: a step took/,
      ),
    ]);
  });
});

it('answers other requests while it ingests a large one', async () => {
  await using portless = await startLocalServer({ listen: false });
  const attributes = { level: 'info', http: { status: 200, path: '/a/b' } };
  const events = Array.from({ length: 20_000 }, (_, n) => ({
    timestamp: n + 1,
    attributes: { n, ...attributes },
  }));
  const body = JSON.stringify([{ events }]);
  const ingesting = (): Promise<unknown> =>
    post(portless, 'ingest/humio-structured', body, { token: portless.ingestToken });
  expect(await answeredDuring(ingesting, portless, 5)).toBeGreaterThan(10);
  expect(portless.inspect.store().events).toBe(20_000);
});

it('answers other requests while it reads fields of many events for the first time', async () => {
  await using portless = await startLocalServer({ listen: false });
  const event = (n: number): Record<string, unknown> => ({
    timestamp: Date.now() - 1000,
    attributes: { a: n % 7, b: n % 9, c: n % 11, d: n, e: n % 100 },
  });
  await ingest(
    portless,
    Array.from({ length: 40_000 }, (_, n) => event(n)),
  );
  const querying = (): Promise<unknown> => stream(portless, 'groupBy([a, b, c], function=[sum(d), max(e)])');
  expect(await answeredDuring(querying, portless, 0.2)).toBeGreaterThan(10);
});

it('evaluates a live job once more, and no more, for a poll that comes during an evaluation', async () => {
  const live = await startLocalServer({ listen: false, now: Date.now() });
  const event = { timestamp: live.clock.now(), attributes: { text: 'abc '.repeat(50) } };
  await ingest(
    live,
    Array.from({ length: 5000 }, () => event),
  );
  const id = await createJob(live, 'replace("[a-z]", with="x", field=text) | count()', { isLive: true });
  while (!(await poll(live, id)).done);
  await ingest(live, [event]);
  const early = poll(live, id);
  await ingest(live, [event]);
  const late = poll(live, id);
  await new Promise((resolve) => setImmediate(resolve));
  // An evaluation that takes long begins long after the poll that asks for it.
  live.clock.advance(5000);
  expect((await early).events).toEqual([{ _count: '5001' }]);
  expect((await late).events).toEqual([{ _count: '5002' }]);
  await live.close();
});
