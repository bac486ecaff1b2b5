export interface ShareOptions {
  readonly isLive: boolean;
  /**
   * Drops the result of a finished query, if it can be computed again.
   *
   * @returns whether it was dropped
   */
  readonly release?: () => boolean;
}

/** Decides when a query runs, and counts the memory of all queries. */
export interface Admission {
  /** @returns whether the query runs; otherwise `start` is called later, with false if the query is closed before. */
  enter(share: QueryShare, start: (isStarted: boolean) => void): boolean;
  leave(share: QueryShare): void;
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
  /** Whether no other static query may run at the same time. */
  isAlone = false;
  /** Called when this live query is canceled. It may be idle, and its state must be dropped. */
  onCancel: (problem: Error) => void = () => {};
  readonly #options: ShareOptions;
  readonly #admission: Admission;
  #bytes = 0;
  #hasResult = false;
  #isClosed = false;
  /** Why the current run has to stop. */
  #problem: Error | undefined;

  constructor(options: ShareOptions, admission: Admission) {
    this.isLive = options.isLive;
    this.#options = options;
    this.#admission = admission;
  }

  /** Approximate memory in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the query has finished and keeps its result. */
  get hasResult(): boolean {
    return this.#hasResult;
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
      try {
        const result = await work();
        this.#problem = undefined;
        this.#admission.leave(this);
        return result;
      } catch (error) {
        this.#problem = undefined;
        this.isAlone = error instanceof RestartError && !this.#isClosed;
        if (this.isAlone) continue;
        this.#admission.leave(this);
        throw error;
      }
    }
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

  #stop(problem: Error): void {
    this.set(0);
    this.#problem = problem;
  }
}
