import type { IngesterOptions } from '../../src/ingest/options.ts';
import type { SpoolOptions } from '../../src/ingest/spool/spool-options.ts';
import type { Answer } from './answer.ts';
import { seededRandom } from './random.ts';

/** A period in which the service fails a share of the requests. */
export interface Trouble {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly answer: Answer;
  /** 1 for an outage. */
  readonly share: number;
}

export interface ServicePlan {
  readonly latencyMs: number;
  readonly msPerRecord: number;
  readonly msPerKilobyte: number;
  /** Larger requests get 413. */
  readonly maxBytes: number;
  readonly troubles: readonly Trouble[];
}

/** A period in which the disk can't be written. */
export interface DiskTrouble {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly code: string;
}

/**
 * How a process ends; `close` awaits `close()` first, `natural` lets the event loop run empty, `crash` ends all
 * processes of the machine, whose disk loses what is not synced.
 */
export type End = 'close' | 'natural' | 'exit' | 'signal' | 'kill' | 'abandon' | 'crash';

export type Step =
  | {
      readonly kind: 'write';
      readonly atMs: number;
      readonly records: number;
      readonly everyMs: number;
      readonly bytes: number;
      /** The service answers this to every request with one of these records, or with every n-th of them. */
      readonly answer: Answer;
      readonly answerEvery?: number;
    }
  | { readonly kind: 'flush'; readonly atMs: number }
  | {
      readonly kind: 'end';
      readonly atMs: number;
      readonly how: End;
      /** Records that the program logs when it ends. */
      readonly lastRecords: number;
      /** Delay before the program starts again; none if it does not. */
      readonly restartMs: number | undefined;
    };

/** The life of a program, which starts again after some of its ends. */
export interface ProgramPlan {
  readonly steps: readonly Step[];
}

/** Everything that happens in a run, except what the client decides. */
export interface Plan {
  readonly seed: number;
  readonly options: IngesterOptions;
  readonly service: ServicePlan;
  readonly diskTroubles: readonly DiskTrouble[];
  readonly programs: readonly ProgramPlan[];
}

const SECOND = 1_000;
const LONGEST_MS = 90 * SECOND;

/** What a firewall, a parser or a gateway answers to one kind of record. */
const CONTENT_ANSWERS: readonly Answer[] = ['400', '401', '403', '413', '422', '500', '503', 'reset', 'hang'];
const FAILURES: readonly Answer[] = [
  ...(['refused', 'reset', 'hang', 'lost', '500', '502', '503', '503+3', '429', '429+2'] as const),
];
const OUTAGES: readonly Answer[] = [
  ...FAILURES.filter((answer) => answer !== 'lost'),
  '401',
  '403',
  '503+20',
];

const ENDS: readonly End[] = ['close', 'natural', 'exit', 'signal', 'kill', 'kill', 'abandon', 'crash'];
export const SPOOL_FOLDER = '/spool';

class Dice {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  between(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  /** Small numbers are as likely as large ones. */
  size(min: number, max: number): number {
    return Math.floor(min * (max / min) ** this.random());
  }

  one<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)]!;
  }

  /** @returns undefined for half of the calls, which means the default. */
  maybe<Value>(value: () => Value): Value | undefined {
    return this.chance(0.5) ? value() : undefined;
  }
}

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  const dice = new Dice(seed);
  const options = optionsOf(dice);
  const service = serviceOf(dice, options);
  const programs = [programOf(dice, service)];
  if (dice.chance(0.1)) programs.push(programOf(dice, service));
  const diskTroubles = options.spool !== undefined && dice.chance(0.2) ? [diskTroubleOf(dice)] : [];
  return { seed, options, service, diskTroubles, programs };
}

function optionsOf(dice: Dice): IngesterOptions {
  const minRetryDelayMs = dice.maybe(() => dice.size(10, 3_000));
  return {
    minRetryDelayMs,
    maxRetryDelayMs: Math.max(
      minRetryDelayMs ?? SECOND,
      dice.maybe(() => dice.size(SECOND, 30_000)) ?? 30_000,
    ),
    maxBatchRecords: dice.maybe(() => dice.size(1, 300)),
    maxBatchBytes: dice.maybe(() => dice.size(100, 50_000)),
    maxQueueBytes: dice.chance(0.2) ? dice.size(2_000, 60_000) : undefined,
    overflow: dice.one(['dropOldest', 'dropNewest', 'block']),
    flushIntervalMs: dice.maybe(() => dice.size(1, 5_000)),
    closeTimeoutMs: dice.maybe(() => dice.size(10, 9_000)),
    requestTimeoutMs: dice.maybe(() => dice.size(500, 20_000)),
    maxRequestsInFlight: dice.chance(0.2) ? dice.between(2, 5) : undefined,
    batchIds: dice.chance(0.1),
    spool: dice.chance(0.35) ? spoolOf(dice) : undefined,
  };
}

function spoolOf(dice: Dice): SpoolOptions {
  return {
    directory: SPOOL_FOLDER,
    maxBytes: dice.chance(0.3) ? dice.size(4_000, 100_000) : undefined,
    fsync: dice.one(['never', 'interval', 'always']),
    segmentBytes: dice.maybe(() => dice.size(100, 100_000)),
  };
}

function diskTroubleOf(dice: Dice): DiskTrouble {
  const fromMs = dice.size(1, LONGEST_MS);
  return { fromMs, untilMs: fromMs + dice.size(1, LONGEST_MS), code: dice.one(['ENOSPC', 'EIO', 'EACCES']) };
}

function serviceOf(dice: Dice, { requestTimeoutMs = 10_000 }: IngesterOptions): ServicePlan {
  const isSlow = dice.chance(0.15);
  return {
    latencyMs: dice.size(1, Math.min(300, requestTimeoutMs / 4)),
    // A lone record must be possible.
    msPerRecord: isSlow ? dice.size(1, requestTimeoutMs / 8) : 0,
    msPerKilobyte: isSlow && dice.chance(0.5) ? dice.size(1, requestTimeoutMs / 40) : 0,
    maxBytes: dice.chance(0.15) ? dice.size(2_500, 50_000) : Number.POSITIVE_INFINITY,
    troubles: dice.chance(0.5) ? troublesOf(dice) : [],
  };
}

function troublesOf(dice: Dice): Trouble[] {
  return Array.from({ length: dice.between(1, 3) }, () => {
    const fromMs = dice.between(0, LONGEST_MS / 2);
    const isOutage = dice.chance(0.4);
    return {
      fromMs,
      untilMs: fromMs + dice.size(100, LONGEST_MS),
      answer: dice.one(isOutage ? OUTAGES : FAILURES),
      share: isOutage ? 1 : dice.between(1, 5) / 10,
    };
  });
}

function programOf(dice: Dice, { msPerRecord }: ServicePlan): ProgramPlan {
  const badAnswer = dice.chance(0.5) ? dice.one(CONTENT_ANSWERS) : undefined;
  const most = msPerRecord === 0 ? 200 : 60;
  const steps: Step[] = Array.from({ length: dice.between(1, 12) }, () => {
    const atMs = dice.size(1, LONGEST_MS);
    if (dice.chance(0.1)) return { kind: 'flush', atMs };
    const isBad = badAnswer !== undefined && dice.chance(0.3);
    const isMixed = isBad && dice.chance(0.3);
    return {
      kind: 'write',
      atMs,
      records: dice.size(1, isBad && !isMixed ? 4 : most),
      everyMs: dice.chance(0.5) ? 0 : dice.size(1, 1_000),
      bytes: dice.size(30, 2_000),
      answer: isBad ? badAnswer : 'ok',
      ...(isMixed && { answerEvery: dice.between(10, 40) }),
    };
  });
  // More drops than are reported one by one.
  if (dice.chance(0.02))
    steps.push({ kind: 'write', atMs: 1, records: 1_500, everyMs: 0, bytes: 60, answer: 'ok' });
  const hangsAtMs = dice.chance(0.05) ? dice.size(1, LONGEST_MS) : undefined;
  if (hangsAtMs !== undefined) {
    const write = { kind: 'write', atMs: hangsAtMs, everyMs: 0, bytes: 100 } as const;
    steps.push(
      { ...write, records: 1, answer: 'hang' },
      { ...write, records: dice.size(1, 200), answer: 'ok' },
    );
  }
  for (let ends = dice.between(0, 2); ends > 0; ends--) {
    // Records that hang matter most when time is short.
    const isSoon = hangsAtMs !== undefined;
    steps.push({
      kind: 'end',
      atMs: isSoon ? hangsAtMs + dice.between(0, 1_000) : dice.size(1, 2 * LONGEST_MS),
      how: dice.one(ENDS),
      lastRecords: dice.chance(0.3) ? dice.between(1, 20) : 0,
      restartMs: ends > 1 ? dice.size(1, 10_000) : undefined,
    });
  }
  return { steps: steps.sort((a, b) => a.atMs - b.atMs) };
}
