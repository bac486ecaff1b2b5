import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { TailReconnect } from '../../../src/client/tail/live-query-options.ts';
import { TailProgress } from '../../../src/client/tail/tail-progress.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { startService } from '../../helpers/http-service.ts';

// Where a tail continues after a connection on which nothing arrived for a while: the service can have had no events,
// or have been unable to send them.

const SECOND = 1_000;
const DAY_S = 86_400;
const OVERLAP_S = 30;
/** The limits of the tail, which end as soon as nothing arrives anymore. */
const LIMIT_MS = 1_000;

/** Removes the random delay of reconnections, and lets the test move the clock of the tail. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => {
    random.mockRestore();
    vi.useRealTimers();
  };
});

const pass = (seconds: number): unknown => vi.setSystemTime(Date.now() + seconds * SECOND);

let ids = 0;
const event = (agoS = 0): string =>
  `${JSON.stringify({ '@id': `e${ids++}`, '@timestamp': Date.now() - agoS * SECOND })}\n`;

type Connection = (response: ServerResponse) => unknown;

/** Runs a tail over these connections. @returns how far back each of them and the next one started, in seconds. */
async function startsOf(connections: readonly Connection[], options = {}): Promise<number[]> {
  const starts: number[] = [];
  const end = new AbortController();
  const limits = holdTimers(LIMIT_MS);
  const service = await startService(async (request, response) => {
    const { start } = request.json<{ start: string }>();
    const number = starts.push(Number.parseInt(start, 10));
    if (number > connections.length) return end.abort();
    await connections[number - 1]!(response);
    if (!response.writableEnded && !response.destroyed) await limits.fire();
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  const settings = { start: '1 day', idleTimeoutMs: LIMIT_MS, signal: end.signal, ...options };
  for await (const _ of client.tail('foo', settings)) {
    // Every event is read at once.
  }
  return starts;
}

/** Waits until the tail has noticed what `act` does, and lets the time pass. */
async function noticed(act: () => unknown, passS: number): Promise<void> {
  const alive = vi.spyOn(TailProgress.prototype, 'markAlive');
  act();
  await eventually(() => expect(alive).toHaveBeenCalled());
  alive.mockRestore();
  pass(passS);
}

const send = async (response: ServerResponse, text: string, passS: number): Promise<void> => {
  if (!response.headersSent) await noticed(() => response.flushHeaders(), 0);
  await noticed(() => response.write(text), passS);
};

describe('A tail continues after a silent connection', () => {
  it('where the last event arrived, if the connection hung since', async () => {
    const starts = await startsOf([(response) => send(response, event(), 60)]);
    expect(starts[1]).toBeGreaterThanOrEqual(60 + OVERLAP_S);
    expect(starts[1]).toBeLessThan(70 + OVERLAP_S);
  });

  it('where it fell asleep, if the machine slept', async () => {
    const starts = await startsOf([
      async (response) => {
        await send(response, event(), 8 * 3_600);
        // Sent before, and read afterward.
        await send(response, '\n', 0);
        response.destroy();
      },
    ]);
    expect(starts[1]).toBeGreaterThanOrEqual(8 * 3_600 + OVERLAP_S);
    expect(starts[1]).toBeLessThan(DAY_S);
  });

  it('where the keep-alive line before the last one arrived', async () => {
    const starts = await startsOf([
      async (response) => {
        await send(response, event(100), 20);
        await send(response, '\n', 10);
        await send(response, '\n', 40);
      },
    ]);
    expect(starts[1]).toBeGreaterThanOrEqual(50 + OVERLAP_S);
    expect(starts[1]).toBeLessThan(60 + OVERLAP_S);
  });

  it('from its start, if no response arrived', async () => {
    const starts = await startsOf([() => pass(30)], { timeoutMs: LIMIT_MS });
    expect(starts[1]).toBeGreaterThanOrEqual(DAY_S);
  });

  it('from its start, if only existing events had arrived', async () => {
    const starts = await startsOf([(response) => send(response, event(3_600), 60)]);
    expect(starts[1]).toBeGreaterThanOrEqual(DAY_S);
  });

  it('where it was requested, if an earlier one was as quiet and keep-alive lines are off', async () => {
    const quiet: Connection = (response) => noticed(() => response.flushHeaders(), 60);
    const starts = await startsOf([quiet, quiet, quiet]);
    expect(starts[1]).toBeGreaterThanOrEqual(DAY_S);
    for (const start of starts.slice(2)) {
      expect(start).toBeGreaterThanOrEqual(60 + OVERLAP_S);
      expect(start).toBeLessThan(70 + OVERLAP_S);
    }
  });
});

it('The attempts of a tail are counted while the service does not respond, however long each of them takes', async () => {
  const attempts: number[] = [];
  const hang: Connection = () => pass(30);
  await startsOf([(response) => response.end(event()), hang, hang, hang], {
    timeoutMs: LIMIT_MS,
    onReconnect: ({ attempt }: TailReconnect) => attempts.push(attempt),
  });
  expect(attempts).toEqual([1, 2, 3, 4]);
});

it.each([
  [9, [1, 2, 3]],
  [10, [1, 1, 1]],
])('The attempts of a tail after quiet connections that lasted %i s are %j', async (seconds, expected) => {
  const attempts: number[] = [];
  const quiet: Connection = (response) => noticed(() => response.flushHeaders(), seconds);
  await startsOf([quiet, quiet, quiet], {
    onReconnect: ({ attempt }: TailReconnect) => attempts.push(attempt),
  });
  expect(attempts).toEqual(expected);
});
