import type { Clock } from '../../src/core/clock.ts';
import { LogConnectionException, type LogException, LogHTTPException } from '../../src/core/errors.ts';

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

  /** Decides at once and responds after the latency. @throws LogException if the request fails */
  request(): Promise<void> {
    const failure = this.#failure();
    const interval = Math.floor(this.#clock.now() / COUNT_INTERVAL_MS);
    count(this.requests, interval);
    if (failure === undefined) count(this.accepted, interval);
    const latency = failure === undefined ? ACCEPTED_MS : FAILED_MS;
    return new Promise((resolve, reject) => {
      const respond = (): void => (failure === undefined ? resolve() : reject(failure));
      this.#clock.startTimer(latency.min + this.#options.random() * latency.spread, respond);
    });
  }

  #failure(): LogException | undefined {
    const { outage, retryAfterMs } = this.#options;
    const now = this.#clock.now();
    if (outage !== undefined && now >= outage.fromMs && now < outage.untilMs)
      return failureDuring(outage, now);
    this.#fill(now);
    if (this.#tokens < 1) return failureWith(429, retryAfterMs);
    this.#tokens--;
    return undefined;
  }

  #fill(now: number): void {
    const { limitPerSecond } = this.#options;
    const added = ((now - this.#filledAt) / 1000) * limitPerSecond;
    this.#tokens = Math.min(limitPerSecond * BURST_SECONDS, this.#tokens + added);
    this.#filledAt = now;
  }
}

function failureDuring({ answer, untilMs }: Outage, now: number): LogException {
  if (answer.kind === 'refused') return new LogConnectionException('connection refused');
  return failureWith(503, answer.kind === '503' ? answer.retryAfterMs : untilMs - now);
}

function failureWith(statusCode: number, retryAfterMs: number | undefined): LogHTTPException {
  return new LogHTTPException(String(statusCode), {
    statusCode,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function count(counts: number[], interval: number): void {
  while (counts.length <= interval) counts.push(0);
  counts[interval]!++;
}
