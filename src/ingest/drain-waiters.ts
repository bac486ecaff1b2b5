import type { Clock } from '../internal/clock.ts';
import type { Backlog } from './batch/backlog.ts';

/** A service that has taken nothing for so long is not slow, it is out of service. */
const SLOW_SERVICE_MS = 3_000;

/** Those who wait for room in a backlog. */
export class DrainWaiters {
  readonly #backlog: Backlog;
  readonly #clock: Clock;
  #waiters: (() => void)[] = [];
  /** The size of the record that was refused last, which must find room before anybody is told that there is some. */
  #refusedBytes = 0;
  /** When the service last took something, or might have for the first time. */
  #deliveredAt: number;
  #isClosed = false;

  constructor(backlog: Backlog, clock: Clock) {
    this.#backlog = backlog;
    this.#clock = clock;
    this.#deliveredAt = clock.now();
  }

  /** A record of this size found no room. */
  refused(bytes: number): void {
    this.#refusedBytes = bytes;
  }

  /** A record found room. */
  accepted(): void {
    this.#refusedBytes = 0;
  }

  /** The service has taken something. */
  delivered(): void {
    this.#deliveredAt = this.#clock.now();
  }

  /** The backlog may have become smaller. */
  resolve(): void {
    if (this.#waiters.length === 0 || !this.#isDrained()) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Nobody has to wait any more. */
  close(): void {
    this.#isClosed = true;
    this.resolve();
  }

  /** Resolves when the backlog is at most half full and has room for what was refused, or is closed. */
  drained(): Promise<void> {
    if (this.#isDrained()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Whether whoever can wait without harm should wait {@link drainedWithin} some time. It is no use when the service takes nothing. */
  get isCongested(): boolean {
    if (this.#isClosed || this.#backlog.isHalfEmpty(0)) return false;
    return this.#slowForMs > 0;
  }

  /** As {@link drained}, but for so long at most, and not longer than the service can count as slow by what is known now. */
  drainedWithin(maxMs: number): Promise<void> {
    const waitMs = Math.min(maxMs, this.#slowForMs);
    if (this.#isDrained() || waitMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#waiters = this.#waiters.filter((waiter) => waiter !== end);
        resolve();
      };
      const timer = this.#clock.startTimer(waitMs, end);
      this.#waiters.push(end);
    });
  }

  /** How long it will be slow and not out of service, if it takes nothing meanwhile. */
  get #slowForMs(): number {
    const sinceMs = this.#clock.now() - this.#deliveredAt;
    return sinceMs < 0 ? 0 : SLOW_SERVICE_MS - sinceMs; // A clock that was set back must not make anybody wait.
  }

  #isDrained(): boolean {
    return this.#isClosed || this.#backlog.isHalfEmpty(this.#refusedBytes);
  }
}
