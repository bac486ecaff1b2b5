import { FullHeap, type HeapGauge } from './full-heap.ts';
import { HeapFullError, LiveMemoryError } from './query-limits.ts';
import { type Admission, QueryShare, type ShareOptions } from './query-share.ts';

/** Maximum number of static queries that run at the same time. */
const MAX_RUNNING = 3;
/** Another query starts while the others use at most this share of the memory. */
const START_SHARE = 1 / 2;
/** While the memory is exceeded, remedies are tried again after this growth. */
const RETRY_SHARE = 1 / 64;

/**
 * Decides when queries run. Static queries wait in a queue; live queries never wait. All of them, and results that are
 * not read yet, share one amount of memory. If it is exceeded, results that were read are dropped, then the largest
 * static query is restarted when no other one runs. Only live queries can be canceled because of others: the largest,
 * if live queries alone need more.
 */
export class QueryAdmission implements Admission {
  readonly #maxBytes: number;
  readonly #shares = new Set<QueryShare>();
  readonly #running = new Set<QueryShare>();
  readonly #waiting: { readonly share: QueryShare; readonly start: (isStarted: boolean) => void }[] = [];
  readonly #heap: FullHeap;
  #bytes = 0;
  #relieveAt: number;

  /** @param maxBytes approximate memory of all queries. */
  constructor(maxBytes: number, heap: HeapGauge) {
    this.#maxBytes = maxBytes;
    this.#heap = new FullHeap(heap);
    this.#relieveAt = maxBytes;
  }

  open(options: ShareOptions): QueryShare {
    const share = new QueryShare(options, this);
    this.#shares.add(share);
    return share;
  }

  /**
   * Starts a static query, immediately or when its turn comes. A restarted query goes to the front of the queue.
   *
   * @param start called with true when it starts, with false if it is closed before.
   * @returns whether it runs.
   */
  enter(share: QueryShare, start: (isStarted: boolean) => void): boolean {
    this.#running.delete(share);
    if (share.isAlone) this.#waiting.unshift({ share, start });
    else this.#waiting.push({ share, start });
    this.advance();
    return this.#running.has(share);
  }

  leave(share: QueryShare): void {
    this.#running.delete(share);
    this.advance();
  }

  /** Removes a query that ends or is canceled. */
  close(share: QueryShare): void {
    this.#shares.delete(share);
    const place = this.#waiting.findIndex((turn) => turn.share === share);
    if (place >= 0) this.#waiting.splice(place, 1)[0]!.start(false);
    this.advance();
  }

  /** Starts the queries for which there is capacity. */
  advance(): void {
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes);
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

  #fits(share: QueryShare): boolean {
    const startBytes = this.#maxBytes * START_SHARE;
    this.#releaseResults(startBytes);
    if (this.#running.size === 0) return this.#resultBytes() <= startBytes;
    const isAlone = share.isAlone || [...this.#running].some((running) => running.isAlone);
    return !isAlone && this.#running.size < MAX_RUNNING && this.#bytes <= startBytes;
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
      largest(live)!.cancel(new LiveMemoryError(this.#maxBytes));
    }
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes + this.#maxBytes * RETRY_SHARE);
  }

  /** @returns whether it did: a query that runs alone is not restarted. */
  #restartLargest(): boolean {
    const candidates = [...this.#running].filter(({ isStopping }) => !isStopping);
    if (candidates.length < 2) return false;
    largest(candidates)!.restart();
    return true;
  }

  #releaseResults(maxBytes: number): void {
    for (const share of this.#shares) {
      if (this.#bytes <= maxBytes) return;
      share.releaseResult();
    }
  }
}

function largest(shares: readonly QueryShare[]): QueryShare | undefined {
  return shares.reduce<QueryShare | undefined>(
    (most, share) => (most === undefined || share.bytes > most.bytes ? share : most),
    undefined,
  );
}
