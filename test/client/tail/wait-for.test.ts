import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { WaitForOptions } from '../../../src/client/tail/wait-for.ts';
import {
  LogOptionsException,
  LogQueryException,
  LogTimeoutException,
  LogWaitTimeoutException,
} from '../../../src/core/errors.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { sendJson, sendText, startService } from '../../helpers/http-service.ts';
import { makeEvents, type PollAnswer, pollAnswer } from '../../helpers/query-answers.ts';

/** A service whose live jobs respond to polls, counted over all jobs, with the result of `poll`; undefined is a 404. */
async function start(poll: (count: number) => PollAnswer | undefined) {
  const jobs = new Set<string>();
  let created = 0;
  let polls = 0;
  const service = await startService((request, response) => {
    const id = request.path.split('/')[6] ?? '';
    if (request.method === 'POST') {
      const newId = `job-${created++}`;
      jobs.add(newId);
      return sendJson(response, { id: newId });
    }
    if (request.method === 'DELETE') {
      jobs.delete(id);
      return response.writeHead(204).end();
    }
    const answer = poll(polls++);
    if (answer !== undefined) return sendJson(response, pollAnswer(answer));
    jobs.delete(id);
    sendText(response, 404, '');
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  return { service, client, jobs };
}

const events = makeEvents(300);

const TIMEOUT_MS = 1_234;

/** How a wait for three rows fails if its time is up after this number of requests. */
async function timeoutOf(
  client: LogClient,
  { untilCalls, service }: { untilCalls: number; service: { readonly calls: readonly string[] } },
): Promise<unknown> {
  const limit = holdTimers(TIMEOUT_MS);
  const startedAt = performance.now();
  const failure = client.waitFor('foo=1', 3, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => error);
  await eventually(() => expect(service.calls.length).toBeGreaterThanOrEqual(untilCalls));
  const clock = vi.spyOn(performance, 'now').mockReturnValue(startedAt + 2 * TIMEOUT_MS);
  await limit.fire();
  try {
    return await failure;
  } finally {
    clock.mockRestore();
  }
}

describe('waitFor()', () => {
  it('resolves with the rows once there are enough, and deletes its job', async () => {
    const { service, client, jobs } = await start((count) => ({ events: events.slice(0, count) }));
    expect(await client.waitFor('foo', 3, { start: '5m' })).toEqual(events.slice(0, 3));
    expect(service.requests[0]?.json()).toEqual({ queryString: 'foo', isLive: true, start: '5m' });
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('waits for one row by default', async () => {
    const { client } = await start((count) => ({ events: events.slice(0, count) }));
    expect(await client.waitFor('foo')).toHaveLength(1);
  });

  it('waits for a condition on the rows', async () => {
    const { client } = await start((count) => ({ events: [{ _count: String(count) }], isAggregate: true }));
    const rows = await client.waitFor<{ _count: string }>('count()', ([row]) => Number(row?._count) >= 4);
    expect(rows).toEqual([{ _count: '4' }]);
  });

  it('waits for an asynchronous condition', async () => {
    const { client } = await start((count) => ({ events: events.slice(0, count) }));
    expect(await client.waitFor('foo', async (rows) => rows.length > 1)).toHaveLength(2);
  });

  it('ignores an incomplete result', async () => {
    const { client } = await start((count) => ({ events: events.slice(0, count), done: count === 5 }));
    expect(await client.waitFor('foo', 1)).toHaveLength(5);
  });

  it('fails after timeoutMs with the query, the last rows and the time it waited', async () => {
    const { client, service, jobs } = await start(() => ({ events: events.slice(0, 2) }));
    const error = await timeoutOf(client, { untilCalls: 4, service });
    expect(error).toBeInstanceOf(LogWaitTimeoutException);
    expect(error).toBeInstanceOf(LogTimeoutException);
    expect(error).toMatchObject({
      code: 'LOG_TIMEOUT',
      query: 'foo=1',
      rows: events.slice(0, 2),
      timeoutMs: TIMEOUT_MS,
    });
    const { waitedMs, message } = error as LogWaitTimeoutException;
    expect(waitedMs).toBeGreaterThanOrEqual(TIMEOUT_MS);
    expect(message).toBe(
      `Waited ${waitedMs} ms for 3 row(s) of the query (see .query); it has 2 row(s) now.`,
    );
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('times out while a poll hangs', async () => {
    const service = await startService((request, response) => {
      if (request.method !== 'GET') sendJson(response, { id: '1-a' });
    });
    const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
    const waiting = client.waitFor('foo', 1, { timeoutMs: 100 });
    await expect(waiting).rejects.toBeInstanceOf(LogWaitTimeoutException);
    await expect(waiting).rejects.toThrow('there is no result yet');
  });

  it('times out with LOG_JOB_EXPIRED as the cause if the service loses every job', async () => {
    const { client, service } = await start(() => undefined);
    // Each second call is a poll that finds no job.
    const error = await timeoutOf(client, { untilCalls: 4, service });
    expect(error).toMatchObject({ rows: [], cause: { code: 'LOG_JOB_EXPIRED' } });
  });

  it('times out with the connection error as the cause if the service is unreachable', async () => {
    const service = await startService((request, response) => {
      if (request.method === 'POST') return sendJson(response, { id: '1-a' });
      if (polls++ > 0) return response.destroy();
      return sendJson(response, pollAnswer({ events: events.slice(0, 2) }));
    });
    let polls = 0;
    const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
    const error = await timeoutOf(client, { untilCalls: 4, service });
    expect(error).toBeInstanceOf(LogWaitTimeoutException);
    const { cause, message } = error as LogWaitTimeoutException;
    expect(cause).toMatchObject({ code: 'LOG_CONNECTION' });
    expect(message).toContain(
      'it had 2 row(s) at the last successful poll, as the service could not be reached: ',
    );
    expect(message).toContain((cause as Error).message);
  });

  it('shows the query and the rows when the error is printed, but not in its message', async () => {
    const { client, service } = await start(() => ({ events: events.slice(0, 2) }));
    const error = await timeoutOf(client, { untilCalls: 3, service });
    expect(inspect(error)).toContain("query: 'foo=1'");
    expect(inspect(error)).toContain("'@rawstring': 'message 1'");
    expect(String(error)).not.toContain('foo');
  });

  it('continues with a new job if the service has lost its job', async () => {
    const { service, client, jobs } = await start((count) =>
      count === 1 ? undefined : { events: events.slice(0, count) },
    );
    expect(await client.waitFor('foo', 3)).toHaveLength(3);
    expect(service.calls.filter((call) => call.startsWith('POST'))).toHaveLength(2);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('continues with a new job if the service canceled its job', async () => {
    const { client } = await start((count) => ({ events: events.slice(0, count), cancelled: count === 1 }));
    expect(await client.waitFor('foo', 3)).toHaveLength(3);
  });

  it('times out while a condition hangs, and deletes its job', async () => {
    const { client, jobs } = await start(() => ({ events }));
    const waiting = client.waitFor('foo', () => new Promise(() => {}), { timeoutMs: 200 });
    await expect(waiting).rejects.toBeInstanceOf(LogWaitTimeoutException);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it("rejects with the condition's error, and deletes its job", async () => {
    const { client, jobs } = await start(() => ({ events }));
    const mine = new Error('my own');
    const waiting = client.waitFor('foo', () => {
      throw mine;
    });
    await expect(waiting).rejects.toBe(mine);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it("rejects with the signal's reason, and deletes its job", async () => {
    const controller = new AbortController();
    const reason = Symbol('enough');
    const { client, jobs } = await start(() => {
      setTimeout(() => controller.abort(reason), 20);
      return { events: [] };
    });
    await expect(client.waitFor('foo', 1, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('fails immediately for a query that the service rejects', async () => {
    const service = await startService((_, response) => sendText(response, 400, 'Expected an expression.'));
    const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
    await expect(client.waitFor('|')).rejects.toBeInstanceOf(LogQueryException);
  });

  it('fails if more rows are requested than the service keeps, with a hint to add count()', async () => {
    const { client } = await start(() => ({ events: events.slice(0, 200), hasMoreEvents: true }));
    await expect(client.waitFor('foo', 201)).rejects.toThrow('Add count() to the query');
  });

  it.each([
    [0, {}, 'a row count of at least 1 (got 0)'],
    [1.5, {}, 'a row count of at least 1'],
    ['x', {}, 'must be a function or a row count'],
    [{ timeoutMs: 5 }, {}, 'Pass options as the third argument'],
    [1, { timeoutMs: 0 }, '"timeoutMs" must be a whole number'],
    [1, { timeout: 5 }, 'waitFor has no option "timeout"'],
    [1, { start: 5 }, 'waitFor: a live query needs a relative "start"'],
    [1, '1h', 'waitFor: the options must be an object (got "1h"). Name it, as in { start: "1h" }.'],
  ])('rejects %j %j before it sends anything', async (condition, options, message) => {
    const { service, client } = await start(() => ({}));
    const waiting = client.waitFor('foo', condition as number, options as WaitForOptions);
    await expect(waiting).rejects.toBeInstanceOf(LogOptionsException);
    await expect(waiting).rejects.toThrow(message);
    expect(service.calls).toEqual([]);
  });
});

describe('watch()', () => {
  it.each([
    ['1h', 'watch: the options must be an object (got "1h"). Name it, as in { start: "1h" }.'],
    [{ start: 'abc' }, 'watch: a live query needs a relative "start"'],
  ])('rejects %j immediately', async (options, message) => {
    const { client } = await start(() => ({}));
    expect(() => client.watch('count()', options as never)).toThrow(message);
  });

  it('yields a result each time it changes, and deletes its job when the loop exits early', async () => {
    const { client, jobs } = await start((count) => ({
      events: [{ _count: String(Math.floor(count / 3)) }],
      isAggregate: true,
    }));
    const seen: unknown[] = [];
    for await (const { events: rows } of client.watch('count()')) {
      seen.push(rows[0]?._count);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['0', '1', '2']);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('continues with a new job if the service has lost its job', async () => {
    const { service, client } = await start((count) =>
      count === 1 ? undefined : { events: events.slice(0, count) },
    );
    const seen: number[] = [];
    for await (const { events: rows } of client.watch('foo')) {
      seen.push(rows.length);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([0, 2, 3]);
    expect(service.calls.filter((call) => call.startsWith('POST'))).toHaveLength(2);
  });

  it('ends without an error when its signal is aborted, and deletes its job', async () => {
    const { client, jobs } = await start(() => ({ events: [] }));
    const controller = new AbortController();
    let results = 0;
    for await (const _ of client.watch('foo', { signal: controller.signal })) {
      results++;
      setTimeout(() => controller.abort(), 20);
    }
    expect(results).toBe(1);
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('deletes its job if return() is called while it waits for the next poll', async () => {
    const { client, jobs } = await start(() => ({ events: [], pollAfter: 60_000 }));
    const results = client.watch('foo');
    await results.next();
    const waiting = results.next();
    await results.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect.poll(() => jobs.size).toBe(0);
  });
});

it('query(), waitFor(), watch() and tail() calls leave no listener on their signal, and no job', async () => {
  const { client, jobs } = await start(() => ({ events }));
  const { signal } = new AbortController();
  for (let call = 0; call < 40; call++) {
    await client.query('foo', { signal });
    await client.waitFor('foo', 1, { signal });
    await client.waitFor('foo', () => Promise.reject(new Error('mine')), { signal }).catch(() => {});
    for await (const _ of client.watch('foo', { signal })) break;
    // Closed before the first read.
    await client.tail('foo', { signal }).return();
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await expect.poll(() => jobs.size).toBe(0);
});
