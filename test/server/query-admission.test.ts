import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useRuntime } from '../../src/server/event-loop.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { QueryAdmission, type QueryShare, TRIAL_MS } from '../../src/server/queries/query-admission.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { createJob, ingest, poll, post, stream } from './query-calls.ts';

const MAX_BYTES = 1000;
const LIMITS = { queryTimeoutMs: 10_000, maxQueryGroups: 100, maxQueryBytes: MAX_BYTES };

/** A query that runs until it is ended. */
class ManualQuery {
  readonly share: QueryShare;
  starts = 0;
  /** Turns of the event loop that it has got. */
  turns = 0;
  readonly result: Promise<string | undefined>;
  #end: (result: string) => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor(admission: QueryAdmission, release?: () => boolean) {
    this.share = admission.open({ isLive: false });
    if (release !== undefined) this.share.release = release;
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

  /** Uses CPU time, and waits for its next turn. */
  async use(ms: number): Promise<void> {
    this.share.spentMs += ms;
    const before = this.turns;
    void this.share.turn().then(() => {
      this.turns = before + 1;
    });
    await settled();
  }

  end(): Promise<void> {
    this.#end('done');
    return settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

const startsOf = (queries: readonly ManualQuery[]): number[] => queries.map(({ starts }) => starts);

describe('QueryAdmission', () => {
  let admission: QueryAdmission;
  beforeEach(() => {
    useRuntime(nextTurn);
    admission = new QueryAdmission(LIMITS, () => ({ used: 0, limit: 1 }));
  });
  const open = (count: number): ManualQuery[] =>
    Array.from({ length: count }, () => new ManualQuery(admission));

  it('starts static queries at once, and gives three of them a place after their trial', async () => {
    const queries = open(6);
    expect(startsOf(queries)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const query of queries) await query.use(TRIAL_MS - 1);
    expect(queries.map(({ turns }) => turns)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const query of queries) await query.use(1);
    expect(queries.map(({ turns }) => turns)).toEqual([2, 2, 2, 1, 1, 1]);
    await queries[1]!.end();
    await settled();
    expect(queries.map(({ turns }) => turns)).toEqual([2, 2, 2, 2, 1, 1]);
    queries[4]!.share.close();
    await settled();
    expect(queries.map(({ turns }) => turns)).toEqual([2, 2, 2, 2, 2, 1]);
  });

  it('gives a free place to the query that has used the least', async () => {
    const queries = open(5);
    const [first, , , fourth, fifth] = queries as [
      ManualQuery,
      ManualQuery,
      ManualQuery,
      ManualQuery,
      ManualQuery,
    ];
    for (const query of queries) await query.use(query === fourth ? 2 * TRIAL_MS : TRIAL_MS);
    await first.end();
    await settled();
    expect([fourth.turns, fifth.turns]).toEqual([0, 1]);
  });

  it('moves a place from a query to one that has used at most a quarter of its time, while there is memory', async () => {
    const queries = open(4);
    const [first, second, , fourth] = queries as [ManualQuery, ManualQuery, ManualQuery, ManualQuery];
    for (const query of queries) await query.use(TRIAL_MS);
    first.share.use(MAX_BYTES / 2 + 1);
    await first.use(4 * TRIAL_MS);
    expect([first.turns, fourth.turns]).toEqual([2, 0]);
    first.share.set(0);
    await first.use(1);
    await settled();
    expect([first.turns, fourth.turns]).toEqual([2, 1]);
    await second.end();
    await settled();
    expect(first.turns).toBe(3);
  });

  it('starts a query at once, however much memory others use, and however long they wait', async () => {
    const [first, second] = open(2) as [ManualQuery, ManualQuery];
    first.share.use(MAX_BYTES - 1);
    second.share.use(2);
    await Promise.all([first.slice(), second.slice()]);
    const [light] = open(1) as [ManualQuery];
    await light.use(TRIAL_MS - 1);
    expect(light.turns).toBe(1);
    await light.end();
    expect(await light.result).toBe('done');
  });

  it('never starts a query that was closed while it waited, and starts the next one instead', async () => {
    let isRead = false;
    const first = new ManualQuery(admission, () => isRead);
    first.share.keep(MAX_BYTES / 2 + 1);
    await first.end();
    const [second, third] = open(2) as [ManualQuery, ManualQuery];
    second.share.close();
    expect(await second.result).toBeUndefined();
    expect(startsOf([second, third])).toEqual([0, 0]);
    isRead = true;
    admission.advance();
    await settled();
    expect(startsOf([second, third])).toEqual([0, 1]);
  });

  it('restarts only the largest query if the memory is exceeded, when no other query has a place', async () => {
    const [small, large, other] = open(3) as [ManualQuery, ManualQuery, ManualQuery];
    small.share.use(200);
    large.share.use(600);
    for (const query of [small, large, other]) await query.use(TRIAL_MS);
    other.share.use(300);
    await Promise.all([small, large, other].map((query) => query.slice()));
    expect(large.share.bytes).toBe(0);
    expect(startsOf([small, large, other])).toEqual([1, 1, 1]);
    const [late] = open(1) as [ManualQuery];
    await late.use(TRIAL_MS);
    await small.end();
    expect(startsOf([small, large, other, late])).toEqual([1, 1, 1, 1]);
    await other.end();
    expect(startsOf([small, large, other])).toEqual([1, 2, 1]);
    large.share.use(MAX_BYTES);
    late.share.use(1);
    await Promise.all([large.slice(), late.slice()]);
    expect([large.share.bytes, late.share.bytes]).toEqual([MAX_BYTES, 0]);
    await large.end();
    expect(await large.result).toBe('done');
    expect(startsOf([late])).toEqual([2]);
  });

  it('does not restart or stop a query that runs alone', async () => {
    const [query] = open(1) as [ManualQuery];
    query.share.use(5 * MAX_BYTES);
    await query.slice();
    expect(query.starts).toBe(1);
    await query.end();
    expect(await query.result).toBe('done');
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

  it('answers live queries, ingest requests and the status while static queries run', async () => {
    await jobs(20);
    const live = await createJob(server, 'count()', { isLive: true, start: '30s' });
    await expect.poll(async () => (await poll(server, live)).events).toEqual([{ _count: '0' }]);
    await ingest(server, [{ timestamp: server.clock.now(), attributes: { n: 'new' } }]);
    await expect.poll(async () => (await poll(server, live)).events).toEqual([{ _count: '1' }]);
  });

  it.each([
    ['query', SLOW],
    ['patterns', SLOW.replace(/ \| count.*/, '')],
  ])('ends /%s when the server closes', async (path, queryString) => {
    await jobs(3);
    const running = post(server, `repositories/sandbox/${path}`, JSON.stringify({ queryString }));
    expect((await poll(server, await createJob(server, SLOW))).done).toBe(false);
    await server.close();
    expect((await running).status).toBe(503);
  });

  it('answers a light query while heavy ones run', async () => {
    const ids = await jobs(5);
    expect(await stream(server, 'n=1 | select(n)')).toEqual([{ n: '1' }]);
    for (const id of ids) expect((await poll(server, id)).done).toBe(false);
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
