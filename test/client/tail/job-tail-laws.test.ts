import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tail } from '../../../src/client/tail/tail.ts';
import {
  type ArrivingEvent,
  type JobService,
  type JobServiceTraits,
  knownUntil,
  startJobService,
} from '../../helpers/job-service.ts';
import { cases } from '../../helpers/laws.ts';

/** Removes the random delay of reconnections. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

const ALL = ['@id', '@timestamp', '@ingesttimestamp', 'n'] as const;

/** Events that arrive together some time after the previous poll. */
interface Burst {
  readonly count: number;
  /** Time between the previous poll and the arrival, and between the arrival and the next poll, in milliseconds. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Number of events per millisecond. */
  readonly perMs: number;
  /** The events' own times, in milliseconds before their arrival: late if positive, early if negative. */
  readonly lateMs: readonly number[];
  /** How long queries do not find them. */
  readonly hiddenMs: number;
}

const burst: fc.Arbitrary<Burst> = fc.record({
  count: fc.oneof(fc.nat({ max: 30 }), fc.integer({ min: 150, max: 500 })),
  beforeMs: fc.integer({ min: 1, max: 2_000 }),
  afterMs: fc.oneof(fc.nat({ max: 1_500 }), fc.nat({ max: 120_000 })),
  perMs: fc.constantFrom(1, 3, 150),
  lateMs: fc.array(fc.oneof(fc.constantFrom(0, 1, 3_700_000), fc.integer({ min: -5_000, max: 5_400_000 })), {
    minLength: 1,
    maxLength: 4,
  }),
  hiddenMs: fc.oneof(fc.constant(0), fc.nat({ max: 6_000 })),
});

const traits: fc.Arbitrary<Omit<JobServiceTraits, 'fault'>> = fc.oneof(
  fc.record({
    isEndIncluded: fc.boolean(),
    limitsBoth: fc.boolean(),
    hasDigestFlow: fc.boolean(),
    fields: fc.constant(ALL),
  }),
  fc.record({
    isEndIncluded: fc.constant(true),
    limitsBoth: fc.boolean(),
    hasDigestFlow: fc.boolean(),
    fields: fc.constantFrom(['n'] as const, ['@id', 'n'] as const, ['@id', '@timestamp', 'n'] as const),
  }),
);

/** Lets the events of a burst arrive. */
function arrive(service: JobService, { count, beforeMs, afterMs, perMs, lateMs, hiddenMs }: Burst): void {
  const first = service.now + beforeMs;
  for (let index = 0; index < count; index++) {
    const at = first + Math.floor(index / perMs);
    const number = service.events.length;
    const event: ArrivingEvent = {
      '@id': `aB3_0_${number}_${Math.floor(at / 1_000)}`,
      '@timestamp': at - lateMs[index % lateMs.length]!,
      '@ingesttimestamp': String(at),
      visibleAt: at + hiddenMs,
      n: String(number),
    };
    service.events.push(event);
  }
  service.now = first + Math.ceil(count / perMs) + afterMs;
}

/** The last event arrived in the last millisecond that the tail considers past, on a service that excludes ends. */
const LAST_MOMENT: [
  past: Burst[],
  bursts: Burst[],
  traits: Omit<JobServiceTraits, 'fault'>,
  faults: undefined[],
] = [
  [],
  [{ count: 3, beforeMs: 1, afterMs: 0, perMs: 1, lateMs: [0], hiddenMs: 0 }],
  { isEndIncluded: false, limitsBoth: false, hasDigestFlow: true, fields: ALL },
  [],
];

describe('A tail on query jobs', () => {
  it('yields each event once, however late it arrives and whichever responses are lost', async () => {
    const law = fc.asyncProperty(
      fc.array(burst, { maxLength: 2 }),
      fc.array(burst, { minLength: 1, maxLength: 6 }),
      traits,
      fc.array(fc.constantFrom(undefined, undefined, undefined, undefined, 404, 502), { maxLength: 30 }),
      async (past, bursts, given, faults) => {
        const rest = [...bursts];
        const answers = [undefined, ...faults];
        const controller = new AbortController();
        let quietPolls = 0;
        let beginsAt: { time: number; arrival: number } | undefined;
        /** Records where the tail starts: with the result of its first job. */
        const answer = (service: JobService): void => {
          const arrival = given.hasDigestFlow
            ? Math.min(knownUntil(service), service.now - 1)
            : service.now - 10_000;
          beginsAt ??= { time: service.now - 3_600_000, arrival };
        };
        const service = await startJobService({ ...given, fault: () => answers.shift() }, (polled) => {
          const next = rest.shift();
          if (next !== undefined) arrive(polled, next);
          else if (++quietPolls > 6) controller.abort();
          // Everything is found, and complete, some time after it has arrived.
          else polled.now += 6_000;
          answer(polled);
        });
        for (const each of past) arrive(service, each);
        const seen: string[] = [];
        const skips: unknown[] = [];
        const options = {
          start: '1 hour',
          signal: controller.signal,
          onSkip: (skip: unknown) => skips.push(skip),
        };
        for await (const { n } of tail<{ n: string }>(service.source, '*', options)) seen.push(n);
        await service.close();
        expect(skips).toEqual([]);
        const { time, arrival } = beginsAt!;
        const expected = service.events.filter(
          (event) => event['@timestamp'] >= time || Number(event['@ingesttimestamp']) > arrival,
        );
        expect(seen.map(Number).sort((left, right) => left - right)).toEqual(
          expected.map(({ n }) => Number(n)),
        );
      },
    );
    await fc.assert(law, { ...cases(4), examples: [LAST_MOMENT] });
  });
});
