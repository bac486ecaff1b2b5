import type { RunLimits } from '../../engine/index.ts';
import { nextQueryTurn } from '../event-loop.ts';
import { QueryTimeoutError } from './query-limits.ts';

/** CPU time for which a static query runs at once. Then it waits for one of a few places. */
export const TRIAL_MS = 50;

export interface ShareOptions {
  readonly isLive: boolean;
  /**
   * Drops the result of a finished query, if it can be computed again.
   *
   * @returns whether it was dropped
   */
  readonly release?: () => boolean;
}

/** Limits of each query. */
export interface QueryLimits {
  /** Maximum CPU time of an evaluation, or of a batch that the reader of a stream takes. */
  readonly queryTimeoutMs: number;
  readonly maxQueryGroups: number;
  readonly maxQueryBytes: number;
}

/** Decides when a query runs, and counts the memory of all queries. */
export interface Admission {
  readonly limits: QueryLimits;
  /** @returns whether the query runs; otherwise `start` is called later, with false if the query is closed before. */
  enter(share: QueryShare, start: (isStarted: boolean) => void): boolean;
  leave(share: QueryShare): void;
  /** Waits for a place. Returns at once if the query has one, or if it is closed. */
  place(share: QueryShare): Promise<void>;
  /** Counts memory that a query uses or frees. */
  count(bytes: number): void;
  checkHeap(): void;
  close(share: QueryShare): void;
}

/** Stops a run, so that it starts again when no other static query runs. */
class RestartError extends Error {}

/** What one query uses of the memory and of the CPU time of the server. */
export class QueryShare {
  readonly isLive: boolean;
  /** The limits of its runs. */
  readonly limits: RunLimits;
  /** CPU time of the current evaluation, in milliseconds. */
  spentMs = 0;
  /** Whether no other static query may run at the same time. */
  isAlone = false;
  /** Called when this live query is canceled. It may be idle, and its state must be dropped. */
  onCancel: (problem: Error) => void = () => {};
  readonly #options: ShareOptions;
  readonly #admission: Admission;
  #bytes = 0;
  #hasResult = false;
  #isRunning = false;
  #isClosed = false;
  /** Why the current run has to stop. */
  #problem: Error | undefined;

  constructor(options: ShareOptions, admission: Admission) {
    this.isLive = options.isLive;
    this.#options = options;
    this.#admission = admission;
    const { maxQueryGroups: maxGroups, maxQueryBytes: maxBytes } = admission.limits;
    this.limits = { maxGroups, maxBytes, onRetain: (bytes) => this.use(bytes) };
  }

  /** Approximate memory in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the query has finished and keeps its result. */
  get hasResult(): boolean {
    return this.#hasResult;
  }

  /** Whether no caller is waiting for the result anymore. */
  get isClosed(): boolean {
    return this.#isClosed;
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
      let start = (_: boolean): void => {};
      const started = new Promise<boolean>((resolve) => {
        start = resolve;
      });
      if (!this.#admission.enter(this, start) && !(await started)) return undefined;
      if (this.#isClosed) {
        this.#admission.leave(this);
        return undefined;
      }
      this.#hasResult = false;
      this.set(0);
      this.spentMs = 0;
      this.#isRunning = true;
      try {
        const result = await work();
        this.#end();
        this.#admission.leave(this);
        return result;
      } catch (error) {
        this.#end();
        this.isAlone = error instanceof RestartError && !this.#isClosed;
        if (this.isAlone) continue;
        this.#admission.leave(this);
        throw error;
      }
    }
  }

  /** Lets others run until it is the turn of this query. Those that have used the least are first. */
  async turn(): Promise<void> {
    if (this.#isRunning && this.spentMs >= TRIAL_MS) await this.#admission.place(this);
    await nextQueryTurn(Math.min(this.spentMs, TRIAL_MS));
  }

  /** Adds to the memory in use. */
  use(bytes: number): void {
    if (this.#isClosed || this.isStopping) return;
    this.#bytes += bytes;
    this.#admission.count(bytes);
  }

  /** Sets the memory in use, for example after the state of a run was dropped. */
  set(bytes: number): void {
    this.use(bytes - this.#bytes);
  }

  /** Keeps the result of a finished query until it is released. */
  keep(bytes: number): void {
    this.#hasResult = true;
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
    if (!this.#hasResult || this.#options.release?.() !== true) return;
    this.#hasResult = false;
    this.set(0);
  }

  /** Stops the current run at its next slice, and counts its memory as free. */
  restart(): void {
    this.#stop(new RestartError());
  }

  /** Cancels a live query. */
  cancel(problem: Error): void {
    this.#stop(problem);
    this.onCancel(problem);
  }

  /** Ends the query. */
  close(): void {
    if (this.#isClosed) return;
    this.set(0);
    this.#hasResult = false;
    this.#isClosed = true;
    this.#admission.close(this);
  }

  #end(): void {
    this.#problem = undefined;
    this.#isRunning = false;
  }

  #stop(problem: Error): void {
    this.set(0);
    this.#problem = problem;
  }
}
