import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Http } from '../../src/page/api/http.ts';
import { liveEvents } from '../../src/page/api/live-events.ts';
import { queryStream } from '../../src/page/api/query-stream.ts';

// The page's stream over a response that the test writes, with fake timers.

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The page's stream, and the body of its response. */
function open(isLive: boolean, { responds = true } = {}) {
  const caller = new AbortController();
  let body!: ReadableStreamDefaultController<Uint8Array>;
  let signal!: AbortSignal;
  const http = new Http({
    baseUrl: 'http://localhost/',
    token: () => 'token',
    fetch: (_, init) => {
      signal = init!.signal!;
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller;
          // As fetch() does.
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      if (responds) return Promise.resolve(new Response(stream));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const rows = queryStream(http, 'sandbox', { queryString: '*', isLive } as never, caller.signal);
  return {
    caller,
    http,
    rows,
    send: (text: string) => body.enqueue(new TextEncoder().encode(text)),
    end: () => body.close(),
  };
}

/** Whether a promise is settled, without waiting for it. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  const settled = promise.then(
    () => 'fulfilled',
    (error: unknown) => (error as Error).message,
  );
  return Promise.race([settled, vi.advanceTimersByTimeAsync(0).then(() => 'pending')]);
}

describe.each([
  [true, 60_000],
  [false, 300_000],
])('The stream of the page with isLive: %s', (isLive, limitMs) => {
  const failure = `The server has sent nothing for ${limitMs / 1000} s`;

  it(`fails after ${limitMs} ms without a byte`, async () => {
    const { rows } = open(isLive);
    expect(await rows.next()).toEqual({ done: false, value: [] });
    const next = rows.next();
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(await stateOf(next)).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(await stateOf(next)).toBe(failure);
  });

  it(`fails after ${limitMs} ms without a response`, async () => {
    const next = open(isLive, { responds: false }).rows.next();
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(await stateOf(next)).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(await stateOf(next)).toBe(failure);
  });

  it('stays open as long as blank lines or rows arrive', async () => {
    const { rows, send, end } = open(isLive);
    await rows.next();
    for (const text of ['\n', '\n', '{"a":"1"}\n{"a', '":"2"}\n']) {
      const next = rows.next();
      await vi.advanceTimersByTimeAsync(limitMs - 1);
      expect(await stateOf(next)).toBe('pending');
      send(text);
      if (text === '\n') {
        // A blank line is not a row: the same read goes on.
        await vi.advanceTimersByTimeAsync(limitMs - 1);
        expect(await stateOf(next)).toBe('pending');
        send('{"n":"0"}\n');
      }
      expect((await next).done).toBe(false);
    }
    const last = rows.next();
    end();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('does not count the time in which the page does not read', async () => {
    const { rows, send } = open(isLive);
    await rows.next();
    send('{"a":"1"}\n');
    expect((await rows.next()).value).toEqual([{ a: '1' }]);
    await vi.advanceTimersByTimeAsync(10 * limitMs);
    send('{"a":"2"}\n');
    expect((await rows.next()).value).toEqual([{ a: '2' }]);
  });

  it('leaves no timer behind', async () => {
    const { rows, end } = open(isLive);
    await rows.next();
    end();
    await rows.next();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('The stream of the page ends with the reason of the caller who aborts it', async () => {
  const { rows, caller } = open(true);
  await rows.next();
  const next = rows.next();
  caller.abort(new Error('closed'));
  expect(await stateOf(next)).toBe('closed');
  expect(vi.getTimerCount()).toBe(0);
});

it.each([true, false])(
  'A request of the page fails after 60,000 ms without a byte (has a response: %s)',
  async (responds) => {
    const { http, send } = open(true, { responds });
    const result = http.json('GET', 'api/v1/status');
    const wait = async (): Promise<void> => {
      await vi.advanceTimersByTimeAsync(59_999);
      expect(await stateOf(result)).toBe('pending');
    };
    await wait();
    if (responds) {
      // A slow response is not a silent one.
      send('{"status":');
      await wait();
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(await stateOf(result)).toBe('The server has sent nothing for 60 s');

    const next = open(true);
    const answer = next.http.json('GET', 'api/v1/status');
    await vi.advanceTimersByTimeAsync(0);
    for (const part of ['{"status":', '"OK"}']) next.send(part);
    next.end();
    expect(await answer).toEqual({ status: 'OK' });
    expect(vi.getTimerCount()).toBe(0);
  },
);

it.each([
  [429, true],
  [503, true],
  [401, false],
  [501, false],
])("The page's tail after status %s: it tries again: %s", async (status, triesAgain) => {
  const states: string[] = [];
  const caller = new AbortController();
  const options = {
    repository: 'sandbox',
    queryString: '*',
    onState: (state: string) => states.push(state),
    signal: caller.signal,
  };
  const statuses = [status, 200];
  const http = new Http({
    baseUrl: 'http://localhost/',
    token: () => 'token',
    fetch: async () => {
      const next = statuses.shift()!;
      return new Response(next === 200 ? '{"@id":"a"}\n' : 'no', { status: next });
    },
  });
  const first = liveEvents(http, options).next();
  const settled = first.then(
    ({ value }) => value,
    (error: { status: number }) => error.status,
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await settled).toEqual(triesAgain ? [{ '@id': 'a' }] : status);
  expect(states).toEqual(triesAgain ? ['reconnecting', 'live', 'live'] : []);
  caller.abort();
});
