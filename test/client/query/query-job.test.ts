import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LiveQueryJob } from '../../../src/client/query/live-query-job.ts';
import type { QueryScope } from '../../../src/client/query/query-endpoint.ts';
import type { QueryOptions } from '../../../src/client/query/query-options.ts';
import { createQueryJob, queryJob, runQuery } from '../../../src/client/query/run-query.ts';
import { StaticQueryJob } from '../../../src/client/query/static-query-job.ts';
import {
  LogHTTPException,
  LogOptionsException,
  LogQueryException,
  LogQueryJobCancelledException,
  LogQueryJobExhaustedException,
  LogQueryJobExpiredException,
} from '../../../src/core/errors.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import type { QueryInput } from '../../../src/core/wire/query.ts';
import { collect } from '../../helpers/collect.ts';
import {
  type HttpService,
  type ReceivedRequest,
  sendJson,
  sendText,
  startService,
} from '../../helpers/http-service.ts';
import { makeEvents, pollAnswer, resultBuffer, type TestEvent } from '../../helpers/query-answers.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx~0123456789';

interface JobService extends HttpService {
  /** The inputs of existing jobs. */
  readonly jobs: Map<string, QueryInput>;
  readonly scope: QueryScope;
}

type Poll = (input: QueryInput, poll: number, response: ServerResponse, request: ReceivedRequest) => unknown;

/** A service whose jobs respond to polls (counted from 0) with the result of `poll`. */
async function startJobService(poll: Poll): Promise<JobService> {
  const jobs = new Map<string, QueryInput>();
  const polls = new Map<string, number>();
  let created = 0;
  const service = await startService((request, response) => {
    const [, , , , , kind, id = ''] = request.path.split('/');
    if (kind !== 'queryjobs') return sendText(response, 404, 'The requested resource could not be found.');
    if (request.method === 'POST') {
      const newId = `${created++}-Qm3kZx0aB9cD1eF2gH3iJ4kL`;
      jobs.set(newId, request.json<QueryInput>());
      return sendJson(response, { id: newId, queryOnView: '*' });
    }
    const input = jobs.get(id);
    if (input === undefined) return sendText(response, 404, '');
    if (request.method === 'DELETE') {
      jobs.delete(id);
      return response.writeHead(204).end();
    }
    const count = polls.get(id) ?? 0;
    polls.set(id, count + 1);
    const answer = poll(input, count, response, request);
    if (!response.headersSent) sendJson(response, answer);
  });
  const webCaller = new WebCaller(service.url, { headers: { authorization: `Bearer ${TOKEN}` } });
  return Object.assign(service, {
    jobs,
    scope: { webCaller, repository: 'my repo', service: 'logscale' as const },
  });
}

async function startStatic(service: JobService, options: QueryOptions = {}): Promise<StaticQueryJob> {
  return (await createQueryJob(service.scope, 'foo=bar', options)) as StaticQueryJob;
}

async function idsOf(job: StaticQueryJob): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { events } of job.pollUntilDone()) ids.push(...events.map((event) => event['@id']));
  return ids;
}

describe('createQueryJob()', () => {
  it('creates a static or live job, as requested', async () => {
    const service = await startJobService(() => pollAnswer());
    expect(await createQueryJob(service.scope, '*')).toBeInstanceOf(StaticQueryJob);
    expect(await createQueryJob(service.scope, '*', { isLive: true })).toBeInstanceOf(LiveQueryJob);
    expect([...service.jobs.values()]).toEqual([{ queryString: '*' }, { queryString: '*', isLive: true }]);
    expect(service.calls[0]).toBe('POST /api/v1/repositories/my%20repo/queryjobs');
  });

  it("throws the service's message for a rejected query", async () => {
    const message = 'parameter func is not supported in function timeChart';
    const text = `${message}\n\`\`\`\n\n\`\`\``;
    const service = await startService((_, response) => sendText(response, 400, text));
    const scope = { webCaller: new WebCaller(service.url), repository: 'r', service: 'logscale' as const };
    const error = await createQueryJob(scope, 'timechart(func=x)').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogQueryException);
    expect(error).toMatchObject({ message, body: text, statusCode: 400, code: 'LOG_QUERY' });
  });

  it('throws the message of a rejected query that a gateway wraps in JSON', async () => {
    const service = await startService((_, response) =>
      sendJson(response, { detail: 'no such function' }, 400),
    );
    const scope = { webCaller: new WebCaller(service.url), repository: 'r', service: 'logscale' as const };
    await expect(createQueryJob(scope, 'x()')).rejects.toThrow(/^no such function$/);
  });

  it('sends nothing if options are invalid', async () => {
    const service = await startJobService(() => pollAnswer());
    await expect(createQueryJob(service.scope, '*', { isLive: true, start: 5 })).rejects.toThrow(
      'relative "start"',
    );
    expect(service.calls).toEqual([]);
  });

  it('reports a response without an ID', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const scope = { webCaller: new WebCaller(service.url), repository: 'r', service: 'logscale' as const };
    await expect(createQueryJob(scope, '*')).rejects.toMatchObject({ code: 'LOG_BAD_ANSWER', body: '{}' });
  });

  it('sends the same session with all calls for a job, so that they reach one node', async () => {
    const service = await startJobService(() => pollAnswer());
    for (let i = 0; i < 2; i++) {
      const job = await startStatic(service);
      await job.poll();
      await job.delete();
    }
    const sessions = service.requests.map(({ headers }) => headers['humio-query-session']);
    expect(new Set(sessions.slice(0, 3)).size).toBe(1);
    expect(new Set(sessions).size).toBe(2);
  });
});

describe('queryJob()', () => {
  const filterQuery = { queryString: 'foo=bar', start: 1, end: 2, isLive: false };

  it('returns a job that can be polled and deleted as the one that was created, by its ID and session', async () => {
    const service = await startJobService(() => pollAnswer({ events: makeEvents(2) }));
    const created = await startStatic(service);
    const job = queryJob(service.scope, created.id, { session: created.session });
    expect(job).toBeInstanceOf(StaticQueryJob);
    expect((await job.poll()).events).toHaveLength(2);
    await job.delete();
    await expect.poll(() => service.jobs.size).toBe(0);
    expect(service.calls.slice(1)).toEqual([
      `GET /api/v1/repositories/my%20repo/queryjobs/${created.id}`,
      `DELETE /api/v1/repositories/my%20repo/queryjobs/${created.id}`,
    ]);
    expect(new Set(service.requests.map(({ headers }) => headers['humio-query-session'])).size).toBe(1);
  });

  it('sends one session with all calls if it does not know that of the job', async () => {
    const service = await startJobService(() => pollAnswer());
    const created = await startStatic(service);
    const job = queryJob(service.scope, created.id, { isLive: true });
    expect(job).toBeInstanceOf(LiveQueryJob);
    await job.poll();
    await job.poll();
    const sessions = service.requests.map(({ headers }) => headers['humio-query-session']);
    expect(sessions.slice(1)).toEqual([job.session, job.session]);
  });

  it('returns all 450 events of a job, by the query that the service reports', async () => {
    const events = makeEvents(450);
    const inputs: QueryInput[] = [];
    const service = await startJobService((input) => {
      inputs.push(input);
      return { ...resultBuffer(events, input.around) };
    });
    const created = await startStatic(service, { start: '2 h' });
    const job = queryJob(service.scope, created.id) as StaticQueryJob;
    expect(await idsOf(job)).toEqual(events.map((event) => event['@id']).reverse());
    expect(inputs[1]).toMatchObject({ queryString: '*', start: 1_770_000_000_000, around: {} });
  });

  it('fails after the newest events if the service does not report the query', async () => {
    const service = await startJobService(() =>
      pollAnswer({
        events: makeEvents(200).reverse(),
        hasMoreEvents: true,
        metaData: { filterQuery: undefined },
      }),
    );
    const job = queryJob(service.scope, (await startStatic(service)).id);
    expect((await job.poll()).events).toHaveLength(200);
    await expect(job.poll()).rejects.toMatchObject({
      code: 'LOG_CANNOT_PAGE',
      message: expect.stringContaining('does not report its text'),
    });
  });

  it.each(['level=?level', 'level=?{level=info}'])(
    'fails after the newest events of %s, whose parameters the service does not report',
    async (queryString) => {
      const service = await startJobService(() =>
        pollAnswer({
          events: makeEvents(200).reverse(),
          hasMoreEvents: true,
          metaData: { filterQuery: { queryString } },
        }),
      );
      const created = await startStatic(service);
      await expect(idsOf(queryJob(service.scope, created.id) as StaticQueryJob)).rejects.toMatchObject({
        code: 'LOG_CANNOT_PAGE',
      });
    },
  );

  it('returns one part for the events around a known one', async () => {
    const around = { eventId: 'a', timestamp: 1 };
    const service = await startJobService(() =>
      pollAnswer({
        events: makeEvents(2),
        hasMoreEvents: true,
        metaData: { filterQuery: { ...filterQuery, around } },
      }),
    );
    const job = queryJob(service.scope, (await startStatic(service)).id) as StaticQueryJob;
    expect(await idsOf(job)).toHaveLength(2);
  });

  it('reports an unknown ID at the first poll, as an expired job', async () => {
    const service = await startJobService(() => pollAnswer());
    await expect(queryJob(service.scope, 'nope').poll()).rejects.toBeInstanceOf(LogQueryJobExpiredException);
  });

  it.each([
    ['', {}, '"id" must be a non-empty string'],
    [7, {}, '"id" must be a non-empty string (got 7)'],
    ['a', { isLive: 'yes' }, '"isLive" must be true or false'],
    ['a', { live: true }, 'queryJob has no option "live". Did you mean "isLive"?'],
  ])('rejects %j with %j', async (id, options, message) => {
    const scope = { webCaller: new WebCaller('http://127.0.0.1:9'), repository: 'r', service: 'logscale' };
    const call = () => queryJob(scope as QueryScope, id as string, options as object);
    expect(call).toThrow(LogOptionsException);
    expect(call).toThrow(message);
  });

  it.each(['a\nb', 7])('rejects the session %j before anything is sent', async (session) => {
    const service = await startJobService(() => pollAnswer());
    const job = queryJob(service.scope, 'id', { session: session as string });
    await expect(job.poll()).rejects.toThrow(
      'the value of the header "humio-query-session" must be a string without control characters',
    );
    expect(service.calls).toEqual([]);
  });

  it.each([StaticQueryJob, LiveQueryJob])('new %o explains how to build a job from an ID', (Job) => {
    const build = (...given: unknown[]) => Reflect.construct(Job, given);
    for (const given of [[], ['id'], ['id', 'http://localhost:3000', 'sandbox', TOKEN], ['id', {}]]) {
      expect(() => build(...given)).toThrow(LogOptionsException);
      expect(() => build(...given)).toThrow('Call client.queryJob(id, { isLive }).');
    }
    expect(() => build('id', 'http://localhost:3000', 'sandbox', TOKEN)).not.toThrow(TOKEN);
  });
});

describe('poll()', () => {
  it('waits until the result is complete', async () => {
    const events = makeEvents(2);
    const service = await startJobService((_, poll) =>
      poll < 3 ? pollAnswer({ done: false }) : pollAnswer({ events }),
    );
    const result = await (await startStatic(service)).poll();
    expect(result.events).toEqual(events);
    expect(result.metadata).toMatchObject({ isAggregate: false, eventCount: 2, totalWork: 2 });
    expect(service.calls.filter((call) => call.startsWith('GET'))).toHaveLength(4);
  });

  it.each([
    ['as the service says', 120, 120],
    ['as the service says, even long', 19_796, 19_796],
    ['25 s at most, lest the job expires', 60_000, 25_000],
    ['1 s if the service says nothing', undefined, 1_000],
    ['a moment if it says 0', 0, 5],
  ])('polls immediately, then waits as long %s', async (_, pollAfter, waitMs) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const at: number[] = [];
    const fetch = async (_url: string, { method }: { method: string }): Promise<Response> => {
      if (method === 'POST') return Response.json({ id: '1-a' });
      at.push(performance.now());
      return Response.json(pollAnswer({ done: at.length === 2, metaData: { pollAfter } }));
    };
    const scope = {
      webCaller: new WebCaller('http://nowhere', { fetch }),
      repository: 'r',
      service: 'logscale' as const,
    };
    const begunAt = performance.now();
    const polling = createQueryJob(scope, '*').then((job) => job.poll());
    await vi.advanceTimersByTimeAsync(30_000);
    await polling;
    expect(at[0]).toBe(begunAt);
    expect(at[1]! - at[0]!).toBeCloseTo(waitMs, -1);
  });

  it("rejects with the signal's reason while it waits", async () => {
    const service = await startJobService(() => pollAnswer({ done: false, pollAfter: 60_000 }));
    const job = await startStatic(service);
    const controller = new AbortController();
    const reason = Symbol('enough');
    setTimeout(() => controller.abort(reason), 50);
    await expect(job.poll({ signal: controller.signal })).rejects.toBe(reason);
  });

  it('sends the headers of its options', async () => {
    const service = await startJobService(() => pollAnswer());
    await (await startStatic(service)).poll({ headers: { 'X-Trace': 'abc' } });
    expect(service.requests.at(-1)?.headers['x-trace']).toBe('abc');
  });

  it('reports that the service canceled the job', async () => {
    const service = await startJobService(() => pollAnswer({ done: false, cancelled: true }));
    await expect((await startStatic(service)).poll()).rejects.toBeInstanceOf(LogQueryJobCancelledException);
  });

  it('reports that the service no longer has the job', async () => {
    const service = await startJobService(() => pollAnswer());
    const job = await startStatic(service);
    service.jobs.clear();
    const error = await job.poll().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogQueryJobExpiredException);
    expect((error as Error).cause).toBeInstanceOf(LogHTTPException);
  });

  it("does not treat another server's web page as an expired job", async () => {
    const service = await startJobService((_input, _poll, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
    });
    await expect((await startStatic(service)).poll()).rejects.toMatchObject({ code: 'LOG_WRONG_BASE_URL' });
  });

  it.each([
    null,
    {},
    { done: true },
    { done: true, events: [] },
    { done: true, events: [], metaData: [] },
    { done: true, events: [null], metaData: {} },
    { done: true, events: [{ _count: '1' }, 'row'], metaData: {} },
    'text',
  ])('reports that the response %j is not a result', async (answer) => {
    const service = await startJobService(() => answer);
    const body = JSON.stringify(answer);
    await expect((await startStatic(service)).poll()).rejects.toMatchObject({ code: 'LOG_BAD_ANSWER', body });
  });

  it('reports that all parts of a static job were read', async () => {
    const service = await startJobService(() => pollAnswer({ events: makeEvents(3) }));
    const job = await startStatic(service);
    await job.poll();
    await expect(job.poll()).rejects.toBeInstanceOf(LogQueryJobExhaustedException);
  });

  it('returns one part after the other to concurrent calls on a static job', async () => {
    const events = makeEvents(450);
    const service = await startJobService(({ around }) => resultBuffer(events, around));
    const job = await startStatic(service);
    const parts = await Promise.all([job.poll(), job.poll(), job.poll()]);
    const ids = parts.flatMap((part) => part.events.map((event) => event['@id']));
    expect(ids).toEqual(events.map((event) => event['@id']).reverse());
  });

  it('can be aborted alone while it waits for another call on a static job', async () => {
    const controller = new AbortController();
    const events = makeEvents(3);
    const service = await startJobService((_, poll) => {
      controller.abort('not for so long');
      return pollAnswer({ events, done: poll > 0 });
    });
    const job = await startStatic(service);
    const first = job.poll();
    await expect(job.poll({ signal: controller.signal })).rejects.toBe('not for so long');
    expect((await first).events).toHaveLength(3);
  });

  it('returns the whole result of a live job each time', async () => {
    const events = makeEvents(5);
    const service = await startJobService((_, poll) => pollAnswer({ events: events.slice(0, poll + 1) }));
    const job = (await createQueryJob(service.scope, '*', { isLive: true })) as LiveQueryJob;
    expect((await job.poll()).events).toHaveLength(1);
    expect((await job.poll()).events).toHaveLength(2);
  });
});

describe('pollUntilDone()', () => {
  it('returns an aggregate in one part, regardless of its metadata', async () => {
    const service = await startJobService(() =>
      pollAnswer({
        events: [{ _count: '3' }],
        isAggregate: true,
        metaData: { extraData: { hasMoreEvents: 'true' } },
      }),
    );
    const results = await collect((await startStatic(service)).pollUntilDone());
    expect(results.map(({ events }) => events)).toEqual([[{ _count: '3' }]]);
  });

  it.each([1, 7, 450])(
    'returns 450 events exactly once, newest first, %i of them at one instant',
    async (perInstant) => {
      const events = makeEvents(450, perInstant);
      const service = await startJobService(({ around }) => resultBuffer(events, around));
      const job = await startStatic(service, { start: '2 h', arguments: { a: 'b' }, timeZone: 'UTC' });
      expect(await idsOf(job)).toEqual(events.map((event) => event['@id']).reverse());
    },
  );

  it('passes each result to onProgress, of all parts, and repeats a part whose call failed', async () => {
    const events = makeEvents(450);
    const service = await startJobService(({ around }, poll) => {
      const answer = resultBuffer(events, around) as { done: boolean };
      return { ...answer, done: poll > 0 };
    });
    const told: [isDone: boolean, events: number][] = [];
    const parts: number[] = [];
    const job = await startStatic(service);
    const onProgress = ({ isDone, events: rows }: { isDone: boolean; events: readonly object[] }): void => {
      told.push([isDone, rows.length]);
      if (isDone && told.length === 4) throw new Error('mine');
    };
    parts.push((await job.poll({ onProgress })).events.length);
    await expect(job.poll({ onProgress })).rejects.toThrow('mine');
    for await (const part of job.pollUntilDone({ onProgress })) parts.push(part.events.length);
    expect(parts).toEqual([200, 199, 51]);
    expect(told.filter(([isDone]) => isDone)).toEqual([
      [true, 200],
      [true, 199],
      [true, 199],
      [true, 51],
      [true, 0],
    ]);
    expect(told.filter(([isDone]) => !isDone)).toHaveLength(5);
  });

  it("requests older events in the first job's interval, and deletes the jobs that it created", async () => {
    const events = makeEvents(450);
    const inputs: QueryInput[] = [];
    const service = await startJobService((input) => {
      inputs.push(input);
      return resultBuffer(events, input.around);
    });
    const job = await startStatic(service, { start: '2 h', arguments: { a: 'b' } });
    await idsOf(job);
    expect(inputs).toHaveLength(4);
    expect(inputs[1]).toEqual({
      queryString: 'foo=bar',
      start: 1_770_000_000_000,
      end: 1_770_086_400_000,
      arguments: { a: 'b' },
      around: {
        eventId: events[250]?.['@id'],
        timestamp: events[250]?.['@timestamp'],
        numberOfEventsBefore: 200,
        numberOfEventsAfter: 0,
      },
    });
    await expect.poll(() => [...service.jobs.keys()]).toEqual([job.id]);
  });

  it('returns 450 events exactly once to two loops that share them', async () => {
    const events = makeEvents(450);
    const service = await startJobService(({ around }) => resultBuffer(events, around));
    const job = await startStatic(service);
    const ids = await Promise.all([idsOf(job), idsOf(job)]);
    expect(ids.flat().toSorted()).toEqual(events.map((event) => event['@id']).toSorted());
    await expect(job.poll()).rejects.toBeInstanceOf(LogQueryJobExhaustedException);
  });

  it('reports that it cannot continue if the service repeats events', async () => {
    const events = makeEvents(200);
    const service = await startJobService(() =>
      pollAnswer({ events: events.toReversed(), hasMoreEvents: true }),
    );
    const reading = idsOf(await startStatic(service));
    await expect(reading).rejects.toMatchObject({ code: 'LOG_CANNOT_PAGE' });
    expect(service.calls.length).toBeLessThan(10);
  });

  it('deletes the job of a page that fails', async () => {
    const events = makeEvents(450);
    const service = await startJobService(({ around }, _, response) =>
      around === undefined ? resultBuffer(events) : sendText(response, 500, 'no'),
    );
    const job = await startStatic(service);
    await expect(idsOf(job)).rejects.toMatchObject({ statusCode: 500 });
    await expect.poll(() => [...service.jobs.keys()]).toEqual([job.id]);
  });

  it('can continue after a page that failed', async () => {
    const events = makeEvents(300);
    let failures = 1;
    const service = await startJobService(({ around }, _, response) =>
      around === undefined || failures-- <= 0 ? resultBuffer(events, around) : sendText(response, 500, 'no'),
    );
    const job = await startStatic(service);
    const first = await job.poll();
    await expect(job.poll()).rejects.toMatchObject({ statusCode: 500 });
    const second = await job.poll();
    expect([...first.events, ...second.events].map((event) => event['@id'])).toEqual(
      events.map((event) => event['@id']).reverse(),
    );
  });

  it('deletes the job of a page when aborted', async () => {
    const events = makeEvents(450);
    const controller = new AbortController();
    const service = await startJobService(({ around }) => {
      if (around === undefined) return resultBuffer(events);
      setTimeout(() => controller.abort('stop'), 20);
      return pollAnswer({ done: false, pollAfter: 60_000 });
    });
    const job = await startStatic(service);
    const reading = collect(job.pollUntilDone({ signal: controller.signal }));
    await expect(reading).rejects.toBe('stop');
    await expect.poll(() => [...service.jobs.keys()]).toEqual([job.id]);
  });

  it('reports rows without a position in time that cannot be paged', async () => {
    const rows = makeEvents(200).map((event: TestEvent) => ({ '@rawstring': event['@rawstring'] }));
    const service = await startJobService(() => pollAnswer({ events: rows, hasMoreEvents: true }));
    const job = await startStatic(service);
    expect((await job.poll()).events).toHaveLength(200);
    await expect(job.poll()).rejects.toMatchObject({ code: 'LOG_CANNOT_PAGE' });
  });
});

describe('methods of a job', () => {
  const METHODS = {
    poll: (job: StaticQueryJob, options: never) => job.poll(options),
    pollUntilDone: (job: StaticQueryJob, options: never) => job.pollUntilDone(options).next(),
    peek: (job: StaticQueryJob, options: never) => job.peek(options),
    delete: (job: StaticQueryJob, options: never) => job.delete(options),
  };
  const CALL = 'timeoutMs, signal, maxRetries, headers.';
  const KNOWN = { poll: 'onProgress, onRetry, ', pollUntilDone: 'onProgress, onRetry, ', peek: 'onRetry, ' };
  const names = Object.keys(METHODS) as (keyof typeof METHODS)[];
  const cases = names.flatMap((name): [keyof typeof METHODS, unknown, string][] => {
    const hooks = Object.entries({ delete: '', ...KNOWN }).find(([method]) => method === name)![1];
    const ofHook = (hook: string, value: unknown): [keyof typeof METHODS, unknown, string][] =>
      hooks.includes(hook) ? [[name, { [hook]: value }, `"${hook}" must be a function (got`]] : [];
    return [
      [name, { foo: 1 }, `${name} has no option "foo". Known options: ${hooks}${CALL}`],
      [name, 'x', 'the options must be an object (got "x").'],
      [name, null, 'the options must be an object (got null). Omit it, or pass undefined.'],
      [name, { timeoutMs: -1 }, '"timeoutMs" must be a whole number'],
      ...ofHook('onProgress', 1),
      ...ofHook('onRetry', 'x'),
    ];
  });

  it.each(cases)('%s() rejects %j under its own name, before a request', async (name, options, message) => {
    const service = await startJobService(() => pollAnswer());
    const error = await METHODS[name](queryJob(service.scope, 'id') as StaticQueryJob, options as never).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(LogOptionsException);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).toMatch(new RegExp(`^${name}\\b`));
    expect(service.calls).toEqual([]);
  });
});

describe('delete()', () => {
  it('deletes the job, and succeeds if it is gone', async () => {
    const service = await startJobService(() => pollAnswer());
    const job = await startStatic(service);
    await job.delete();
    await expect.poll(() => service.jobs.size).toBe(0);
    await job.delete();
    expect(service.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  });

  it('reports other failures', async () => {
    const service = await startJobService(() => pollAnswer());
    const job = await startStatic(service);
    await service.close();
    await expect(job.delete()).rejects.toMatchObject({ code: 'LOG_CONNECTION' });
  });

  it.each([
    ['a live job', true, 1],
    ['a static job, before its first poll', false, 0],
    ['a static job with more events', false, 1],
  ])('makes later polls of %s fail without a request', async (_kind, isLive, polls) => {
    const events = makeEvents(200);
    const service = await startJobService(() => pollAnswer({ events, hasMoreEvents: true }));
    const job = await createQueryJob(service.scope, 'level=info', { isLive });
    for (let poll = 0; poll < polls; poll++) await job.poll();
    await job.delete();
    const { length } = service.requests;
    const message = `The program deleted the query job ${job.id}. Create a new one.`;
    await expect(job.poll()).rejects.toMatchObject({ code: 'LOG_JOB_EXPIRED', message });
    expect([job instanceof StaticQueryJob && job.hasMore, service.requests.length]).toEqual([false, length]);
  });

  it('runs at the end of an `await using` block', async () => {
    const service = await startJobService(() => pollAnswer());
    {
      await using job = await startStatic(service);
      expect(service.jobs.has(job.id)).toBe(true);
    }
    await expect.poll(() => service.jobs.size).toBe(0);
  });

  it('does not make an `await using` block fail', async () => {
    const service = await startJobService(() => pollAnswer());
    await using _job = await startStatic(service);
    await service.close();
  });
});

describe('query()', () => {
  it('returns all rows and deletes its job', async () => {
    const events = makeEvents(250);
    const service = await startJobService(({ around }) => resultBuffer(events, around));
    expect(await runQuery(service.scope, '*')).toEqual(events.toReversed());
    await expect.poll(() => service.jobs.size).toBe(0);
  });

  it('deletes its job if it fails', async () => {
    const service = await startJobService(() => pollAnswer({ cancelled: true }));
    await expect(runQuery(service.scope, '*')).rejects.toBeInstanceOf(LogQueryJobCancelledException);
    await expect.poll(() => service.jobs.size).toBe(0);
  });

  it.each([
    [1, 1],
    [1, 2],
    [0, 1],
  ])('with maxRetries %d, replaces as many jobs that the service lost, of %d', async (maxRetries, lost) => {
    let polls = 0;
    const service = await startJobService((_input, _poll, response) =>
      polls++ < lost ? sendText(response, 404, '') : pollAnswer({ events: makeEvents(3) }),
    );
    const rows = runQuery(service.scope, '*', { maxRetries });
    if (lost <= maxRetries) expect(await rows).toHaveLength(3);
    else await expect(rows).rejects.toBeInstanceOf(LogQueryJobExpiredException);
  });

  it('rejects live queries', async () => {
    const service = await startJobService(() => pollAnswer());
    await expect(runQuery(service.scope, '*', { isLive: true as never })).rejects.toThrow(
      'Use tail(), watch()',
    );
    expect(service.calls).toEqual([]);
  });
});

it('a job shows neither tokens nor headers when printed', async () => {
  const service = await startJobService(() => pollAnswer());
  const job = await startStatic(service);
  expect(inspect(job, { depth: 10, showHidden: true }) + JSON.stringify(job)).not.toContain(TOKEN);
  expect(JSON.stringify(job)).toBe(JSON.stringify({ id: job.id }));
});
