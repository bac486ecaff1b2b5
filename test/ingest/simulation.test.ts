import { describe, expect, it } from 'vitest';
import type { Answer } from '../../bench/simulation/answer.ts';
import type { Plan, ServicePlan, Step } from '../../bench/simulation/plan.ts';
import { explainSeed, runSeed } from '../../bench/simulation/seeds.ts';
import { type RunResult, runPlan } from '../../bench/simulation/simulation.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import { cases } from '../helpers/laws.ts';

/** How many seeds, and from which. */
const { numRuns: seeds, seed: firstSeed } = cases(30);

const SECOND = 1_000;
const HEALTHY: ServicePlan = {
  ...{ latencyMs: 5, msPerRecord: 0, msPerKilobyte: 0, troubles: [] },
  maxBytes: Number.POSITIVE_INFINITY,
};

interface Scenario {
  readonly options?: IngesterOptions;
  readonly service?: Partial<ServicePlan>;
  readonly steps: readonly Step[];
}

function run({ options = {}, service, steps }: Scenario, keepsHistory = false): Promise<RunResult> {
  const plan: Plan = {
    ...{ seed: 1, options, service: { ...HEALTHY, ...service } },
    ...{ diskTroubles: [], programs: [{ steps }] },
  };
  return runPlan(plan, keepsHistory);
}

/** Records at a constant rate, of 300 bytes. */
function records(perSecond: number, seconds: number, atMs = 1): Step {
  return write({ atMs, records: perSecond * seconds, everyMs: SECOND / perSecond });
}

function write(changes: Partial<Step & { kind: 'write' }>): Step {
  return { kind: 'write', atMs: 1, records: 1, everyMs: 0, bytes: 300, answer: 'ok', ...changes };
}

function end(atMs: number, changes: Partial<Step & { kind: 'end' }> = {}): Step {
  return { kind: 'end', atMs, how: 'close', lastRecords: 0, restartMs: undefined, ...changes };
}

/** Numbers of the records that the service accepts, but did not get. */
function missing({ ledger }: RunResult): number[] {
  return ledger.entries
    .filter(({ answer, stored }) => answer === 'ok' && stored === 0)
    .map(({ number }) => number);
}

/** No law is broken, and all records that the service accepts arrive. */
async function expectAllDelivered(scenario: Scenario): Promise<RunResult> {
  const result = await run(scenario);
  expect(result.violation).toBeUndefined();
  expect(missing(result)).toEqual([]);
  return result;
}

it(`breaks no law with ${seeds} seeds`, async () => {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    if ((await runSeed(seed)) !== undefined) throw new Error(await explainSeed(seed));
  }
});

it('repeats a run from its seed', async () => {
  const { planOf } = await import('../../bench/simulation/plan.ts');
  const [first, again] = [await runPlan(planOf(42), true), await runPlan(planOf(42), true)];
  expect(first.history.length).toBeGreaterThan(10);
  expect(again.history).toEqual(first.history);
});

describe('A request that fails the same way each time', () => {
  it('delivers all other records if one resets the connection', async () => {
    await expectAllDelivered({
      options: { maxRetryDelayMs: 30_000 },
      steps: [records(200, 15), write({ atMs: 4_200, answer: 'reset' })],
    });
  });

  it('delivers all other records if one gets 500', async () => {
    await expectAllDelivered({
      options: { maxRetryDelayMs: 5_000 },
      steps: [records(50, 60), write({ atMs: 20_000, answer: '500' })],
    });
  });

  it('drops good records from a queue of one second only until one with 500 is isolated', async () => {
    const result = await run({
      options: { maxRetryDelayMs: 5_000, maxQueueBytes: 60_000 },
      steps: [records(150, 30), write({ atMs: 3_000, answer: '500' })],
    });
    expect(result.violation).toBeUndefined();
    expect(missing(result).length).toBeLessThan(150 * 5);
    expect(missing(result).filter((number) => number > 150 * 10)).toEqual([]);
  });

  it('delivers all other records of a spool after a restart if one gets 500', async () => {
    await expectAllDelivered({
      options: { maxRetryDelayMs: 5_000, spool: { directory: '/spool' } },
      steps: [
        records(50, 60),
        write({ atMs: 20_000, answer: '500' }),
        end(30_000, { how: 'kill', restartMs: 100 }),
      ],
    });
  });

  it('delivers others from a spool while records at fault take all the time of a slow service', async () => {
    const result = await run({
      options: {
        minRetryDelayMs: 20,
        maxRetryDelayMs: 1_600,
        maxBatchBytes: 280,
        spool: { directory: '/spool' },
      },
      service: { latencyMs: 1_000 },
      steps: [
        write({ records: 4, bytes: 700, answer: 'reset' }),
        write({ atMs: 35_000, records: 20, everyMs: 600, bytes: 120 }),
        end(120_000),
      ],
    });
    expect(result.violation).toBeUndefined();
    expect(result.processes[0]!.acknowledged).toBe(20);
  });

  it('delivers a backlog to a service that takes 3 ms per record', async () => {
    const { ledger } = await expectAllDelivered({
      service: { msPerRecord: 3 },
      steps: [write({ records: 3_000 }), records(50, 30, SECOND)],
    });
    expect(Math.max(...ledger.entries.map(({ stored }) => stored))).toBeLessThanOrEqual(3);
  });

  it('delivers records of 4 kB through a link of 60 kB/s', async () => {
    await expectAllDelivered({
      service: { msPerKilobyte: 1024 / 60 },
      steps: [write({ records: 300, bytes: 4_000 })],
    });
  });
});

it('tries each record of a batch alone before any of them again, until one is accepted', async () => {
  const LENGTH = 7;
  for (let good = 1; good <= LENGTH; good++) {
    const batch = Array.from({ length: LENGTH }, (_, index) =>
      write({ atMs: SECOND, answer: index + 1 === good ? 'ok' : '401' }),
    );
    const { history } = await run({ steps: [write({}), ...batch] }, true);
    const alone = history.map((line) => /request of (\d+) \(/.exec(line)?.[1]).filter((n) => n !== undefined);
    const tried = alone.slice(1, alone.indexOf(`${good}`));
    expect(tried).toEqual([...new Set(tried)]);
  }
});

describe('A few refused records', () => {
  it.each<[string, Answer, number]>([
    ['1 % gets 403', '403', 100],
    ['0.1 % gets 403', '403', 1_000],
    ['1 % gets 500', '500', 100],
    ['1 % gets 413 alone', '413', 100],
    ['1 % gets 400', '400', 100],
    ['1 % gets 401', '401', 100],
  ])('do not stop the others if %s', async (_, answer, every) => {
    const everyMs = 5 * every;
    const seconds = Math.min(50, cases(5).numRuns);
    await expectAllDelivered({
      options: { maxRetryDelayMs: 30_000 },
      steps: [
        records(200, seconds + 10),
        write({ atMs: 5_000, records: (seconds * SECOND) / everyMs, everyMs, answer }),
        end((seconds + 12) * SECOND),
      ],
    });
  });

  it('do not stop the others if they are in the first batch', async () => {
    await expectAllDelivered({
      options: { maxRetryDelayMs: 30_000 },
      steps: [records(200, 20), write({ atMs: 200, records: 3, answer: '403' })],
    });
  });

  it('do not stop the others at the end', async () => {
    const bad = Array.from({ length: 10 }, () => [
      write({ atMs: SECOND, records: 29 }),
      write({ atMs: SECOND, answer: '403' }),
    ]);
    await expectAllDelivered({ steps: [write({ atMs: 1 }), ...bad.flat(), end(1_500)] });
  });
});

it.each(['exit', 'close'] as const)(
  'a record whose requests hang loses only records of its own batch at the end (%s)',
  async (how) => {
    const result = await run({
      options: { maxBatchRecords: 20 },
      steps: [write({ answer: 'hang' }), write({ records: 99 }), end(500, { how })],
    });
    expect(missing(result).length).toBeLessThanOrEqual(10);
    expect(missing(result).filter((number) => number >= 20)).toEqual([]);
  },
);

describe('A full queue', () => {
  const OUTAGES: Answer[] = ['refused', 'hang'];

  it.each(OUTAGES)('keeps the newest records of a spool in an outage (%s)', async (answer) => {
    const { ledger } = await run({
      options: { maxQueueBytes: 20_000, spool: { directory: '/spool', maxBytes: 100_000 } },
      service: { troubles: [{ fromMs: 0, untilMs: 60 * SECOND, answer, share: 1 }] },
      steps: [records(100, 30)],
    });
    // Whole files are dropped, and a batch is in flight.
    expect(ledger.entries.slice(-50).filter(({ stored }) => stored === 0)).toEqual([]);
  });

  it('reports every drop at the natural end', async () => {
    const options: IngesterOptions = { maxQueueBytes: 40_000, overflow: 'dropNewest' };
    const { violation } = await run({
      options,
      steps: [write({ records: 20_000, bytes: 100 }), end(2, { how: 'natural' })],
    });
    expect(violation).toBeUndefined();
  });

  it('reports every drop at process.exit()', async () => {
    const options: IngesterOptions = { maxQueueBytes: 40_000, overflow: 'dropNewest' };
    const { violation } = await run({
      options,
      steps: [write({ records: 20_000, bytes: 100 }), end(2, { how: 'exit' })],
    });
    expect(violation).toBeUndefined();
  });
});
