/** A search of the past is not silent for so long: having waited means that the stream has come to the present. */
const PAUSE_MS = 10_000;

/** After this long a stream counts as having come to the present even if it never pauses. */
const CATCH_UP_MS = 10 * 60_000;

export interface TailPositionOptions {
  /** How far back the tail begins, in milliseconds. */
  readonly startMs: number;
  /** How much is asked for again after a break: for events that were under way, and for clocks that differ. */
  readonly overlapMs: number;
  readonly now: number;
}

/** Where a connection begins. */
export interface TailConnection {
  /** How far back it has to look, in milliseconds. */
  readonly lookBackMs: number;
  /** Late events with a time in this interval are not asked for, as too many others would come again. */
  readonly leftOut?: { readonly from: number; readonly to: number };
}

/**
 * Knows how far back the next connection of a tail has to look, so that nothing is missed. All times are this machine's
 * own, for the service counts back from its now: only lengths of time matter.
 */
export class TailPosition {
  readonly #startMs: number;
  readonly #overlapMs: number;
  #begunAt: number;
  #connectedAt: number | undefined;
  /** Everything before this has come. */
  #completeUntil: number;
  #hasCaughtUp = false;
  #latest = Number.NEGATIVE_INFINITY;
  /** By how much an event was older than one that had come before it. */
  #disorderMs = 0;

  constructor({ startMs, overlapMs, now }: TailPositionOptions) {
    this.#startMs = startMs;
    this.#overlapMs = overlapMs;
    this.#begunAt = now;
    this.#completeUntil = now;
  }

  /** The past has come, in whatever way; the overlap joins the two. */
  skipHistory(): void {
    this.#hasCaughtUp = true;
  }

  /**
   * How far back a connection made now has to look.
   *
   * @param rememberedMs the length of time before the break whose events can be told when they come again.
   */
  connect(now: number, rememberedMs = Number.POSITIVE_INFINITY): TailConnection {
    // The first connection looks back just as far as asked for, however long it took to get here.
    if (this.#connectedAt === undefined && !this.#hasCaughtUp) this.#begunAt = now;
    this.#connectedAt = now;
    if (!this.#canGoOn(rememberedMs)) {
      return { lookBackMs: this.#startMs + Math.max(0, now - this.#begunAt) };
    }
    const sinceCompleteMs = Math.max(0, now - this.#completeUntil);
    if (rememberedMs >= this.#overlapMs) return { lookBackMs: sinceCompleteMs + this.#overlapMs };
    const leftOut = { from: this.#completeUntil - this.#overlapMs, to: this.#completeUntil - rememberedMs };
    return { lookBackMs: sinceCompleteMs + rememberedMs, leftOut };
  }

  /**
   * Nobody says in which order the past is sent, so until all of it has come, all of it is asked for again: unless so
   * much has come that not all of it could be told, and it was in order.
   */
  #canGoOn(rememberedMs: number): boolean {
    return this.#hasCaughtUp || (Number.isFinite(rememberedMs) && this.#disorderMs <= this.#overlapMs);
  }

  /**
   * An event came.
   *
   * @param waitedMs how long it was waited for.
   * @param timestamp of the event; behind the present if the reader is slower than the stream.
   */
  advance(now: number, waitedMs: number, timestamp: unknown): void {
    const connectedAt = this.#connectedAt ?? now;
    const at = Number(timestamp ?? now);
    const isNew = timestamp !== undefined && at >= connectedAt && at <= now;
    if (isNew || waitedMs >= PAUSE_MS || now - connectedAt >= CATCH_UP_MS) this.#hasCaughtUp = true;
    if (!Number.isFinite(at)) {
      this.#completeUntil = now;
      return;
    }
    const earliest = this.#begunAt - this.#startMs;
    this.#completeUntil = Math.max(earliest, Math.min(now, at));
    if (at > this.#latest) this.#latest = at;
    else if (!this.#hasCaughtUp) this.#disorderMs = Math.max(this.#disorderMs, this.#latest - at);
  }

  /** The connection broke, after waiting so long for the next event. What was not read by then is lost. */
  break(now: number, waitedMs: number): void {
    if (waitedMs < PAUSE_MS) return;
    this.#hasCaughtUp = true;
    this.#completeUntil = now;
  }
}
