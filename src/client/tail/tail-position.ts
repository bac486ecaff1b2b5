import type { TailPlan } from './tail-options.ts';

/** A search of existing events never pauses this long: if the service is alive afterward, the stream has caught up. */
const PAUSE_MS = 10_000;

/** After this time, a stream counts as caught up even if it never pauses. */
const CATCH_UP_MS = 10 * 60_000;

/** The time range of a connection. */
export interface TailConnection {
  /** How far back to search, in milliseconds. */
  readonly lookBackMs: number;
  /** Late events in this interval are not queried again, because too many known events would be repeated. */
  readonly leftOut?: { readonly from: number; readonly to: number };
}

/**
 * Determines how far back the next connection of a tail must search, so that no event is missed. All times are from
 * this machine's clock: the service only receives durations, relative to its own time.
 */
export class TailPosition {
  readonly #startMs: number;
  readonly #overlapMs: number;
  #begunAt: number;
  #connectedAt: number | undefined;
  /** When the service responded to the current connection. */
  #openedAt: number | undefined;
  #openings = 0;
  /** When something of the current connection was read for the last time. */
  #aliveAt = 0;
  /** Whether the current connection has brought unknown events. */
  #hasNews = false;
  /** All events before this time were received. */
  #completeUntil: number;
  #hasCaughtUp = false;
  #latest = Number.NEGATIVE_INFINITY;
  /** How much older an event was than an earlier one. */
  #disorderMs = 0;

  /** @param now epoch milliseconds, as of all calls. */
  constructor({ startMs, overlapMs }: Pick<TailPlan, 'startMs' | 'overlapMs'>, now: number) {
    this.#startMs = startMs;
    this.#overlapMs = overlapMs;
    this.#begunAt = now;
    this.#completeUntil = now;
  }

  /** Skips existing events, which were fetched separately; the overlap joins the two. */
  skipHistory(): void {
    this.#hasCaughtUp = true;
  }

  /**
   * How far back a connection must search if it is made now.
   *
   * @param rememberedMs time span before the disconnection whose events are recognized if repeated.
   */
  connect(now: number, rememberedMs = Number.POSITIVE_INFINITY): TailConnection {
    // The first connection starts at the requested time, regardless of how long it took to connect.
    if (this.#connectedAt === undefined && !this.#hasCaughtUp) this.#begunAt = now;
    this.#connectedAt = now;
    // The order of existing events is not documented, so all are repeated until all were received, unless too many were
    // received to recognize them and they were in order.
    const wereInOrder = Number.isFinite(rememberedMs) && this.#disorderMs <= this.#overlapMs;
    if (!this.#hasCaughtUp && !wereInOrder) {
      return { lookBackMs: this.#startMs + Math.max(0, now - this.#begunAt) };
    }
    const sinceCompleteMs = Math.max(0, now - this.#completeUntil);
    if (rememberedMs >= this.#overlapMs) return { lookBackMs: sinceCompleteMs + this.#overlapMs };
    const leftOut = { from: this.#completeUntil - this.#overlapMs, to: this.#completeUntil - rememberedMs };
    return { lookBackMs: sinceCompleteMs + rememberedMs, leftOut };
  }

  /** How long the current connection has been open. */
  openMs(now: number): number {
    return now - (this.#openedAt ?? now);
  }

  /**
   * Records that something of the response was read. It can have arrived at any time since the last call, because the
   * machine may have slept in between.
   *
   * @param waitingSince when the tail started to wait for the next event.
   */
  markAlive(now: number, waitingSince: number): void {
    if (this.#openedAt === undefined) {
      this.#openedAt = now;
      this.#openings++;
    } else if (this.#aliveAt - Math.max(waitingSince, this.#openedAt) >= PAUSE_MS) {
      this.#hasCaughtUp = true;
      this.#completeUntil = this.#aliveAt;
    }
    this.#aliveAt = now;
  }

  /**
   * Records the arrival of an event.
   *
   * @param timestamp of the event; in the past if the reader is slower than the stream.
   * @param isNew whether it arrived for the first time.
   */
  advance(now: number, timestamp: unknown, isNew: boolean): void {
    this.#hasNews ||= isNew;
    const connectedAt = this.#connectedAt ?? now;
    const at = Number(timestamp ?? now);
    const isPresent = timestamp !== undefined && at >= connectedAt && at <= now;
    if (isPresent || now - connectedAt >= CATCH_UP_MS) this.#hasCaughtUp = true;
    if (!Number.isFinite(at)) {
      this.#completeUntil = now;
      return;
    }
    const earliest = this.#begunAt - this.#startMs;
    this.#completeUntil = Math.max(earliest, Math.min(now, at));
    if (at > this.#latest) this.#latest = at;
    else if (!this.#hasCaughtUp) this.#disorderMs = Math.max(this.#disorderMs, this.#latest - at);
  }

  /**
   * Records a disconnection after waiting this long for the next event. Events may have been lost since the last sign of
   * life. A service without keep-alive lines gives none while it has no events, so that the second quiet connection
   * counts as complete until it was requested.
   */
  break(waitedMs: number): void {
    if (this.#openedAt !== undefined && this.#openings > 1 && !this.#hasNews && waitedMs >= PAUSE_MS) {
      this.#hasCaughtUp = true;
      this.#completeUntil = Math.max(this.#completeUntil, this.#connectedAt ?? 0);
    }
    this.#openedAt = undefined;
    this.#hasNews = false;
  }
}
