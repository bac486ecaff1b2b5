import { LogOptionsException } from '../../core/errors.ts';
import { idOf, mayWriteId, timeOf } from '../../core/event-order.ts';
import type { TimePoint } from '../../core/wire/query.ts';
import type { SourcedQuery } from './query-source.ts';
import { toRelativeStart } from './relative-time.ts';
import { SeenEvents } from './seen-events.ts';
import type { TailHistory } from './tail-history.ts';
import type { TailPlan } from './tail-options.ts';
import { TailPosition } from './tail-position.ts';

/** Number of events to remember, for recognizing repetitions after a reconnection. */
const SEEN_CAPACITY = 50_000;

/** A query of a tail, and the state of that tail. */
export interface TailedQuery extends SourcedQuery {
  readonly progress: TailProgress;
}

/** The state of a tail: which received events are new, and where to continue. */
export class TailProgress {
  /** How far back the tail starts, in milliseconds. */
  readonly startMs: number;
  readonly onSkip: TailPlan['onSkip'];
  /** The ID by which an event is recognized, if it has one that the query can't have written. */
  readonly idOf: typeof idOf;
  readonly #plan: TailPlan;
  readonly #position: TailPosition;
  /** Existing events that arrived up to this time, epoch milliseconds, were returned. */
  completeUntil: number | undefined;
  readonly #seen = new SeenEvents(SEEN_CAPACITY);
  /** No event is older, unless it arrived after `#newAfter`. */
  #beginsAt: number;
  #newAfter = Number.POSITIVE_INFINITY;
  /** Time of the newest event, epoch milliseconds, or the start of the tail. */
  reachedMs: number;
  /** Since when the tail has waited for the next event, excluding the time of its reader. */
  #waitingSince = Date.now();
  /** Whether the service has responded. */
  hasBegun: boolean;
  /** Whether connections start at a time of arrival. */
  isByArrival = false;

  constructor(plan: TailPlan, queryString: string) {
    const { overlapMs, sinceMs } = plan;
    const now = Date.now();
    this.#plan = plan;
    this.hasBegun = plan.isResumed ?? false;
    // The service's clock may differ: events older than `sinceMs` are filtered out by their time.
    this.startMs = Number.isFinite(sinceMs) ? Math.max(0, now - sinceMs) + overlapMs : plan.startMs;
    this.onSkip = plan.onSkip;
    this.idOf = mayWriteId(queryString) ? () => undefined : idOf;
    this.#position = new TailPosition({ startMs: this.startMs, overlapMs }, now);
    this.#beginsAt = sinceMs;
    this.reachedMs = sinceMs;
  }

  /** Start of existing events, for a query that is not live. */
  get historyStart(): TimePoint {
    const { sinceMs, startMs } = this.#plan;
    return Number.isFinite(sinceMs) ? sinceMs : toRelativeStart(startMs);
  }

  /** How long the current connection has been open. */
  get openMs(): number {
    return this.#position.openMs(Date.now());
  }

  /** Call it when anything arrives from the service, even if it is only a keep-alive line. */
  markAlive(): void {
    this.hasBegun = true;
    this.#position.markAlive(Date.now(), this.#waitingSince);
    this.#plan.onAlive?.();
  }

  /** Call it for the result of a query job, which includes existing events. */
  markResult(): void {
    this.#position.skipHistory();
    this.markAlive();
  }

  hasSeen(event: object): boolean {
    return this.#seen.has(this.idOf(event));
  }

  /** Whether to return an existing event. */
  acceptHistory(event: object): boolean {
    const time = timeOf(event);
    if (time < this.#plan.sinceMs) return false;
    this.#reach(time);
    return this.#seen.add(this.idOf(event), Date.now());
  }

  /** Call it after fetching existing events. Older ones were omitted because there were enough newer ones. */
  finishHistory({ beginsAt, queryEnd, leftOut, completeUntil }: Omit<TailHistory<object>, 'events'>): void {
    this.#newAfter = queryEnd;
    this.completeUntil = completeUntil;
    for (const id of leftOut) this.#seen.add(id, Date.now());
    this.hasBegun = true;
    this.#beginsAt = Math.max(this.#beginsAt, beginsAt);
    this.#reach(beginsAt);
    this.#position.skipHistory();
  }

  /** Call it before a connection. @returns its start. */
  connect(): string {
    const now = Date.now();
    this.#waitingSince = now;
    const { lookBackMs, leftOut } = this.#position.connect(now, this.#seen.spanMs);
    if (leftOut === undefined) return toRelativeStart(lookBackMs);
    this.onSkip({ ...leftOut, reason: 'tooManyToRepeat' });
    // Rounding up to seconds could repeat thousands of events.
    return `${Math.ceil(lookBackMs)}ms`;
  }

  /**
   * Records events that arrived together, and adds those to return to `unseen`.
   *
   * @throws LogOptionsException for an event without a time, if `since` is set.
   */
  take<Row extends object>(events: readonly Row[], unseen: Row[]): void {
    const now = Date.now();
    for (const event of events) if (this.#take(event, now)) unseen.push(event);
  }

  #take(event: object, now: number): boolean {
    const time = timeOf(event);
    this.#requireTime(time);
    const arrival = timeOf(event, '@ingesttimestamp');
    const isOld = time < this.#beginsAt && !(arrival > this.#newAfter);
    const isNew = !isOld && this.#seen.add(this.idOf(event), now);
    const placeMs = this.isByArrival ? arrival : time;
    this.#position.advance(now, Number.isNaN(placeMs) ? undefined : placeMs, isNew);
    this.#waitingSince = now;
    this.#reach(time);
    return isNew;
  }

  /** Call it when the reader requests the next event. */
  wait(): void {
    this.#waitingSince = Date.now();
  }

  /** Call it after a disconnection. */
  break(): void {
    this.hasBegun = true;
    this.#position.break(Date.now() - this.#waitingSince);
  }

  #requireTime(time: number): void {
    if (!Number.isNaN(time) || !Number.isFinite(this.#plan.sinceMs)) return;
    throw new LogOptionsException(
      'tail: "since" needs the @timestamp of every event, to skip older ones. Keep it in the query, as in select([@id, @timestamp, …]), or use "start".',
    );
  }

  #reach(time: number): void {
    if (time > this.reachedMs) this.reachedMs = time;
  }
}
