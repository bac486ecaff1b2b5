import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogHTTPException } from '../../../src/core/errors.ts';
import { resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { HttpSender } from '../../../src/ingest/send/http-sender.ts';
import type { SendOutcome } from '../../../src/ingest/send/sender.ts';
import { ServiceCheck } from '../../../src/ingest/send/service-check.ts';
import { realWorld } from '../../../src/ingest/world.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { cases } from '../../helpers/laws.ts';

const BATCH = { body: new Uint8Array(), isCompressed: false };
const STOPPED = { kind: 'retryable', reason: 'stopped before the service responded' };
const ACCEPTED = { body: Readable.from([]) };

/** A service that only responds when a test calls `respond`. Records how long each stopped attempt lasted. */
class HangingService {
  readonly #clock: HandClock;
  readonly durations: number[] = [];
  /** The number of attempts so far. */
  started = 0;
  /** Accepts the records, or asks for another attempt. */
  respond: (retryAfterMs?: number) => void = () => {};

  constructor(clock: HandClock) {
    this.#clock = clock;
  }

  callPath(
    _: string,
    __: string,
    { signal }: { signal?: AbortSignal | undefined },
  ): Promise<typeof ACCEPTED> {
    const startedAt = this.#clock.now();
    this.started++;
    return new Promise((resolve, reject) => {
      this.respond = (retryAfterMs) => {
        if (retryAfterMs === undefined) resolve(ACCEPTED);
        else reject(new LogHTTPException('busy', { statusCode: 503, retryAfterMs }));
      };
      signal?.addEventListener('abort', () => {
        this.durations.push(this.#clock.now() - startedAt);
        reject(signal.reason);
      });
    });
  }
}

/** Moves the clock, and waits for the effects of its timers. */
async function advance(clock: HandClock, ms: number): Promise<void> {
  clock.move(ms);
  await new Promise((resolve) => setImmediate(resolve));
  // Ends delays of 0 ms.
  clock.move(0);
  await new Promise((resolve) => setImmediate(resolve));
}

async function moveTo(clock: HandClock, time: number): Promise<void> {
  while (clock.now() < time) await advance(clock, 1);
}

/** Sends until the batch is delivered or the signal aborts. */
async function open() {
  const clock = new HandClock();
  const service = new HangingService(clock);
  const options = resolveIngesterOptions({ baseUrl: 'https://logs.test', ingestToken: 'token' });
  const world = { ...realWorld, clock, openCaller: () => service };
  const sender = new HttpSender({ options, check: new ServiceCheck(options), world });
  const failures: SendOutcome[] = [];
  const stop = new AbortController();
  const send = async (): Promise<SendOutcome> => {
    for (;;) {
      const outcome = await sender.send(BATCH, stop.signal);
      if (outcome.kind !== 'retryable' || stop.signal.aborted) return outcome;
      failures.push(outcome);
      await sender.pause({ requestedMs: outcome.retryAfterMs ?? 0, ownMs: 0 }, stop.signal);
    }
  };
  const outcome = send();
  await advance(clock, 0);
  return { clock, service, sender, failures, stop, outcome };
}

it('HttpSender stops an attempt in flight after half of the time to a new deadline', async () => {
  const { clock, service, sender } = await open();
  await moveTo(clock, 700);
  sender.setDeadline(4_700);
  await moveTo(clock, 2_699);
  expect(service.durations).toEqual([]);
  await moveTo(clock, 2_700);
  expect(service.durations).toEqual([2_700]);
});

it('HttpSender gives each attempt half of the time to the deadline, but at least 250 ms', async () => {
  const { clock, service, sender } = await open();
  sender.setDeadline(4_000);
  await moveTo(clock, 4_000);
  expect(service.durations).toEqual([2_000, 1_000, 500, 250, 250]);
});

it('HttpSender stops each attempt after half of the remaining time, for any deadline', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(9_000), fc.integer({ min: 1, max: 9_000 }), async (beforeMs, closeMs) => {
      const { clock, service, sender } = await open();
      await advance(clock, beforeMs);
      sender.setDeadline(beforeMs + closeMs);
      await moveTo(clock, beforeMs + closeMs);
      const [first = 0, ...later] = service.durations;
      const durations = service.durations.length === 0 ? [] : [first - beforeMs, ...later];
      let leftMs = closeMs;
      for (const duration of durations) {
        expect(duration).toBe(Math.max(250, Math.ceil(leftMs / 2)));
        leftMs -= duration;
      }
      expect(leftMs).toBeLessThan(250);
    }),
    cases(20),
  );
});

it('HttpSender delivers in the third attempt if the first two get no response', async () => {
  const { clock, service, sender, outcome } = await open();
  sender.setDeadline(5_000);
  await moveTo(clock, 4_000);
  expect(service.started).toBe(3);
  service.respond();
  expect(await outcome).toEqual({ kind: 'delivered' });
  expect(clock.pending).toBe(0);
});

it('HttpSender does not limit an attempt without a deadline', async () => {
  const { clock, service } = await open();
  await advance(clock, 86_400_000);
  expect(service).toMatchObject({ started: 1, durations: [] });
  expect(clock.pending).toBe(0);
});

it('HttpSender does not limit attempts after the deadline is removed', async () => {
  const { clock, service, sender } = await open();
  sender.setDeadline(5_000);
  await moveTo(clock, 1_000);
  sender.setDeadline(undefined);
  await advance(clock, 86_400_000);
  expect(service).toMatchObject({ started: 1, durations: [] });
  service.respond(0);
  await advance(clock, 0);
  await advance(clock, 86_400_000);
  expect(service).toMatchObject({ started: 2, durations: [] });
});

it('HttpSender says which limit has stopped an attempt, and that its size may be the cause', async () => {
  const { clock, sender, failures } = await open();
  sender.setDeadline(2_000);
  await moveTo(clock, 1_000);
  expect(failures).toMatchObject([
    {
      kind: 'retryable',
      dependsOn: 'size',
      reason: 'no response within 1000 ms (closeTimeoutMs)',
    },
  ]);
});

it('HttpSender keeps a response that arrives when the attempt is stopped', async () => {
  const { clock, service, sender, outcome } = await open();
  sender.setDeadline(2_000);
  service.respond();
  clock.move(1_000);
  expect(await outcome).toEqual({ kind: 'delivered' });
  expect(service.started).toBe(1);
});

it('HttpSender stops the attempt in flight when its signal aborts', async () => {
  const { clock, service, sender, stop, outcome } = await open();
  sender.setDeadline(5_000);
  await moveTo(clock, 10);
  stop.abort();
  expect(await outcome).toMatchObject(STOPPED);
  expect(service).toMatchObject({ started: 1, durations: [10] });
  expect(clock.pending).toBe(0);
});

it('HttpSender honors Retry-After during a pause if the deadline is set meanwhile', async () => {
  const { clock, service, sender } = await open();
  service.respond(3_000);
  await advance(clock, 0);
  sender.setDeadline(5_000);
  await moveTo(clock, 2_999);
  expect(service.started).toBe(1);
  await advance(clock, 1);
  expect(service.started).toBe(2);
});

it('HttpSender waits only briefly if Retry-After ends after the deadline', async () => {
  const { clock, service, sender } = await open();
  service.respond(30_000);
  await advance(clock, 0);
  sender.setDeadline(5_000);
  await moveTo(clock, 500);
  expect(service.started).toBe(2);
});
