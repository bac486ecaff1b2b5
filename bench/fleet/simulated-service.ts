import type { Clock } from '../../src/core/clock.ts';
import type { SendOutcome } from '../../src/ingest/send/sender.ts';

/** How the service fails during the outage. */
export type OutageKind =
  | { readonly kind: 'refused' }
  | { readonly kind: '503'; readonly retryAfterMs?: number }
  /** `Retry-After` with the date at which the outage ends: the same instant for every process. */
  | { readonly kind: '503 until recovery' };

interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly answer: OutageKind;
}

export interface ServiceOptions {
  readonly random: () => number;
  /** Accepted requests per second, on average. */
  readonly limitPerSecond: number;
  /** `Retry-After` of a 429. */
  readonly retryAfterMs?: number | undefined;
  readonly outage?: Outage | undefined;
}

/** How much of a second's limit can be used at once. */
const BURST_SECONDS = 0.1;

/** Requests are counted in intervals of this length. */
export const COUNT_INTERVAL_MS = 10;

const ACCEPTED_MS = { min: 40, spread: 40 };
const FAILED_MS = { min: 5, spread: 10 };

/** A service with a token bucket, which answers 429 above its limit. */
export class SimulatedService {
  readonly #clock: Clock;
  readonly #options: ServiceOptions;
  #tokens: number;
  #filledAt = 0;
  /** Requests by interval of {@link COUNT_INTERVAL_MS}. */
  readonly requests: number[] = [];
  /** Accepted requests by interval. */
  readonly accepted: number[] = [];

  constructor(clock: Clock, options: ServiceOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#tokens = options.limitPerSecond * BURST_SECONDS;
  }

  /** Decides at once and responds after the latency. */
  request(): Promise<SendOutcome> {
    const outcome = this.#outcome();
    const interval = Math.floor(this.#clock.now() / COUNT_INTERVAL_MS);
    count(this.requests, interval);
    if (outcome.kind === 'delivered') count(this.accepted, interval);
    const latency = outcome.kind === 'delivered' ? ACCEPTED_MS : FAILED_MS;
    return new Promise((resolve) => {
      this.#clock.startTimer(latency.min + this.#options.random() * latency.spread, () => resolve(outcome));
    });
  }

  #outcome(): SendOutcome {
    const { outage } = this.#options;
    const now = this.#clock.now();
    if (outage !== undefined && now >= outage.fromMs && now < outage.untilMs)
      return outcomeDuring(outage, now);
    this.#fill(now);
    if (this.#tokens < 1) {
      return {
        kind: 'retryable',
        reason: '429',
        retryAfterMs: this.#options.retryAfterMs,
        isRateLimited: true,
      };
    }
    this.#tokens--;
    return { kind: 'delivered' };
  }

  #fill(now: number): void {
    const { limitPerSecond } = this.#options;
    const added = ((now - this.#filledAt) / 1000) * limitPerSecond;
    this.#tokens = Math.min(limitPerSecond * BURST_SECONDS, this.#tokens + added);
    this.#filledAt = now;
  }
}

function outcomeDuring({ answer, untilMs }: Outage, now: number): SendOutcome {
  if (answer.kind === 'refused') return { kind: 'retryable', reason: 'connection refused' };
  const retryAfterMs = answer.kind === '503' ? answer.retryAfterMs : untilMs - now;
  return { kind: 'retryable', reason: '503', retryAfterMs };
}

function count(counts: number[], interval: number): void {
  while (counts.length <= interval) counts.push(0);
  counts[interval]!++;
}
