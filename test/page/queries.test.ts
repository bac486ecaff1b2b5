import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QuerySource } from '../../src/client/tail/query-source.ts';
import { openApi } from '../../src/page/api/http.ts';
import { liveEvents } from '../../src/page/api/live-events.ts';
import { deleteJobsOnLeave, queryResult, queryResults, querySource } from '../../src/page/api/queries.ts';

// The readers of the client, as the page uses them: over `fetch`, with fake timers.

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly keepalive: boolean | undefined;
}

/** A source whose requests are answered by `respond`, with the calls. */
function openSource(respond: (call: Call) => Response): { source: QuerySource; calls: Call[] } {
  const calls: Call[] = [];
  const http = openApi({
    baseUrl: 'http://localhost/',
    token: () => 'secret-token',
    fetch: async (url, { method, headers, body, keepalive }) => {
      const call = {
        method,
        path: new URL(url).pathname.replace('/api/v1/repositories/sandbox/', ''),
        headers,
        keepalive,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      };
      calls.push(call);
      return respond(call);
    },
  });
  return { source: querySource(http, 'sandbox', 'logscale'), calls };
}

const METADATA = { isAggregate: true, pollAfter: 1, totalWork: 10, workDone: 3, extraData: {} };

function poll(done: boolean, count: string): Response {
  return Response.json({ done, cancelled: false, events: [{ _count: count }], metaData: METADATA });
}

/** Advances the clock until a promise is settled. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const done = promise.finally(() => {
    isSettled = true;
  });
  done.catch(() => {});
  while (!isSettled) await vi.advanceTimersByTimeAsync(100);
  return done;
}

describe('A static query of the page', () => {
  it('has the progress and the partial results, and deletes its job', async () => {
    const polls = [poll(false, '1'), poll(false, '2'), poll(true, '3')];
    const { source, calls } = openSource(({ method }) =>
      method === 'GET' ? polls.shift()! : Response.json({ id: 'job' }),
    );
    const shown: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { isDone, progress, events } of queryResults(source, { queryString: 'count()' })) {
        shown.push([isDone, progress, events[0]!._count]);
      }
    };
    await settle(read());
    expect(shown).toEqual([
      [false, 0.3, '1'],
      [false, 0.3, '2'],
      [true, 1, '3'],
    ]);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'DELETE']);
    expect(calls.every(({ headers }) => headers.authorization === 'Bearer secret-token')).toBe(true);
  });

  it('is deleted once, by a request that outlives the page, when the page is closed', async () => {
    const page = new EventTarget();
    deleteJobsOnLeave(page);
    const { source, calls } = openSource(({ method }) =>
      method === 'GET' ? poll(false, '1') : Response.json({ id: 'job' }),
    );
    const running = queryResults(source, { queryString: 'count()' });
    await settle(running.next());
    page.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: 'queryjobs/job', keepalive: true });
    page.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('has no result, and deletes its job, if it is aborted while it runs', async () => {
    const stop = new AbortController();
    let polls = 0;
    const { source, calls } = openSource(({ method }) => {
      if (method === 'GET') polls += 1;
      if (polls === 2) stop.abort();
      return method === 'GET' ? poll(false, '1') : Response.json({ id: 'job' });
    });
    const result = queryResult(source, { queryString: 'count()', signal: stop.signal });
    await expect(settle(result)).rejects.toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'DELETE']);
  });

  it('runs again if the server no longer knows its job', async () => {
    const answers = [Response.json({ id: 'a' }), new Response('gone', { status: 404 })];
    answers.push(Response.json({ id: 'b' }), poll(true, '7'));
    const { source } = openSource(() => answers.shift() ?? new Response(''));
    const { events } = await settle(queryResult(source, { queryString: 'count()' }));
    expect(events).toEqual([{ _count: '7' }]);
  });

  it.each([408, 425, 429, 503])(
    'repeats a poll that fails with status %s, and reports it',
    async (status) => {
      const polls = [new Response('busy', { status }), poll(true, '1')];
      const { source } = openSource(({ method }) =>
        method === 'GET' ? polls.shift()! : Response.json({ id: 'job' }),
      );
      const failures: unknown[] = [];
      const onFailure = (error: unknown) => failures.push(error);
      const read = async (): Promise<boolean[]> => {
        const shown: boolean[] = [];
        for await (const { isDone } of queryResults(source, { queryString: 'count()', onFailure })) {
          shown.push(isDone);
        }
        return shown;
      };
      expect(await settle(read())).toEqual([true]);
      expect(failures).toEqual([expect.objectContaining({ statusCode: status })]);
    },
  );

  it('has rows without a prototype, so that no field is inherited', async () => {
    const { source } = openSource(({ method }) =>
      method === 'GET' ? poll(true, '1') : Response.json({ id: 'job' }),
    );
    const { events } = await settle(queryResult(source, { queryString: 'count()' }));
    expect(events[0]!.constructor).toBeUndefined();
  });
});

describe('The live events of the page', () => {
  it.each([408, 425, 429, 500, 503])(
    'continue after the first request fails with status %s',
    async (status) => {
      const states: string[] = [];
      const stop = new AbortController();
      const answers = [new Response('no', { status }), new Response('{"@id":"a"}\n')];
      const { source } = openSource(() => answers.shift() ?? new Response(''));
      const options = {
        queryString: '*',
        onState: (state: string) => states.push(state),
        signal: stop.signal,
      };
      const events = liveEvents(source, options);
      expect(await settle(events.next())).toEqual({ done: false, value: { '@id': 'a' } });
      expect(states.slice(0, 2)).toEqual(['reconnecting', 'live']);
      stop.abort();
      await settle(events.return());
    },
  );

  it.each([401, 403, 404, 501])('end if the first request fails with status %s', async (status) => {
    const { source, calls } = openSource(() => new Response('no', { status }));
    const options = { queryString: '*', onState: () => {}, signal: new AbortController().signal };
    await expect(settle(liveEvents(source, options).next())).rejects.toMatchObject({ statusCode: status });
    expect(calls).toHaveLength(1);
  });

  it('are read by time of arrival, and each event appears once', async () => {
    const stop = new AbortController();
    const now = Date.now();
    const line = (id: string): string =>
      `${JSON.stringify({ '@id': id, '@timestamp': 1_000, '@ingesttimestamp': now })}\n`;
    const answers = [line('a') + line('b'), line('b') + line('c')];
    const { source, calls } = openSource(() => new Response(answers.shift() ?? ''));
    const options = { queryString: '*', onState: () => {}, signal: stop.signal };
    const ids: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { '@id': id } of liveEvents(source, options)) {
        ids.push(id);
        if (ids.length === 3) stop.abort();
      }
    };
    await settle(read());
    expect(ids).toEqual(['a', 'b', 'c']);
    for (const { path, body } of calls) {
      expect(path).toBe('query');
      expect(body).toMatchObject({ isLive: true, useIngestTime: true });
    }
    // Both start shortly before the first request, although the events are from 1970.
    const starts = calls.map(({ body }) => Number.parseInt((body as { start: string }).start, 10));
    expect(starts).toEqual([10, expect.toSatisfy((seconds: number) => seconds <= 11)]);
  });

  it('reconnect after a minute without a sign of life', async () => {
    const states: string[] = [];
    const { source, calls } = openSource(() => new Response(new ReadableStream()));
    const stop = new AbortController();
    const options = { queryString: '*', onState: (state: string) => states.push(state), signal: stop.signal };
    const next = liveEvents(source, options).next();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(states).toEqual(['live']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states).toEqual(['live', 'reconnecting', 'live']);
    expect(calls).toHaveLength(2);
    stop.abort();
    expect(await settle(next)).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('A request of the page', () => {
  it.each([
    ['plain text', 'The token is not valid.', 'The token is not valid.'],
    ['the JSON of a gateway', '{"detail":"Too busy"}', 'Too busy'],
    ['nothing', '', 'GET localhost/api/v1/status failed with status 401. Check the token'],
  ])('that fails with %s is explained', async (_, body, message) => {
    const { explanationOf } = await import('../../src/page/api/http.ts');
    const http = openApi({
      baseUrl: 'http://localhost/',
      token: () => '',
      fetch: async () => new Response(body, { status: 401 }),
    });
    const failure = await http.callRest('GET', 'status').catch((error: unknown) => error);
    expect(explanationOf(failure)).toContain(message);
  });
});
