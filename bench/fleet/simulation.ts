import type { IngesterOptions } from '../../src/ingest/options.ts';
import { SimulatedClock } from '../simulation/clock.ts';
import { seededRandom } from '../simulation/random.ts';
import { type RecordCounts, SimulatedProcess } from './simulated-process.ts';
import { COUNT_INTERVAL_MS, type OutageKind, SimulatedService } from './simulated-service.ts';

/** Kinds of processes: few of them log most of the records. */
export const GROUPS = [
  { name: 'quiet', recordsPerSecond: 0.1, share: 0.4 },
  { name: 'normal', recordsPerSecond: 2, share: 0.4 },
  { name: 'busy', recordsPerSecond: 20, share: 0.18 },
  { name: 'chatty', recordsPerSecond: 200, share: 0.019 },
  { name: 'flooding', recordsPerSecond: 2_000, share: 0.001 },
] as const;

/** The queues of a fleet that works are empty long before. */
const MAX_DRAIN_MS = 3_600_000;

export interface FleetOptions {
  readonly processes: number;
  readonly limitPerSecond: number;
  readonly ingester?: IngesterOptions;
  /** Processes start at random times within this period. @default 0, all at once */
  readonly startSpreadMs?: number;
  readonly warmUpMs: number;
  readonly outage?: { readonly durationMs: number; readonly answer: OutageKind };
  /** `Retry-After` of a 429. */
  readonly retryAfterMs?: number;
  /** How long the processes log after the outage. Then the queues drain. */
  readonly afterMs: number;
  readonly seed?: number;
}

export interface FleetResult {
  readonly processes: readonly SimulatedProcess[];
  readonly service: SimulatedService;
  readonly outageAt: number;
  readonly recoveredAt: number;
  /** When the processes stopped logging. */
  readonly stoppedAt: number;
  /** Counters of each process at these times; the current ones are from after the queues drained. */
  readonly countsAtRecovery: readonly RecordCounts[];
  readonly countsAtStop: readonly RecordCounts[];
}

/** Runs a fleet against a service with a limit and an outage. The same options give the same result. */
export async function simulateFleet(options: FleetOptions): Promise<FleetResult> {
  const random = seededRandom(options.seed ?? 1);
  const { warmUpMs, outage, afterMs } = options;
  const clock = new SimulatedClock();
  const recoveredAt = warmUpMs + (outage?.durationMs ?? 0);
  const service = new SimulatedService(clock, {
    random,
    limitPerSecond: options.limitPerSecond,
    retryAfterMs: options.retryAfterMs,
    outage: outage && { fromMs: warmUpMs, untilMs: recoveredAt, answer: outage.answer },
  });
  const processes = ratesOf(options.processes).map(
    (recordsPerSecond) =>
      new SimulatedProcess(clock, service, {
        recordsPerSecond,
        random,
        startMs: 1 + random() * (options.startSpreadMs ?? 0),
        ingester: options.ingester ?? {},
      }),
  );
  await clock.runUntil(recoveredAt);
  for (const process of processes) process.mark();
  const countsAtRecovery = processes.map(({ stats }) => stats);
  const stoppedAt = recoveredAt + afterMs;
  await clock.runUntil(stoppedAt);
  const countsAtStop = processes.map(({ stats }) => stats);
  for (const process of processes) process.stopLogging();
  while (processes.some(({ stats }) => stats.waiting > 0)) {
    if (clock.now() > stoppedAt + MAX_DRAIN_MS) throw new Error('Records are still waiting after an hour.');
    await clock.runUntil(clock.now() + 1000);
  }
  return { processes, service, outageAt: warmUpMs, recoveredAt, stoppedAt, countsAtRecovery, countsAtStop };
}

function ratesOf(processes: number): number[] {
  return GROUPS.flatMap(({ recordsPerSecond, share }) =>
    new Array<number>(Math.round(processes * share)).fill(recordsPerSecond),
  );
}

/** The most requests in any second that starts in the period, in steps of 10 ms. */
export function peakPerSecond(counts: readonly number[], fromMs: number, untilMs: number): number {
  const width = 1000 / COUNT_INTERVAL_MS;
  const from = Math.floor(fromMs / COUNT_INTERVAL_MS);
  const until = Math.min(Math.floor(untilMs / COUNT_INTERVAL_MS), counts.length);
  let sum = 0;
  let peak = 0;
  for (let i = from; i < until; i++) {
    sum += counts[i]!;
    if (i - width >= from) sum -= counts[i - width]!;
    peak = Math.max(peak, sum);
  }
  return peak;
}

export function meanPerSecond(counts: readonly number[], fromMs: number, untilMs: number): number {
  const from = Math.floor(fromMs / COUNT_INTERVAL_MS);
  const until = Math.floor(untilMs / COUNT_INTERVAL_MS);
  const sum = counts.slice(from, until).reduce((total, each) => total + each, 0);
  return sum / ((untilMs - fromMs) / 1000);
}

/** Jain's fairness index: 1 if all values are equal, 1/n if one process gets everything. */
export function fairness(values: readonly number[]): number {
  const sum = values.reduce((total, each) => total + each, 0);
  const squares = values.reduce((total, each) => total + each * each, 0);
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares);
}
