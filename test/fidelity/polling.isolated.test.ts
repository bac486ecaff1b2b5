import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  LogHTTPException,
  LogQueryException,
  LogQueryJobCancelledException,
  LogQueryJobExpiredException,
  LogTimeoutException,
} from '../../src/core/errors.ts';
import { lawCases } from '../helpers/laws.ts';
import { makeEvents } from '../helpers/query-answers.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { soon, stopTime } from './fake-time.ts';
import { donePoll, jobCreated, json, NOTHING, page, runningPoll, textError } from './replies.ts';
import type { Script, Turn } from './service-script.ts';

const ID = '4-wS6dF8gH0jK2lZ4xC6vB8nM1';
const JOBS = '/api/v1/repositories/sandbox/queryjobs';
const UNAUTHORIZED = textError(401, 'The supplied authentication is invalid');

function job(...polls: readonly Turn[]): Script {
  return {
    [`POST ${JOBS}`]: [jobCreated(ID)],
    [`GET ${JOBS}/${ID}`]: polls,
    [`DELETE ${JOBS}/${ID}`]: [NOTHING],
  };
}

/** Makes every retry delay half of its maximum: 125, 250, 500 and 1000 ms. */
function evenOdds(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
}

describe.each(lawCases(CARRIERS, 3))('Query job polling over $name', (carrier) => {
  const itCuts = it.skipIf(!carrier.can.includes('cuts'));
  const start = (...polls: readonly Turn[]) => connect(carrier, job(...polls));
  const polls = (calls: string[]) => calls.filter((call) => call.startsWith('GET')).length;

  it('polls after 2.8 s and 19.7 s when the service asks for those delays', async () => {
    const time = stopTime();
    const events = makeEvents(2);
    const { client, service, calls } = await start(
      runningPoll(),
      runningPoll({ pollAfter: 19_706 }),
      donePoll(events),
    );
    const polling = client.createQueryJob('status=5*').then((created) => created.poll());
    await time.skip(2_797, () => service.requests.length);
    await time.skip(19_706, () => service.requests.length);
    const result = await polling;
    expect(result.events).toEqual(events);
    expect(result.warnings).toMatchObject([{ code: 'SlowNode', category: 'CLUSTER' }]);
    expect(calls()).toEqual([`POST ${JOBS}`, ...Array(3).fill(`GET ${JOBS}/${ID}`)]);
  });

  it.each([
    ['25 s at most, lest it expires', 60_000, 25_000],
    ['as long as it says in text', '2797', 2_797],
    ['1 s if it says nothing', undefined, 1_000],
    ['1 s if it says null', null, 1_000],
    ['1 s if what it says is no number', 'soon', 1_000],
    ['1 s if what it says is negative', -5, 1_000],
    ['a moment if it says 0', 0, 5],
  ])('derives the delay of the next poll from pollAfter: %s', async (_, pollAfter, waitMs) => {
    const time = stopTime();
    const { client, service } = await start(runningPoll({ pollAfter }), donePoll([]));
    const rows = client.query('*');
    await time.skip(waitMs, () => service.requests.length);
    expect(await rows).toEqual([]);
  });

  it('sends one humio-query-session in all requests of a job, and a new one for each job', async () => {
    const { client, service } = await start(donePoll([]));
    for (const count of [3, 6]) {
      await client.query('*');
      await soon(() => expect(service.requests).toHaveLength(count));
    }
    const sessions = service.requests.map(({ headers }) => headers['humio-query-session']);
    expect(sessions.map((session) => sessions.indexOf(session))).toEqual([0, 0, 0, 3, 3, 3]);
    expect(sessions).not.toContain(undefined);
  });

  it('returns the rows of a finished job without waiting for pollAfter', async () => {
    stopTime();
    const { client, calls } = await start(donePoll(makeEvents(1), { pollAfter: 19_706 }));
    expect(await client.query('*')).toHaveLength(1);
    await soon(() => expect(calls().at(-1)).toBe(`DELETE ${JOBS}/${ID}`));
  });

  it('keeps polling an unfinished job that already has the metadata of its buckets', async () => {
    const time = stopTime();
    const extraData = {
      timechart: 'true',
      bucket_span_millis: '900000',
      bucket_span_humanized: '15 minutes',
    };
    const buckets = [
      { _bucket: '1770108300000', _count: '0' },
      { _bucket: '1770109200000', _count: '12' },
    ];
    const aggregate = { isAggregate: true, metaData: { extraData } };
    const { client, service } = await start(
      donePoll([], { ...aggregate, done: false, pollAfter: 2_802 }),
      donePoll(buckets, aggregate),
    );
    const rows = client.query('timechart()');
    await time.skip(2_802, () => service.requests.length);
    expect(await rows).toEqual(buckets);
  });

  it.each(['true', true])(
    'returns each event once if every result has hasMoreEvents %j',
    async (hasMoreEvents) => {
      const events = makeEvents(200).reverse();
      const metaData = { extraData: { hasMoreEvents } };
      const oldest = events.slice(-1);
      const { client, calls } = await start(donePoll(events, { metaData }), donePoll(oldest, { metaData }));
      expect(await client.query('*')).toEqual(events);
      // Of two jobs: the second one requests older events, and finds none.
      const ofJobs = () => calls().filter((call) => call.includes(JOBS));
      await soon(() => expect(ofJobs()).toHaveLength(6));
    },
  );

  it('throws LogQueryJobExpiredException if a poll gets a 404', async () => {
    const time = stopTime();
    const { client, service } = await start(
      runningPoll(),
      textError(404, 'The requested resource could not be found.'),
    );
    const polling = client.createQueryJob('*').then((created) => created.poll());
    polling.catch(() => {});
    await time.skip(2_797, () => service.requests.length);
    await expect(polling).rejects.toBeInstanceOf(LogQueryJobExpiredException);
  });

  it.each([
    ['with a result so far', donePoll([{ a: '1' }], { done: false, cancelled: true })],
    ['that counts as done', donePoll([], { cancelled: true })],
    ['with nothing else', json({ cancelled: true, done: false })],
  ])(
    'throws LogQueryJobCancelledException with the job ID if the service canceled it: %s',
    async (_, poll) => {
      const { client } = await start(poll);
      const error = await client.query('*').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LogQueryJobCancelledException);
      expect((error as Error).message).toContain(ID);
    },
  );

  it('retries a poll after a 502, 503 or 504 page from a proxy', async () => {
    evenOdds();
    const time = stopTime();
    const pages = [page(502, 'Bad Gateway'), page(503, 'Unavailable'), page(504, 'Gateway Time-out')];
    const { client, service, calls } = await start(runningPoll(), ...pages, donePoll(makeEvents(3)));
    const rows = client.query('*');
    for (const waitMs of [2_797, 125, 250, 500]) await time.skip(waitMs, () => service.requests.length);
    expect(await rows).toHaveLength(3);
    expect(polls(calls())).toBe(5);
  });

  it('retries a poll after a connection reset', async () => {
    evenOdds();
    const time = stopTime();
    const { client, service } = await start('reset', 'reset', donePoll(makeEvents(3)));
    const rows = client.query('*');
    for (const waitMs of [125, 250]) await time.skip(waitMs, () => service.requests.length);
    expect(await rows).toHaveLength(3);
  });

  itCuts('retries a poll after a truncated response', async () => {
    evenOdds();
    const time = stopTime();
    const { client, service } = await start(
      { ...json({}), body: ['{"done":true,"eve'], ending: 'reset' },
      donePoll(makeEvents(3)),
    );
    const rows = client.query('*');
    await time.skip(125, () => service.requests.length);
    expect(await rows).toHaveLength(3);
  });

  it.each([
    ['7 s', '7', 7_000],
    ['longer than some jobs live', '40', 40_000],
  ])('waits for the Retry-After of a 429 before the next poll: %s', async (_, retryAfter, waitMs) => {
    const time = stopTime();
    const busy = json({ errors: [{ code: 429, message: 'API rate limit exceeded.' }] }, 429);
    const { client, service } = await start(
      { ...busy, headers: { ...busy.headers, 'retry-after': retryAfter } },
      donePoll(makeEvents(3)),
    );
    const rows = client.query('*');
    await time.skip(waitMs, () => service.requests.length);
    expect(await rows).toHaveLength(3);
  });

  it('throws LogHTTPException after five 502 pages, without their text, and deletes the job', async () => {
    evenOdds();
    const time = stopTime();
    const { client, service, calls } = await start(page(502, 'Bad Gateway'));
    const failing = client.query('*').catch((caught: unknown) => caught);
    for (const waitMs of [125, 250, 500, 1_000]) await time.skip(waitMs, () => service.requests.length);
    const error = await failing;
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({
      statusCode: 502,
      message: expect.stringMatching(/^GET [\w.]+:?\d*\/api\S+ failed with status 502\.$/),
    });
    expect(polls(calls())).toBe(5);
    await soon(() => expect(calls().at(-1)).toBe(`DELETE ${JOBS}/${ID}`));
  });

  it('stops retrying when the signal aborts, and rejects with its reason', async () => {
    evenOdds();
    const time = stopTime();
    const { client, service } = await start(page(502, 'Bad Gateway'));
    const controller = new AbortController();
    const failing = client.query('*', { signal: controller.signal }).catch((caught: unknown) => caught);
    await time.skip(125, () => service.requests.length);
    controller.abort('enough');
    expect(await failing).toBe('enough');
  });

  it('throws LogTimeoutException after 30 s without a response, and does not retry', async () => {
    const time = stopTime();
    const { client, service, calls } = await start('silence');
    const failing = client
      .createQueryJob('*')
      .then((created) => created.poll())
      .catch((caught: unknown) => caught);
    await expect.poll(() => polls(calls())).toBe(1);
    await time.skip(30_000, () => service.requests.length);
    expect(await failing).toBeInstanceOf(LogTimeoutException);
    expect(polls(calls())).toBe(1);
  });

  it.each([
    ['a token that was revoked', UNAUTHORIZED, 401, 'The supplied authentication is invalid'],
    [
      'a right that was taken away',
      textError(403, 'The supplied authentication is not authorized to access this resource'),
      403,
      'not authorized to access this resource',
    ],
    [
      'a query that breaks the service',
      textError(500, 'There was an internal server error.'),
      500,
      'internal',
    ],
  ])('fails without a retry because of %s', async (_, turn, statusCode, text) => {
    const time = stopTime();
    const { client, service, calls } = await start(runningPoll(), turn);
    const failing = client.query('*').catch((caught: Error) => caught as LogHTTPException);
    await time.skip(2_797, () => service.requests.length);
    const error = (await failing) as LogHTTPException;
    expect(error).toMatchObject({ code: 'LOG_HTTP', statusCode });
    expect(error.message).toContain(text);
    expect(error.message).not.toContain(TOKEN);
    expect(polls(calls())).toBe(2);
  });

  it('fails with LOG_WRONG_BASE_URL for a web page with status 200, such as a login page', async () => {
    const { client } = await start(page(200, 'Sign in'));
    await expect(client.query('*')).rejects.toMatchObject({
      code: 'LOG_WRONG_BASE_URL',
      message: expect.not.stringContaining('<'),
    });
  });

  it.each(['7-a b/c', '7-50%', '7-a%2Fb', '7-x?y=1#z', '7-ü€🎉', '7-a+b;c=d'])(
    'percent-encodes the job ID %j in poll and delete requests',
    async (id) => {
      const escaped = `${JOBS}/${encodeURIComponent(id)}`;
      const { client, calls } = await connect(carrier, {
        [`POST ${JOBS}`]: [jobCreated(id)],
        [`GET ${escaped}`]: [donePoll([])],
        [`DELETE ${escaped}`]: [NOTHING],
      });
      await client.query('*');
      await soon(() => expect(calls()).toEqual([`POST ${JOBS}`, `GET ${escaped}`, `DELETE ${escaped}`]));
      expect(escaped.slice(JOBS.length + 1)).toMatch(/^[\w\-.!~*'()%]+$/);
    },
  );

  describe('createQueryJob()', () => {
    const creation = (turn: Turn) => connect(carrier, { [`POST ${JOBS}`]: [turn] });

    it.each([
      ['a reset connection', 'reset', 'LOG_CONNECTION'],
      ['a proxy without a backend', page(502, 'Bad Gateway'), 'LOG_HTTP'],
      ['a service that is overloaded', textError(503, 'Too many queries.'), 'LOG_HTTP'],
    ] as const)('repeats the creation of a static job twice after %s', async (_, turn, code) => {
      evenOdds();
      const { client, calls } = await creation(turn);
      await expect(client.createQueryJob('*')).rejects.toMatchObject({ code });
      expect(calls()).toEqual(Array(3).fill(`POST ${JOBS}`));
    });

    it("throws LogQueryException with the service's message and the marked position", async () => {
      const text =
        'Unknown function: grupBy\n```\n  | grupBy(field=status)\n    ^^^^^^\n```\nline 2, column 5';
      const { client } = await creation(textError(400, text));
      const error = await client.createQueryJob('*\n  | grupBy(field=status)').catch((it: unknown) => it);
      expect(error).toBeInstanceOf(LogQueryException);
      const message = text.replaceAll('```\n', '');
      expect(error).toMatchObject({ code: 'LOG_QUERY', statusCode: 400, message, body: text });
    });

    it.each([
      [{ detail: 'Unknown function: grupBy' }],
      [{ errors: [{ code: 400, message: 'Unknown function: grupBy' }] }],
      [{ message: 'Unknown function: grupBy', status: 400 }],
    ])('throws LogQueryException with the message of a JSON response from a gateway: %j', async (body) => {
      const { client } = await creation(json(body, 400));
      const error = await client.createQueryJob('grupBy()').catch((it: unknown) => it);
      expect(error).toBeInstanceOf(LogQueryException);
      expect(error).toMatchObject({ message: 'Unknown function: grupBy' });
    });

    it('does not throw LogQueryException for a 400 page from a proxy', async () => {
      const { client } = await creation(page(400, 'Request Header Or Cookie Too Large'));
      const error = await client.createQueryJob('*').catch((it: unknown) => it);
      expect(error).not.toBeInstanceOf(LogQueryException);
      expect(error).toMatchObject({ statusCode: 400, message: expect.not.stringContaining('<') });
    });
  });

  it('returns the rows even if the job cannot be deleted', async () => {
    const script = { ...job(donePoll(makeEvents(2))), [`DELETE ${JOBS}/${ID}`]: [page(502, 'Bad Gateway')] };
    const { client, calls } = await connect(carrier, script);
    expect(await client.query('*')).toHaveLength(2);
    await soon(() => expect(calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(2));
  });

  it('retries the deletion of a job after a connection reset', async () => {
    evenOdds();
    const time = stopTime();
    const script = { ...job(), [`DELETE ${JOBS}/${ID}`]: ['reset', NOTHING] as const };
    const { client, service, calls } = await connect(carrier, script);
    const deleting = client.createQueryJob('*').then((created) => created.delete());
    await time.skip(125, () => service.requests.length);
    await deleting;
    expect(calls()).toEqual([`POST ${JOBS}`, ...Array(2).fill(`DELETE ${JOBS}/${ID}`)]);
  });
});
