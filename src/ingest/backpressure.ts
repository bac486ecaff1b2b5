import type { Clock } from '../core/clock.ts';
import type { Backlog } from './backlog.ts';
import type { IngestRecord } from './record/record.ts';

/** A service that has accepted nothing for this long counts as down, not as slow. */
const SLOW_SERVICE_MS = 3_000;

/**
 * Decides whether the queue accepts a record, and how long writers wait.
 *
 * - A record that does not fit is rejected. Its writer waits for {@link drained}: the queue is half empty and has
 *   capacity for the record.
 * - A writer that can buffer elsewhere asks {@link isCongested} before it adds more, and waits for a limited time. It
 *   only waits for a slow service: when the service is down, waiting would not help.
 * - A writer that waits sets {@link addHeld}. At the end, {@link flushHeld} adds that regardless of the limit, because
 *   it is in memory anyway.
 */
export class Backpressure {
  readonly #backlog: Backlog;
  readonly #clock: Clock;
  #waiters: (() => void)[] = [];
  /** Size of the record that was rejected last. */
  #rejectedBytes = 0;
  /** Time of the last delivery, or of the start. */
  #deliveredAt: number;
  #isClosed = false;
  /** Disables the limit from now on, for the last records of a writer. */
  ignoresLimit = false;
  /** Adds the records that a waiting writer holds; `undefined` if it holds none. */
  addHeld: (() => void) | undefined;

  constructor(backlog: Backlog, clock: Clock) {
    this.#backlog = backlog;
    this.#clock = clock;
    this.#deliveredAt = clock.now();
  }

  /** True if the queue has capacity for the record, or the limit does not apply. */
  accepts(record: IngestRecord): boolean {
    return this.ignoresLimit || this.#backlog.hasRoom(record);
  }

  accepted(): void {
    this.#rejectedBytes = 0;
  }

  /** Called when a record was rejected; its writer waits for {@link drained}. */
  rejected({ byteLength }: IngestRecord): void {
    this.#rejectedBytes = byteLength;
  }

  delivered(): void {
    this.#deliveredAt = this.#clock.now();
  }

  /** Called when the queue may have shrunk. */
  resolveWaiters(): void {
    if (this.#waiters.length === 0 || !this.#isDrained()) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Releases all waiting writers, now and later. */
  close(): void {
    this.#isClosed = true;
    this.resolveWaiters();
  }

  /** Resolves when the queue is at most half full and has capacity for the rejected record, or is closed. */
  drained(): Promise<void> {
    if (this.#isDrained()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves like {@link drained}, after `maxMs`, or when the service counts as down. */
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

  /** True if callers that can wait should back off; see {@link drainedWithin}. */
  get isCongested(): boolean {
    if (this.#isClosed || this.ignoresLimit || this.#backlog.isHalfEmpty(0)) return false;
    return this.#slowForMs > 0;
  }

  /** Disables the limit while `add` runs, for records that are already in memory. */
  ignoringQueueLimit(add: () => void): void {
    const before = this.ignoresLimit;
    this.ignoresLimit = true;
    add();
    this.ignoresLimit = before;
  }

  /** Adds the records that a waiting writer holds. */
  flushHeld(): void {
    const { addHeld } = this;
    this.addHeld = undefined;
    if (addHeld !== undefined) this.ignoringQueueLimit(addHeld);
  }

  /** How long the service still counts as slow if it accepts nothing. */
  get #slowForMs(): number {
    const sinceMs = this.#clock.now() - this.#deliveredAt;
    return sinceMs < 0 ? 0 : SLOW_SERVICE_MS - sinceMs; // Negative if the clock was set back.
  }

  #isDrained(): boolean {
    return this.#isClosed || this.#backlog.isHalfEmpty(this.#rejectedBytes);
  }
}
