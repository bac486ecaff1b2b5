import type { ServerClock } from '../clock.ts';
import { nextTurn } from '../event-loop.ts';
import type { Repository } from '../repository.ts';
import { type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import { type QueryLimits, QueryTimeoutError, queryRows, querySlices } from './query-slices.ts';
import { collectResult, type QueryResult } from './result-collector.ts';

/** For how long a live result is given again when no event has come in: only its window has moved. */
const LIVE_RESULT_AGE_MS = 1000;

export interface QueryJobOptions {
  readonly id: string;
  readonly repository: Repository;
  readonly request: QueryRequest;
  readonly clock: ServerClock;
  /** How long one evaluation may compute. */
  readonly timeoutMs: number;
  /** Told about a failure that is the server's own. */
  readonly onWarning: (message: string) => void;
}

/** How far a job is, and what it has found. */
export interface JobState {
  readonly done: boolean;
  readonly cancelled: boolean;
  readonly window: QueryWindow;
  /** `undefined` until the job is done for the first time. */
  readonly result: QueryResult | undefined;
  /** Events to look at, and those looked at so far. */
  readonly totalWork: number;
  readonly workDone: number;
  /** Why there is no result, when the server has cancelled the job. */
  readonly problem: string | undefined;
}

/** A finished evaluation of the query. */
interface Evaluation {
  readonly result: QueryResult;
  readonly window: QueryWindow;
  readonly events: number;
  readonly storeVersion: number;
  readonly at: number;
}

/** A query that runs on the server while its client asks for the result from time to time. */
export class QueryJob {
  readonly id: string;
  readonly repository: Repository;
  readonly request: QueryRequest;
  readonly createdAt: number;
  readonly #clock: ServerClock;
  readonly #limits: QueryLimits;
  readonly #onWarning: (message: string) => void;
  #polledAt: number;
  #window: QueryWindow;
  #evaluation: Evaluation | undefined;
  #running: Promise<void> | undefined;
  #totalWork = 0;
  #workDone = 0;
  #cancelled = false;
  #problem: string | undefined;

  constructor({ id, repository, request, clock, timeoutMs, onWarning }: QueryJobOptions) {
    this.id = id;
    this.repository = repository;
    this.request = request;
    this.#clock = clock;
    this.#limits = { plan: request.plan, timeoutMs };
    this.#onWarning = onWarning;
    this.createdAt = clock.now();
    this.#polledAt = this.createdAt;
    this.#window = windowOf(request, this.createdAt);
    // A small job is done before this returns, so that its first poll finds the result.
    this.#evaluate();
  }

  /** When a client last showed interest, epoch milliseconds. */
  get polledAt(): number {
    return this.#polledAt;
  }

  /** Says that a client is still interested. */
  touch(): void {
    this.#polledAt = this.#clock.now();
  }

  /** The job as it is now; a live one that is done looks again at what has changed first. */
  async state(): Promise<JobState> {
    if (this.#evaluation === undefined) {
      // A client without a socket that polls in a tight loop would keep the job from ever getting on.
      if (this.#running !== undefined) await nextTurn();
    } else if (this.request.isLive) await this.#refresh();
    return {
      done: this.#evaluation !== undefined && !this.#cancelled,
      cancelled: this.#cancelled,
      window: this.#window,
      result: this.#evaluation?.result,
      totalWork: this.#totalWork,
      workDone: this.#workDone,
      problem: this.#problem,
    };
  }

  /** Stops whatever is running. */
  cancel(): void {
    this.#cancelled = true;
  }

  async #refresh(): Promise<void> {
    // What was acknowledged before this poll must be in its answer; what comes in meanwhile can wait for the next.
    const version = this.repository.store.version;
    const now = this.#clock.now();
    if (this.#isCurrent(version, now)) return;
    // An evaluation that has begun before this poll may have missed something; one that begins now has not.
    await this.#running;
    if (!this.#cancelled && !this.#isCurrent(version, now)) await this.#evaluate();
  }

  #isCurrent(version: number, now: number): boolean {
    const evaluation = this.#evaluation;
    if (evaluation === undefined || evaluation.storeVersion < version) return false;
    return Math.abs(now - evaluation.at) < LIVE_RESULT_AGE_MS;
  }

  /** Evaluates the query over its window as of now; one evaluation at a time, however many polls ask for it. */
  #evaluate(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#scan();
    } catch (error) {
      this.#cancelled = true;
      this.#problem = 'The query failed inside the local server.';
      if (error instanceof QueryTimeoutError) this.#problem = error.message;
      else this.#onWarning(`Query job ${this.id} failed: ${(error as Error).stack}`);
    }
  }

  async #scan(): Promise<void> {
    const { request, repository } = this;
    const { store } = repository;
    const at = this.#clock.now();
    const window = request.isLive ? windowOf(request, at) : this.#window;
    const storeVersion = store.version;
    const stretches = store.snapshot(window.start, window.end);
    const events = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
    const context = { ...window, now: at, timeZone: request.timeZone };
    const collector = collectResult(request.plan, context, request.around);
    if (this.#evaluation === undefined) this.#totalWork = events;
    for (const pushed of querySlices(stretches, (event) => collector.push(event), this.#limits)) {
      if (this.#evaluation === undefined) this.#workDone = pushed;
      await nextTurn();
      if (this.#cancelled) return;
    }
    const result = queryRows(this.#limits, () => collector.result());
    this.#window = window;
    this.#totalWork = events;
    this.#workDone = events;
    this.#evaluation = { result, window, events, storeVersion, at };
  }
}
