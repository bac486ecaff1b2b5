import { QueryLimitError, type RunLimits } from '../../engine/index.ts';
import { hasWaitingQuery, nextQueryTurn } from '../event-loop.ts';
import { type HeapGauge, heapTest } from './full-heap.ts';
import { QueryTimeoutError } from './query-limits.ts';

/** CPU time for which a static query runs at once. Then it waits for one of a few places. */
export const TRIAL_MS = 50;
/** Maximum number of static queries that run at the same time after their trial. */
const MAX_PLACES = 3;
/** A query gives its place to one that has used at most this share of its CPU time. */
const LESS_USED = 1 / 4;
/** Queries start, and give their places to others, while at most this share of the memory is used by what can't be dropped. */
const START_SHARE = 1 / 2;
/** While the memory is exceeded, remedies are tried again after this growth. */
const RETRY_SHARE = 1 / 64;

/** Limits of each query. */
export interface QueryLimits {
  /** Maximum CPU time of an evaluation, or of a batch that the reader of a stream takes. */
  readonly queryTimeoutMs: number;
  readonly maxQueryGroups: number;
  readonly maxQueryBytes: number;
}

/**
 * Decides when queries run. A static query runs at once for a short trial, so that light queries never wait for heavy ones.
 * Then it needs one of a few places, and those that have used the least CPU time are first. Live queries never wait.
 *
 * All of them, and results that are not read yet, share one amount of memory. If it is exceeded, results that were read are
 * dropped, then the largest static query is restarted when no other one has a place; it is not restarted again. Only live
 * queries can be canceled because of others: the largest, if live queries alone need more.
 */
export class QueryAdmission {
  readonly limits: QueryLimits;
  readonly #maxBytes: number;
  readonly #shares = new Set<QueryShare>();
  readonly #placed = new Set<QueryShare>();
  /** Those that wait to start, or for a place. */
  readonly #parked = new Map<QueryShare, () => void>();
  readonly #isHeapFull: () => boolean;
  #bytes = 0;
  #relieveAt: number;

  /** All queries together may use about `maxQueryBytes`. */
  constructor(limits: QueryLimits, heap: HeapGauge) {
    this.limits = limits;
    this.#maxBytes = limits.maxQueryBytes;
    this.#isHeapFull = heapTest(heap);
    this.#relieveAt = this.#maxBytes;
  }

  open({ isLive }: Pick<QueryShare, 'isLive'>): QueryShare {
    const share = new QueryShare(isLive, this);
    this.#shares.add(share);
    return share;
  }

  /** Whether a static query may start or go on now. Gives it a place if it needs one. */
  admits(share: QueryShare): boolean {
    if (share.isClosed || share.isStopping || this.#placed.has(share)) return true;
    if (!share.isAlone) {
      if (!share.isRunning) return this.#canStart();
      if (share.spentMs < TRIAL_MS) return true;
    }
    if (!this.#hasPlace(share)) return false;
    this.#placed.add(share);
    return true;
  }

  /** Waits until a query that was not admitted is admitted. */
  park(share: QueryShare): Promise<void> {
    return new Promise((resume) => {
      this.#parked.set(share, resume);
    });
  }

  /** Gives the place of a query to one that has used much less, while there is memory for both. */
  passOn(share: QueryShare): void {
    if (share.isAlone || !this.#placed.has(share) || this.#bytes > this.#maxBytes * START_SHARE) return;
    const most = share.spentMs * LESS_USED;
    if (![...this.#parked.keys()].some(({ isRunning, spentMs }) => isRunning && spentMs <= most)) return;
    this.leave(share);
  }

  leave(share: QueryShare): void {
    this.#placed.delete(share);
    this.advance();
  }

  /** Removes a query that ends or is canceled. */
  close(share: QueryShare): void {
    this.#shares.delete(share);
    this.advance();
  }

  /** Resumes the queries for which there is capacity, those that have used the least first. */
  advance(): void {
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes);
    const parked = [...this.#parked].sort(([left], [right]) => left.spentMs - right.spentMs);
    for (const [share, resume] of parked) {
      if (!this.admits(share)) continue;
      this.#parked.delete(share);
      resume();
    }
  }

  /** Counts a change of the memory that a query uses. */
  count(change: number): void {
    this.#bytes += change;
    if (change > 0 && this.#bytes > this.#relieveAt) this.#relieve();
  }

  /** The last resort, for memory that no function accounts for. @throws QueryLimitError */
  checkHeap(): void {
    if (!this.#isHeapFull()) return;
    const before = this.#bytes;
    this.#releaseResults(0);
    if (this.#bytes === before && !this.#restartLargest())
      throw new QueryLimitError('this server is almost out of memory.');
  }

  /** Whether there is memory next to the results that are about to be read. */
  #canStart(): boolean {
    const startBytes = this.#maxBytes * START_SHARE;
    this.#releaseResults(startBytes);
    return [...this.#shares].reduce((sum, each) => sum + (each.hasResult ? each.bytes : 0), 0) <= startBytes;
  }

  /** While a query that must run alone waits, no other one gets a place. */
  #hasPlace({ isAlone }: QueryShare): boolean {
    if (isAlone) return this.#placed.size === 0;
    if (this.#placed.size >= MAX_PLACES) return false;
    return ![...this.#placed, ...this.#parked.keys()].some((other) => other.isAlone);
  }

  #relieve(): void {
    this.#releaseResults(this.#maxBytes);
    while (this.#bytes > this.#maxBytes && this.#restartLargest());
    const live = [...this.#shares].filter(({ isLive }) => isLive);
    while (live.reduce((sum, { bytes }) => sum + bytes, 0) > this.#maxBytes) {
      const problem = `live queries together need more than ${this.#maxBytes} bytes of memory, the limit of this server, and this one needs the most. Filter more events out, or end other live queries.`;
      largest(live)!.cancel(new QueryLimitError(problem));
    }
    this.#relieveAt = Math.max(this.#maxBytes, this.#bytes + this.#maxBytes * RETRY_SHARE);
  }

  /** @returns whether it did: the only query that runs, or one that was restarted before, goes on. */
  #restartLargest(): boolean {
    const running = [...this.#shares].filter(({ isRunning, isStopping }) => isRunning && !isStopping);
    const candidate = largest(running.filter(({ isAlone }) => !isAlone));
    if (running.length < 2 || candidate === undefined) return false;
    candidate.stop(new RestartError());
    this.advance();
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
  return shares.toSorted((left, right) => right.bytes - left.bytes)[0];
}

/** Stops a run, so that it starts again when no other static query has a place. */
class RestartError extends Error {}

/** What one query uses of the memory and of the CPU time of the server. */
export class QueryShare {
  readonly isLive: boolean;
  /** The limits of its runs. */
  readonly limits: RunLimits;
  /** CPU time of the current evaluation, in milliseconds. */
  spentMs = 0;
  /** Called when this live query is canceled. It may be idle, and its state must be dropped. */
  onCancel: (problem: Error) => void = () => {};
  /** Drops the result of a finished query, if it can be computed again. @returns whether it was dropped */
  release = (): boolean => false;
  readonly #admission: QueryAdmission;
  /** Approximate memory in use. */
  bytes = 0;
  /** Whether the query has finished and keeps its result. */
  hasResult = false;
  isRunning = false;
  /** Whether no other static query may have a place at the same time. */
  isAlone = false;
  /** Whether no caller is waiting for the result anymore. */
  isClosed = false;
  /** Why the current run has to stop. */
  #problem: Error | undefined;

  constructor(isLive: boolean, admission: QueryAdmission) {
    this.isLive = isLive;
    this.#admission = admission;
    const { maxQueryGroups: maxGroups, maxQueryBytes: maxBytes } = admission.limits;
    this.limits = { maxGroups, maxBytes, onRetain: (bytes) => this.use(bytes) };
  }

  get isStopping(): boolean {
    return this.#problem !== undefined;
  }

  /**
   * Runs a static query when it is its turn, again from its start if others need the memory.
   *
   * @returns `undefined` if it was closed before it could run
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    for (;;) {
      if (!this.#admission.admits(this)) await this.#admission.park(this);
      if (this.isClosed) return undefined;
      this.hasResult = false;
      this.set(0);
      this.spentMs = 0;
      this.isRunning = true;
      try {
        if (hasWaitingQuery()) await nextQueryTurn();
        return await work();
      } catch (error) {
        if (!(error instanceof RestartError) || this.isClosed) throw error;
        this.isAlone = true;
        this.spentMs = 0;
      } finally {
        this.#problem = undefined;
        this.isRunning = false;
        this.#admission.leave(this);
      }
    }
  }

  /** Lets others run until it is the turn of this query. Those that have used the least are first. */
  async turn(): Promise<void> {
    this.#admission.passOn(this);
    if (this.isRunning && !this.#admission.admits(this)) await this.#admission.park(this);
    await nextQueryTurn(Math.min(this.spentMs, TRIAL_MS));
  }

  /** Adds to the memory in use. */
  use(bytes: number): void {
    if (this.isClosed || this.isStopping) return;
    this.bytes += bytes;
    this.#admission.count(bytes);
  }

  /** Sets the memory in use, for example after the state of a run was dropped. */
  set(bytes: number): void {
    this.use(bytes - this.bytes);
  }

  /** Keeps the result of a finished query until it is released. */
  keep(bytes: number): void {
    this.hasResult = true;
    this.isAlone = false;
    this.#problem = undefined;
    this.set(bytes);
  }

  /** Call it once per slice. @throws RestartError, QueryLimitError if the run has to stop */
  check(): void {
    const { queryTimeoutMs } = this.#admission.limits;
    if (this.spentMs > queryTimeoutMs) throw new QueryTimeoutError(queryTimeoutMs);
    this.#admission.checkHeap();
    if (this.#problem !== undefined) throw this.#problem;
  }

  releaseResult(): void {
    if (!this.hasResult || !this.release()) return;
    this.hasResult = false;
    this.set(0);
  }

  /** Stops the current run at its next slice, and counts its memory as free. */
  stop(problem: Error): void {
    this.set(0);
    this.#problem = problem;
  }

  /** Cancels a live query. */
  cancel(problem: Error): void {
    this.stop(problem);
    this.onCancel(problem);
  }

  /** Ends the query. */
  close(): void {
    if (this.isClosed) return;
    this.set(0);
    this.hasResult = false;
    this.isClosed = true;
    this.#admission.close(this);
  }
}
