import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { answeredDuring } from './answered-during.ts';
import { createJob, ingest, poll, post, runJob, stream } from './query-calls.ts';

let server: LocalServer;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  server = await startLocalServer({ onWarning: (message) => warnings.push(message) });
});
afterEach(() => server.close());

const TOO_LONG =
  /^The query was canceled: a regular expression with look-around, backreferences or atomic groups can search at most \d+ characters here, but a value has 5000/;
const LOOK_AHEAD = 'text=/^(?=.*a.*a)a/';

describe('Regular expression that needs the backtracking engine', () => {
  beforeEach(() => ingest(server, [{ timestamp: Date.now(), attributes: { text: 'a'.repeat(5000) } }]));

  it.each([
    LOOK_AHEAD,
    'nope or not regex("^(?=.*a.*a)a", field=text)',
    'replace("^(a*a*)\\1$", field=text)',
  ])('cancels its query job if a value is too long: %s', async (query) => {
    const { cancelled, metaData } = await runJob(server, query);
    expect(cancelled).toBe(true);
    expect(metaData.warnings).toEqual([expect.stringMatching(TOO_LONG)]);
    await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
    expect(await stream(server, 'count()')).toEqual([{ _count: '2' }]);
  });

  it('is rejected before the query starts if it can take exponential time', async () => {
    const body = JSON.stringify({ queryString: 'text=/^(?=(a+)+$)/' });
    const response = await post(server, 'repositories/sandbox/query', body);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('it can take exponential time'),
    ]);
  });

  it('fails a streaming query on a value that is too long, also after an aggregate', async () => {
    for (const body of [
      { queryString: `${LOOK_AHEAD} | count()` },
      { queryString: `groupBy(text) | ${LOOK_AHEAD}` },
      { queryString: LOOK_AHEAD },
      { queryString: LOOK_AHEAD, isLive: true },
    ]) {
      const response = await post(server, 'repositories/sandbox/query', JSON.stringify(body), {
        headers: { accept: 'application/json' },
      });
      expect(response.status).toBe(500);
      expect(((await response.json()) as { detail: string }).detail).toMatch(TOO_LONG);
    }
  });

  it('cuts off a stream that has started, and the server logs the reason', async () => {
    await server.close();
    // With the clock below, the easy events alone take seconds.
    server = await startLocalServer({
      queryTimeoutMs: 600_000,
      onWarning: (message) => warnings.push(message),
    });
    const timestamp = Date.now();
    // More than a segment and than the socket buffers hold: the server reaches the hard event only after the client has
    // read the start of the stream.
    const attributes = { text: 'aa', padding: 'x'.repeat(5_000) };
    const easy = Array.from({ length: 1_000 }, () => ({ timestamp: timestamp - 1000, attributes }));
    for (let batch = 0; batch < 6; batch++) await ingest(server, easy);
    await ingest(server, [{ timestamp, attributes: { text: 'a'.repeat(5000) } }]);
    const body = JSON.stringify({ queryString: LOOK_AHEAD });
    // A slice covers only a few events, so the first rows are sent before the second segment is read.
    stepClock(0.4);
    const response = await post(server, 'repositories/sandbox/query', body);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The response to POST \/api\/v1\/repositories\/sandbox\/query was cut off\. The query was canceled: a regular expression with/,
      ),
    ]);
  });
});

it('the server responds to other requests while it ingests a large one', async () => {
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

it('the server responds to other requests while it reads fields of many events for the first time', async () => {
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

it('a poll during an evaluation of a live job gets the result of the next evaluation', async () => {
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
  // A slow evaluation starts long after the poll that requests it.
  live.clock.advance(5000);
  expect((await early).events).toEqual([{ _count: '5001' }]);
  expect((await late).events).toEqual([{ _count: '5002' }]);
  await live.close();
});
