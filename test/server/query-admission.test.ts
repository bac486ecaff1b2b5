import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { QueryAdmission } from '../../src/server/queries/query-admission.ts';
import type { QueryShare } from '../../src/server/queries/query-share.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { callJob, createJob, ingest, poll, post, stream } from './query-calls.ts';

const MAX_BYTES = 1000;

/** A query that runs until it is ended. */
class ManualQuery {
  readonly share: QueryShare;
  starts = 0;
  readonly result: Promise<string | undefined>;
  #end: (result: string) => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor(admission: QueryAdmission, release?: () => boolean) {
    this.share = admission.open({ isLive: false, ...(release && { release }) });
    this.result = this.share.run(
      () =>
        new Promise<string>((resolve, reject) => {
          this.starts++;
          this.#end = resolve;
          this.#fail = reject;
        }),
    );
  }

  /** Ends a slice of the run, as queries do. */
  slice(): Promise<void> {
    try {
      this.share.check();
    } catch (error) {
      this.#fail(error);
    }
    return settled();
  }

  end(): Promise<void> {
    this.#end('done');
    return settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const startsOf = (queries: readonly ManualQuery[]): number[] => queries.map(({ starts }) => starts);

describe('QueryAdmission', () => {
  let admission: QueryAdmission;
  beforeEach(() => {
    admission = new QueryAdmission(MAX_BYTES, () => ({ used: 0, limit: 1 }));
  });
  const open = (count: number): ManualQuery[] =>
    Array.from({ length: count }, () => new ManualQuery(admission));

  it('starts three static queries at once, and the others in the order of their arrival', async () => {
    const queries = open(6);
    expect(startsOf(queries)).toEqual([1, 1, 1, 0, 0, 0]);
    await queries[1]!.end();
    expect(startsOf(queries)).toEqual([1, 1, 1, 1, 0, 0]);
    await queries[0]!.end();
    await queries[3]!.end();
    expect(startsOf(queries)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('starts another query while the others use at most half of the memory', async () => {
    const [first, second, third, fourth, fifth] = open(5) as [
      ManualQuery,
      ManualQuery,
      ManualQuery,
      ManualQuery,
      ManualQuery,
    ];
    first.share.use(MAX_BYTES / 2);
    await second.end();
    expect(fourth.starts).toBe(1);
    first.share.use(1);
    await third.end();
    expect(fifth.starts).toBe(0);
    first.share.set(0);
    await fourth.end();
    expect(fifth.starts).toBe(1);
  });

  it('never starts a query that was closed while it waited, and starts the next one instead', async () => {
    const queries = open(5);
    queries[3]!.share.close();
    expect(await queries[3]!.result).toBeUndefined();
    await queries[0]!.end();
    expect(startsOf(queries)).toEqual([1, 1, 1, 0, 1]);
  });

  it('restarts only the largest query if the memory is exceeded, when no other query runs', async () => {
    const [small, large, other, waiting] = open(4) as [ManualQuery, ManualQuery, ManualQuery, ManualQuery];
    small.share.use(200);
    large.share.use(600);
    other.share.use(300);
    await Promise.all([small, large, other].map((query) => query.slice()));
    expect(large.share.bytes).toBe(0);
    expect(startsOf([small, large, other, waiting])).toEqual([1, 1, 1, 0]);
    await small.end();
    expect(startsOf([small, large, other, waiting])).toEqual([1, 1, 1, 0]);
    await other.end();
    expect(startsOf([small, large, other, waiting])).toEqual([1, 2, 1, 0]);
    large.share.use(MAX_BYTES);
    await large.slice();
    await large.end();
    expect(await large.result).toBe('done');
    expect(waiting.starts).toBe(1);
  });

  it('does not restart or stop a query that runs alone', async () => {
    const [query] = open(1) as [ManualQuery];
    query.share.use(5 * MAX_BYTES);
    await query.slice();
    expect(query.starts).toBe(1);
    const [next] = open(1) as [ManualQuery];
    expect(next.starts).toBe(0);
    await query.end();
    expect([await query.result, next.starts]).toEqual(['done', 1]);
  });

  it('counts live queries, which do not wait, and restarts static queries rather than cancel live ones', async () => {
    const cancelled: Error[] = [];
    const live = admission.open({ isLive: true });
    live.onCancel = (problem) => cancelled.push(problem);
    const [first, second] = open(2) as [ManualQuery, ManualQuery];
    live.use(500);
    first.share.use(300);
    second.share.use(400);
    await Promise.all([first.slice(), second.slice()]);
    await first.end();
    expect([second.starts, cancelled]).toEqual([2, []]);
    second.share.use(MAX_BYTES);
    await second.slice();
    await second.end();
    expect([await second.result, cancelled]).toEqual(['done', []]);
  });

  it('cancels the largest live query if live queries alone exceed the memory', () => {
    const cancelled: string[] = [];
    const lives = [100, 700, 300].map((bytes) => {
      const share = admission.open({ isLive: true });
      share.onCancel = (problem) => cancelled.push(`${bytes}: ${problem.message}`);
      share.use(bytes);
      return share;
    });
    expect(cancelled).toEqual([expect.stringMatching(/^700: The query was canceled: live queries together/)]);
    expect(() => lives[0]!.check()).not.toThrow();
    expect(() => lives[1]!.check()).toThrow('live queries together need more than 1000 bytes');
  });

  it('keeps a result that was not read, and drops one that was read if the next query needs the memory', async () => {
    let isRead = false;
    const query = new ManualQuery(admission, () => isRead);
    query.share.keep(600);
    await query.end();
    const [waiting] = open(1) as [ManualQuery];
    expect([waiting.starts, query.share.bytes]).toEqual([0, 600]);
    isRead = true;
    admission.advance();
    await settled();
    expect([waiting.starts, query.share.bytes]).toEqual([1, 0]);
  });
});

describe('Queue of a server', () => {
  const SLOW = `${Array.from({ length: 20 }, () => 'hash(text, as=h) | text := format("%s %s", field=[text, h])').join(' | ')} | count(h, distinct=true)`;
  let server: LocalServer;
  beforeEach(async () => {
    server = await startLocalServer({ listen: false, now: Date.UTC(2026, 1, 3, 9) });
    const timestamp = server.clock.now() - 60_000;
    await ingest(
      server,
      Array.from({ length: 5000 }, (_, n) => ({ timestamp, attributes: { n, text: `${n} some words` } })),
    );
    // Each slice of a query reads few events, so no query ends during a test.
    stepClock(1);
  });
  afterEach(() => server.close());

  const jobs = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => createJob(server, SLOW)));

  it('responds to polls of a waiting job without a result, until the job is deleted', async () => {
    const last = (await jobs(5)).at(-1)!;
    server.clock.advance(500);
    const { cancelled, done, events, metaData } = await poll(server, last);
    expect({ cancelled, done, events, warnings: metaData.warnings }).toEqual({
      cancelled: false,
      done: false,
      events: [],
      warnings: [],
    });
    expect(metaData).toMatchObject({ queuedMillis: 500, workDone: 0 });
    expect((await callJob(server, last, 'DELETE')).status).toBe(204);
    expect((await callJob(server, last)).status).toBe(404);
  });

  it('drops a waiting job that is not polled, and starts the next one', async () => {
    const ids = await jobs(5);
    server.clock.advance(60_000);
    for (const id of [...ids.slice(0, 3), ids[4]!]) await poll(server, id);
    server.clock.advance(60_000);
    expect((await callJob(server, ids[3]!)).status).toBe(404);
    await callJob(server, ids[0]!, 'DELETE');
    await expect.poll(async () => (await poll(server, ids[4]!)).metaData.totalWork).toBe(5000);
  });

  it('answers live queries, ingest requests and the status while static queries wait', async () => {
    const last = (await jobs(20)).at(-1)!;
    const live = await createJob(server, 'count()', { isLive: true, start: '30s' });
    await expect.poll(async () => (await poll(server, live)).events).toEqual([{ _count: '0' }]);
    await ingest(server, [{ timestamp: server.clock.now(), attributes: { n: 'new' } }]);
    await expect.poll(async () => (await poll(server, live)).events).toEqual([{ _count: '1' }]);
    expect((await poll(server, last)).metaData).toMatchObject({ workDone: 0, totalWork: 0 });
  });

  it.each(['query', 'patterns'])(
    'lets /%s wait for its turn, and ends it when the server closes',
    async (path) => {
      await jobs(3);
      const waiting = post(server, `repositories/sandbox/${path}`, JSON.stringify({ queryString: 'n=1' }));
      expect((await poll(server, await createJob(server, 'n=1'))).done).toBe(false);
      await server.close();
      expect((await waiting).status).toBe(503);
    },
  );

  it('starts a streaming query when there is capacity', async () => {
    const ids = await jobs(3);
    const rows = stream(server, 'n=1 | select(n)');
    for (const id of ids) await callJob(server, id, 'DELETE');
    expect(await rows).toEqual([{ n: '1' }]);
  });
});

it('a result that was read and released is computed again by the next poll, which is done', async () => {
  const server = await startLocalServer({ listen: false, maxQueryBytes: 2_000_000 });
  onTestFinished(() => server.close());
  const timestamp = Date.now() - 1000;
  await ingest(
    server,
    Array.from({ length: 2000 }, (_, n) => ({ timestamp, attributes: { n } })),
  );
  const query = 'groupBy(n, limit=max) | sort(n, limit=max)';
  const ids: string[] = [];
  for (let job = 0; job < 6; job++) {
    const id = await createJob(server, query);
    while (!(await poll(server, id)).done);
    ids.push(id);
  }
  for (const id of ids) {
    const { done, cancelled, events } = await poll(server, id);
    expect([done, cancelled, events.length]).toEqual([true, false, 2000]);
  }
});
