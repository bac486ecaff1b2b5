import type { Clock } from '../core/clock.ts';
import type { Backlog } from './backlog.ts';
import type { IngestRecord } from './record/record.ts';

/** A service that has accepted nothing for this long counts as down, not as slow. */
const SLOW_SERVICE_MS = 3_000;

/** Maximum time that a writer waits for a slow service, in milliseconds. Records written during that time stay in its memory. */
export interface BackpressureLimits {
  /** For the records of one write. */
  readonly perWriteMs: number;
  /** In total, until the writer has caught up. */
  readonly untilCaughtUpMs: number;
}

const NO_WAIT: BackpressureLimits = { perWriteMs: 0, untilCaughtUpMs: 0 };

export interface BackpressureOptions {
  readonly backlog: Pick<Backlog, 'hasRoom' | 'isHalfEmpty'>;
  readonly clock: Clock;
  /** @default the writer does not wait for a slow service */
  readonly limits?: BackpressureLimits | undefined;
  /** Sends queued records without waiting for their batch to fill. */
  readonly sendNow: () => void;
  /** Keeps the process alive until the promise settles. */
  readonly keepAlive: (drained: Promise<void>) => void;
}

/** Records that a writer adds in one or more passes. */
export interface HeldWrite {
  /** Adds records until one is rejected or {@link Backpressure.shouldWait}. @returns true if none is left */
  readonly add: () => boolean;
  /** Called when all records are added. May start the next write. */
  readonly onAdded: () => void;
}

/**
 * Decides whether the queue accepts a record, and holds the records of a writer until it does.
 *
 * - A record that does not fit is rejected. Its writer waits for {@link drained}: the queue is half empty and has
 *   capacity for the record.
 * - A writer that can buffer elsewhere adds nothing while the queue is more than half full, for a limited time. It only
 *   waits for a slow service: when the service is down, waiting would not help.
 * - At the end, {@link release} adds the held records regardless of the limit, because they are in memory anyway.
 */
export class Backpressure {
  readonly #options: BackpressureOptions;
  readonly #limits: BackpressureLimits;
  #waiters: (() => void)[] = [];
  /** Size of the record that was rejected last. */
  #rejectedBytes = 0;
  /** Time of the last delivery, or of the start. */
  #deliveredAt: number;
  #isClosed = false;
  /** `released`: the limit of the queue does not apply until the held records are added. `off`: never again. */
  #limit: 'on' | 'released' | 'off' = 'on';
  #held: HeldWrite | undefined;
  #isAdding = false;
  #isWaiting = false;
  /** How long the writer can still wait for a slow service. */
  #writeLeftMs = 0;
  #totalLeftMs: number;

  constructor(options: BackpressureOptions) {
    this.#options = options;
    this.#limits = options.limits ?? NO_WAIT;
    this.#totalLeftMs = this.#limits.untilCaughtUpMs;
    this.#deliveredAt = options.clock.now();
  }

  /** True while the writer should wait for a slow service before it adds more. */
  get shouldWait(): boolean {
    if (this.#leftMs <= 0 || this.#limit !== 'on' || this.#isDrained(0)) return false;
    return this.#slowForMs > 0;
  }

  /** True if a writer has records that are not added. */
  get hasHeldWrite(): boolean {
    return this.#held !== undefined;
  }

  /** True if the queue has capacity for the record, or the limit does not apply. */
  accepts(record: IngestRecord): boolean {
    return this.#limit !== 'on' || this.#options.backlog.hasRoom(record);
  }

  accepted(): void {
    this.#rejectedBytes = 0;
  }

  /** Called when a record was rejected; its writer waits for {@link drained}. */
  rejected({ byteLength }: IngestRecord): void {
    this.#rejectedBytes = byteLength;
    this.#options.sendNow(); // Nothing more fits into the next batch.
  }

  delivered(): void {
    this.#deliveredAt = this.#options.clock.now();
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
    const drained = new Promise<void>((resolve) => this.#waiters.push(resolve));
    this.#options.keepAlive(drained);
    return drained;
  }

  /** Adds the records of a write as soon as they are accepted. @param hasCaughtUp true if no earlier ones are waiting */
  write(write: HeldWrite, hasCaughtUp: boolean): void {
    this.#writeLeftMs = this.#limits.perWriteMs;
    if (hasCaughtUp) this.#totalLeftMs = this.#limits.untilCaughtUpMs;
    this.#held = write;
    this.#addHeld();
  }

  /** Adds the held records, and those of `write`, regardless of the limit. */
  release(write?: () => void): void {
    if (this.#limit === 'on') this.#limit = 'released';
    write?.();
    this.#addHeld();
  }

  /** Adds the held records, and does not wait for a slow service until the writer has caught up. */
  skip(): void {
    this.#totalLeftMs = 0;
    this.#addHeld();
  }

  /** Adds the held and all later records regardless of the limit. */
  lift(): void {
    this.#limit = 'off';
    this.#addHeld();
  }

  /** An `onDrop` hook can end the writer while a record is added. The pass in progress then adds the rest. */
  #addHeld(): void {
    if (this.#isAdding) return;
    this.#isAdding = true;
    try {
      for (let held = this.#held; held?.add(); held = this.#held) {
        this.#held = undefined;
        held.onAdded();
      }
    } finally {
      this.#isAdding = false;
      if (this.#limit === 'released') this.#limit = 'on';
    }
    if (this.#held !== undefined && !this.#isWaiting) void this.#addWhenDrained();
  }

  async #addWhenDrained(): Promise<void> {
    this.#isWaiting = true;
    while (this.#held !== undefined) {
      if (this.#leftMs > 0) await this.#drainedOrDown();
      else await this.drained();
      this.#addHeld();
    }
    this.#isWaiting = false;
  }

  /** Resolves when the queue is at most half full, the service counts as down, or the writer must not wait longer. */
  async #drainedOrDown(): Promise<void> {
    this.#options.sendNow();
    const waitMs = Math.min(this.#leftMs, this.#slowForMs);
    if (this.#isDrained() || waitMs <= 0) return;
    const since = performance.now();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#waiters = this.#waiters.filter((waiter) => waiter !== end);
        resolve();
      };
      const timer = this.#options.clock.startTimer(waitMs, end);
      this.#waiters.push(end);
    });
    const waitedMs = performance.now() - since;
    this.#writeLeftMs -= waitedMs;
    this.#totalLeftMs -= waitedMs;
  }

  get #leftMs(): number {
    return Math.min(this.#writeLeftMs, this.#totalLeftMs);
  }

  /** How long the service still counts as slow if it accepts nothing. */
  get #slowForMs(): number {
    const sinceMs = this.#options.clock.now() - this.#deliveredAt;
    return sinceMs < 0 ? 0 : SLOW_SERVICE_MS - sinceMs; // Negative if the clock was set back.
  }

  #isDrained(moreBytes = this.#rejectedBytes): boolean {
    return this.#isClosed || this.#options.backlog.isHalfEmpty(moreBytes);
  }
}
