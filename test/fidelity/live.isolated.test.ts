import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PollResult } from '../../src/client/query/poll-result.ts';
import { LogHTTPException, LogWaitTimeoutException } from '../../src/core/errors.ts';
import { makeEvents } from '../helpers/query-answers.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { soon, stopTime } from './fake-time.ts';
import { jobCreated, livePoll, NOTHING, page, rowStream, rows, runningPoll, textError } from './replies.ts';
import { jsonOf, type Turn } from './service-script.ts';

const REPOSITORY = '/api/v1/repositories/sandbox';
const UNAUTHORIZED = textError(401, 'The supplied authentication is invalid');
const UNKNOWN_JOB = textError(404, 'The requested resource could not be found.');
const SOON = { pollAfter: 5 };

/** Minimizes every retry delay. */
function noBackoff(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

/** Up to `count` values of a sequence, and how it ended. */
async function read(sequence: AsyncIterable<unknown>, count: number): Promise<[unknown[], unknown]> {
  const values: unknown[] = [];
  try {
    for await (const value of sequence) if (values.push(value) === count) break;
    return [values, undefined];
  } catch (error) {
    return [values, error];
  }
}

describe.each(CARRIERS)('Live queries over $name', (carrier) => {
  const itCuts = it.skipIf(!carrier.can.includes('cuts'));

  describe('tail()', () => {
    const events = makeEvents(3);
    const stream = (...turns: readonly Turn[]) => connect(carrier, { [`POST ${REPOSITORY}/query`]: turns });

    it('yields each event once if a response ends mid-line and the next one repeats it', async () => {
      noBackoff();
      const whole = rows(...events);
      const { client, service } = await stream(
        rowStream(whole.slice(0, -20)),
        page(502, 'Bad Gateway'),
        'reset',
        rowStream(whole),
      );
      expect(await read(client.tail('*'), 3)).toEqual([events, undefined]);
      expect(jsonOf(service.requests[0])).toMatchObject({ queryString: '*', isLive: true });
    });

    itCuts('yields each event once if a response breaks off', async () => {
      noBackoff();
      const whole = rows(...events);
      const { client } = await stream(
        { ...rowStream(whole.slice(0, -20)), ending: 'reset' },
        rowStream(`\n\n${whole}`),
      );
      expect(await read(client.tail('*'), 3)).toEqual([events, undefined]);
    });

    it('throws the 401 when its token is revoked', async () => {
      noBackoff();
      const { client, calls } = await stream(rowStream(rows(...events)), UNAUTHORIZED);
      const [values, error] = await read(client.tail('*'), Number.POSITIVE_INFINITY);
      expect(values).toEqual(events);
      expect(error).toBeInstanceOf(LogHTTPException);
      expect(error).toMatchObject({ statusCode: 401, message: expect.stringContaining('is invalid') });
      expect((error as Error).message).not.toContain(TOKEN);
      expect(calls()).toHaveLength(2);
    });
  });

  describe('Live query job', () => {
    const JOBS = `${REPOSITORY}/queryjobs`;
    const live = (...polls: readonly Turn[]) =>
      connect(carrier, {
        [`POST ${JOBS}`]: [jobCreated('9-a'), jobCreated('9-b')],
        [`GET ${JOBS}/9-a`]: polls,
        [`GET ${JOBS}/9-b`]: [livePoll([{ _count: '9' }], { ...SOON, isAggregate: true })],
        [`DELETE ${JOBS}/9-a`]: [NOTHING],
        [`DELETE ${JOBS}/9-b`]: [NOTHING],
      });
    const snapshot = (count: number) => livePoll([{ _count: `${count}` }], { ...SOON, isAggregate: true });
    const counts = (results: unknown[]) =>
      (results as { events: { _count: string }[] }[]).map(({ events }) => events[0]?._count);
    /** The results of a watch after existing events were searched. */
    async function* complete(results: AsyncIterable<PollResult>): AsyncGenerator<PollResult> {
      for await (const result of results) if (result.isDone) yield result;
    }

    it('is polled again after pollAfter', async () => {
      const time = stopTime();
      const snapshots = [1, 2].map((count) => livePoll([{ _count: `${count}` }], { pollAfter: 2_341 }));
      const { client, service } = await live(runningPoll(), ...snapshots);
      const reading = read(complete(client.watch('count()')), 2);
      await time.skip(2_797, () => service.requests.length);
      await time.skip(2_341, () => service.requests.length);
      const [results] = await reading;
      expect(counts(results)).toEqual(['1', '2']);
    });

    it('yields only changed results to watch(), and is deleted at the end', async () => {
      const { client, calls } = await live(
        runningPoll(SOON),
        snapshot(1),
        snapshot(1),
        snapshot(2),
        snapshot(3),
      );
      const [results] = await read(complete(client.watch('count()')), 3);
      expect(counts(results)).toEqual(['1', '2', '3']);
      await soon(() => expect(calls().at(-1)).toBe(`DELETE ${JOBS}/9-a`));
    });

    it.each([
      ['was forgotten', UNKNOWN_JOB],
      ['was canceled', livePoll([], { ...SOON, cancelled: true })],
    ])('is replaced by a new job if it %s', async (_, turn) => {
      noBackoff();
      const { client, calls } = await live(snapshot(1), turn);
      const [results] = await read(client.watch('count()'), 2);
      expect(counts(results)).toEqual(['1', '9']);
      expect(calls().filter((call) => call.startsWith('POST'))).toHaveLength(2);
      await soon(() => expect(calls().at(-1)).toBe(`DELETE ${JOBS}/9-b`));
    });

    it('is polled further after error pages of a proxy and lost connections', async () => {
      noBackoff();
      const { client } = await live(snapshot(1), page(502, 'Bad Gateway'), 'reset', snapshot(2));
      const [results] = await read(client.watch('count()'), 2);
      expect(counts(results)).toEqual(['1', '2']);
    });

    it('makes watch() throw the 401 when the token is revoked', async () => {
      const { client } = await live(snapshot(1), UNAUTHORIZED);
      const [results, error] = await read(client.watch('count()'), Number.POSITIVE_INFINITY);
      expect(counts(results)).toEqual(['1']);
      expect(error).toMatchObject({ statusCode: 401, message: expect.not.stringContaining(TOKEN) });
    });

    it('is polled by waitFor() until it has enough rows', async () => {
      const { client } = await live(runningPoll(SOON), livePoll([], SOON), livePoll(makeEvents(2), SOON));
      expect(await client.waitFor('*', 2)).toEqual(makeEvents(2));
    });

    it('makes waitFor() throw the 401 when the token is revoked', async () => {
      const { client } = await live(livePoll([], SOON), UNAUTHORIZED);
      await expect(client.waitFor('*', 2)).rejects.toMatchObject({ statusCode: 401 });
    });

    it('makes waitFor() fail after timeoutMs, with the rows so far', async () => {
      const time = stopTime();
      const { client } = await live(livePoll(makeEvents(1), { pollAfter: 19_706 }));
      const failing = client.waitFor('*', 2, { timeoutMs: 9_000 }).catch((caught: unknown) => caught);
      await time.waitsFor(19_706);
      await time.skip(9_000, () => 0);
      const error = await failing;
      expect(error).toBeInstanceOf(LogWaitTimeoutException);
      expect(error).toMatchObject({ rows: makeEvents(1), query: '*' });
    });
  });
});
