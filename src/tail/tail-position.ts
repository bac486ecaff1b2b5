/** How much is asked for again after a break: for events that were under way, and for clocks that differ. */
const OVERLAP_MS = 30_000;

/** Having waited this long for an event means that the stream has come to the present. */
const PAUSE_MS = 1_000;

/** After this long a stream counts as having come to the present even if it never pauses. */
const CATCH_UP_MS = 10 * 60_000;

/**
 * Knows how far back the next connection of a tail has to look, so that nothing is missed. All times are this machine's
 * own, for the service counts back from its now: only lengths of time matter.
 */
export class TailPosition {
  readonly #startMs: number;
  #begunAt: number;
  #connectedAt: number | undefined;
  /** Everything before this has come. */
  #completeUntil: number;
  #hasCaughtUp = false;

  /** @param startMs how far back the tail begins. */
  constructor(startMs: number, now: number) {
    this.#startMs = startMs;
    this.#begunAt = now;
    this.#completeUntil = now;
  }

  /** The past was fetched in another way; the overlap joins the two. */
  skipHistory(): void {
    this.#hasCaughtUp = true;
  }

  /** How far back a connection made now has to look, in milliseconds. */
  connect(now: number): number {
    // The first connection looks back just as far as asked for, however long it took to get here.
    if (this.#connectedAt === undefined && !this.#hasCaughtUp) this.#begunAt = now;
    this.#connectedAt = now;
    const sinceBeginMs = Math.max(0, now - this.#begunAt);
    const sinceCompleteMs = Math.max(0, now - this.#completeUntil) + OVERLAP_MS;
    // Nobody says in which order the past is sent, so until all of it has come, all of it is asked for again.
    return this.#hasCaughtUp ? sinceCompleteMs : this.#startMs + sinceBeginMs;
  }

  /**
   * An event came.
   *
   * @param waitedMs how long it was waited for.
   * @param timestamp of the event; behind the present if the reader is slower than the stream.
   */
  advance(now: number, waitedMs: number, timestamp: unknown): void {
    if (waitedMs >= PAUSE_MS || now - (this.#connectedAt ?? now) >= CATCH_UP_MS) this.#hasCaughtUp = true;
    const at = Number(timestamp ?? now);
    const earliest = this.#begunAt - this.#startMs;
    this.#completeUntil = Number.isFinite(at) ? Math.max(earliest, Math.min(now, at)) : now;
  }

  /** The connection broke, after waiting so long for the next event. What was not read by then is lost. */
  break(now: number, waitedMs: number): void {
    if (waitedMs < PAUSE_MS) return;
    this.#hasCaughtUp = true;
    this.#completeUntil = now;
  }
}
