import { FullHeap, type HeapGauge } from './full-heap.ts';
import { HeapFullError, LiveMemoryError } from './query-limits.ts';
import { type Admission, type QueryLimits, QueryShare, type ShareOptions } from './query-share.ts';

/** Maximum number of static queries that run at the same time after their trial. */
const MAX_PLACES = 3;
/** A query gives its place to one that has used at most this share of its CPU time. */
const LESS_USED = 1 / 4;
/** Another query starts while the others use at most this share of the memory. */
const START_SHARE = 1 / 2;
/** While the memory is exceeded, remedies are tried again after this growth. */
const RETRY_SHARE = 1 / 64;

/**
 * Decides when queries run. A static query runs at once for a short trial, so that light queries never wait for heavy ones.
 * Then it needs one of a few places, and those that have used the least CPU time are first. Live queries never wait.
 *
 * All of them, and results that are not read yet, share one amount of memory. If it is exceeded, results that were read are
 * dropped, then the largest static query is restarted when no other one runs. Only live queries can be canceled because of
 * others: the largest, if live queries alone need more.
 */
export class QueryAdmission implements Admission {
  readonly limits: QueryLimits;
  readonly #maxBytes: number;
  readonly #shares = new Set<QueryShare>();
  readonly #running = new Set<QueryShare>();
  /** Those of the running queries that have a place. */
  readonly #placed = new Set<QueryShare>();
  /** Those of the running queries that wait for a place. */
  readonly #parked = new Map<QueryShare, () => void>();
  readonly #waiting: { readonly share: QueryShare; readonly start: (isStarted: boolean) => void }[] = [];
  readonly #heap: FullHeap;
  #bytes = 0;
  #relieveAt: number;

  /** All queries together may use about `maxQueryBytes`. */
  constructor(limits: QueryLimits, heap: HeapGauge) {
    this.limits = limits;
    this.#maxBytes = limits.maxQueryBytes;
    this.#heap = new FullHeap(heap);
    this.#relieveAt = this.#maxBytes;
  }

  open(options: ShareOptions): QueryShare {
    const share = new QueryShare(options, this);
    this.#shares.add(share);
    return share;
  }

  /**
   * Starts a static query, immediately or when there is memory. A restarted query goes to the front of the queue.
   *
   * @param start called with true when it starts, with false if it is closed before.
   * @returns whether it runs.
   */
  enter(share: QueryShare, start: (isStarted: boolean) => void): boolean {
    this.#remove(share);
    if (share.isAlone) this.#waiting.unshift({ share, start });
    else this.#waiting.push({ share, start });
    this.advance();
    return this.#running.has(share);
  }

  leave(share: QueryShare): void {
    this.#remove(share);
    this.advance();
  }

  async place(share: QueryShare): Promise<void> {
    if (share.isClosed || share.isStopping) return;
    if (this.#placed.has(share)) {
      const least = this.#leastUsed()?.spentMs ?? Number.POSITIVE_INFINITY;
      if (least > share.spentMs * LESS_USED || this.#isHalfFull()) return;
      this.#placed.delete(share);
    }
    await new Promise<void>((resume) => {
      this.#parked.set(share, resume);
      this.#fillPlaces();
    });
  }

  /** Removes a query that ends or is canceled. */
  close(share: QueryShare): void {
    this.#shares.delete(share);
    this.#resume(share);
    const place = this.#waiting.findIndex((turn) => turn.share === share);
    if (place >= 0) this.#waiting.splice(place, 1)[0]!.start(false);
    this.advance();
  }

  /** Starts the queries for which there is capacity. */
  advance(): void {
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes);
    this.#fillPlaces();
    for (;;) {
      const [turn] = this.#waiting;
      if (turn === undefined || !this.#fits(turn.share)) return;
      this.#waiting.shift();
      this.#running.add(turn.share);
      turn.start(true);
    }
  }

  /** Counts a change of the memory that a query uses. */
  count(change: number): void {
    this.#bytes += change;
    if (change > 0 && this.#bytes > this.#relieveAt) this.#relieve();
  }

  /** The last resort, for memory that no function accounts for. @throws HeapFullError */
  checkHeap(): void {
    if (!this.#heap.isFull()) return;
    const before = this.#bytes;
    this.#releaseResults(0);
    if (this.#bytes === before && !this.#restartLargest()) throw new HeapFullError();
  }

  #remove(share: QueryShare): void {
    this.#running.delete(share);
    this.#placed.delete(share);
  }

  #fillPlaces(): void {
    for (let next = this.#leastUsed(); next !== undefined; next = this.#leastUsed()) {
      if (this.#placed.size >= MAX_PLACES) return;
      this.#placed.add(next);
      this.#resume(next);
    }
  }

  #resume(share: QueryShare): void {
    const resume = this.#parked.get(share);
    this.#parked.delete(share);
    resume?.();
  }

  #leastUsed(): QueryShare | undefined {
    return most([...this.#parked.keys()], ({ spentMs }) => -spentMs);
  }

  #isHalfFull(): boolean {
    return this.#bytes > this.#maxBytes * START_SHARE;
  }

  #fits(share: QueryShare): boolean {
    const startBytes = this.#maxBytes * START_SHARE;
    this.#releaseResults(startBytes);
    if (this.#running.size === 0) return this.#resultBytes() <= startBytes;
    const isAlone = share.isAlone || [...this.#running].some((running) => running.isAlone);
    return !isAlone && !this.#isHalfFull();
  }

  /** The size of the results that are about to be read. */
  #resultBytes(): number {
    return [...this.#shares].reduce((sum, { hasResult, bytes }) => sum + (hasResult ? bytes : 0), 0);
  }

  #relieve(): void {
    this.#releaseResults(this.#maxBytes);
    while (this.#bytes > this.#maxBytes && this.#restartLargest());
    if (this.#bytes > this.#maxBytes) for (const share of this.#running) share.isAlone = true;
    const live = [...this.#shares].filter(({ isLive }) => isLive);
    while (live.reduce((sum, { bytes }) => sum + bytes, 0) > this.#maxBytes) {
      most(live, ({ bytes }) => bytes)!.cancel(new LiveMemoryError(this.#maxBytes));
    }
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes + this.#maxBytes * RETRY_SHARE);
  }

  /** @returns whether it did: a query that runs alone is not restarted. */
  #restartLargest(): boolean {
    const candidates = [...this.#running].filter(({ isStopping }) => !isStopping);
    if (candidates.length < 2) return false;
    const largest = most(candidates, ({ bytes }) => bytes)!;
    largest.restart();
    this.#resume(largest);
    return true;
  }

  #releaseResults(maxBytes: number): void {
    for (const share of this.#shares) {
      if (this.#bytes <= maxBytes) return;
      share.releaseResult();
    }
  }
}

/** The first of the shares with the highest value. */
function most(shares: readonly QueryShare[], value: (share: QueryShare) => number): QueryShare | undefined {
  return shares.reduce<QueryShare | undefined>(
    (best, share) => (best === undefined || value(share) > value(best) ? share : best),
    undefined,
  );
}
