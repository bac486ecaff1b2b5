import { LogOptionsException } from '../errors.ts';
import { idOf, timeOf } from '../query/event-order.ts';
import type { TimePoint } from '../wire/query.ts';
import { toRelativeStart } from './relative-start.ts';
import { SeenEvents } from './seen-events.ts';
import type { TailHistory } from './tail-history.ts';
import type { TailPlan } from './tail-options.ts';
import { TailPosition } from './tail-position.ts';

/** How many events are remembered, to tell those that a new connection sends again. */
const SEEN_CAPACITY = 50_000;

/** What a tail knows of the events that have come: which of those that come now are new, and where to go on. */
export class TailProgress {
  readonly #plan: TailPlan;
  readonly #position: TailPosition;
  readonly #startMs: number;
  /** Events that arrived up to this time were found in the past. */
  #settled: number | undefined;
  readonly #seen = new SeenEvents(SEEN_CAPACITY);
  /** No event is older. */
  #beginsAt: number;
  /** The time of the newest event. */
  #reached: number;
  /** Since when the tail waits for the next event: the time that its reader takes does not count. */
  #waitingSince = Date.now();
  #hasBegun = false;

  constructor(plan: TailPlan) {
    const { overlapMs, sinceMs } = plan;
    const now = Date.now();
    this.#plan = plan;
    // The service's clock may be another one: what is older than `sinceMs` after all is seen by its time.
    const startMs = Number.isFinite(sinceMs) ? Math.max(0, now - sinceMs) + overlapMs : plan.startMs;
    this.#startMs = startMs;
    this.#position = new TailPosition({ startMs, overlapMs, now });
    this.#beginsAt = sinceMs;
    this.#reached = sinceMs;
  }

  /** Whether the service has answered. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Where the past begins for a query that is not live. */
  get historyStart(): TimePoint {
    const { sinceMs, startMs } = this.#plan;
    return Number.isFinite(sinceMs) ? sinceMs : toRelativeStart(startMs);
  }

  /** What polls need to know. */
  get forPolls() {
    return {
      seen: this.#seen,
      reached: () => this.#reached,
      onBegin: () => this.begin(),
      onHistoryDone: () => this.#position.skipHistory(),
      onSkip: this.#plan.onSkip,
    };
  }

  /** What a tail by time of arrival needs to know. */
  get forJobTail() {
    return {
      startMs: this.#startMs,
      settled: this.#settled,
      onBegin: () => this.begin(),
      onSkip: this.#plan.onSkip,
    };
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** Whether an event of the past is to be shown. */
  takePast(event: object): boolean {
    const time = timeOf(event);
    if (time < this.#plan.sinceMs) return false;
    this.#reach(time);
    return this.#seen.add(idOf(event), Date.now());
  }

  /** The past was fetched. What is older than its beginning was left out, as there were enough newer ones. */
  endPast({ beginsAt, leftOut, settled }: Omit<TailHistory<object>, 'events'>): void {
    this.#settled = settled;
    for (const id of leftOut) this.#seen.add(id, Date.now());
    this.#hasBegun = true;
    this.#beginsAt = Math.max(this.#beginsAt, beginsAt);
    this.#reach(beginsAt);
    this.#position.skipHistory();
  }

  /** A connection is made. @returns where it has to begin. */
  connect(): string {
    const now = Date.now();
    this.#waitingSince = now;
    const { lookBackMs, leftOut } = this.#position.connect(now, this.#seen.spanMs);
    if (leftOut === undefined) return toRelativeStart(lookBackMs);
    this.#plan.onSkip({ ...leftOut, reason: 'tooManyToRepeat' });
    // A whole second more can be thousands of events that come twice.
    return `${Math.ceil(lookBackMs)}ms`;
  }

  /**
   * An event has come.
   *
   * @returns whether it is to be shown.
   * @throws LogOptionsException for one that has no time, if a time is asked for.
   */
  take(event: object): boolean {
    const now = Date.now();
    const time = timeOf(event);
    this.#requireTime(time);
    this.#hasBegun = true;
    this.#position.advance(now, now - this.#waitingSince, Number.isNaN(time) ? undefined : time);
    this.#waitingSince = now;
    if (time < this.#beginsAt) return false;
    this.#reach(time);
    return this.#seen.add(idOf(event), now);
  }

  /** The reader is back for more. */
  wait(): void {
    this.#waitingSince = Date.now();
  }

  /** The connection broke. */
  break(): void {
    const now = Date.now();
    this.#hasBegun = true;
    this.#position.break(now, now - this.#waitingSince);
  }

  #requireTime(time: number): void {
    if (!Number.isNaN(time) || !Number.isFinite(this.#plan.sinceMs)) return;
    throw new LogOptionsException(
      'tail: "since" needs the @timestamp of every event, to skip older ones. Keep it in the query, as in select([@id, @timestamp, …]), or use "start".',
    );
  }

  #reach(time: number): void {
    if (time > this.#reached) this.#reached = time;
  }
}
