import type { ServerClock } from '../clock.ts';
import { nextTurn } from '../event-loop.ts';
import type { SearchDomain } from '../search-domain.ts';
import { QueryCosts } from './query-costs.ts';
import {
  type Evaluation,
  type EvaluationOptions,
  type EvaluationWatcher,
  QueryEvaluator,
} from './query-evaluator.ts';
import { limitMessage } from './query-limits.ts';
import { type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import type { QueryResult } from './result-collector.ts';

/** For how long a live result is given again when no event has come in: only its window has moved. */
const LIVE_RESULT_AGE_MS = 1000;

export interface QueryJobOptions extends EvaluationOptions {
  readonly id: string;
  /** How long one evaluation may compute. */
  readonly timeoutMs: number;
  /** What all queries of the server cost. */
  readonly totalCosts: QueryCosts;
  /** Whether the job has lived too long without a client. */
  readonly isExpired: (job: QueryJob) => boolean;
  /** Told about a failure that is the server's own. */
  readonly onWarning: (message: string) => void;
}

/** How far a job is, and what it has found. */
export interface JobState {
  readonly done: boolean;
  readonly cancelled: boolean;
  readonly window: QueryWindow;
  /** As far as the job is; `undefined` until there is something to show. */
  readonly result: QueryResult | undefined;
  /** Events to look at, and those looked at so far. */
  readonly totalWork: number;
  readonly workDone: number;
  /** Why there is no result, when the server has canceled the job. */
  readonly problem: string | undefined;
  /** How long the last evaluation has computed, milliseconds. */
  readonly computedMs: number;
  /** The result has all events with an ingest time up to this one; `undefined` until there is a result. */
  readonly completeUntil: number | undefined;
}

/** A query that runs on the server while its client asks for the result from time to time. */
export class QueryJob {
  readonly id: string;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly createdAt: number;
  /** What the job itself costs. */
  readonly costs = new QueryCosts();
  readonly totalCosts: QueryCosts;
  readonly #options: QueryJobOptions;
  readonly #clock: ServerClock;
  readonly #evaluator: QueryEvaluator;
  readonly #watcher: EvaluationWatcher;
  #polledAt: number;
  #window: QueryWindow;
  #evaluation: Evaluation | undefined;
  #running: Promise<void> | undefined;
  #totalWork = 0;
  #workDone = 0;
  #cancelled = false;
  #problem: string | undefined;
  #computedMs = 0;
  #partial: QueryResult | undefined;
  #wantsPartial = false;

  constructor(options: QueryJobOptions) {
    const { id, repository, request, clock, totalCosts } = options;
    this.id = id;
    this.#options = options;
    this.totalCosts = totalCosts;
    this.repository = repository;
    this.request = request;
    this.#clock = clock;
    this.createdAt = clock.now();
    for (const costs of [this.costs, totalCosts]) costs.count(this.createdAt);
    this.#polledAt = this.createdAt;
    this.#window = windowOf(request, this.createdAt);
    this.#evaluator = new QueryEvaluator(options, this.#window);
    this.#watcher = this.#watch();
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
      this.#wantsPartial = !this.request.noResultUntilDone;
      // A client without a socket that polls in a tight loop would keep the job from ever getting on.
      if (this.#running !== undefined) await nextTurn();
    } else if (this.request.isLive) await this.#refresh();
    return {
      done: this.#evaluation !== undefined && !this.#cancelled,
      cancelled: this.#cancelled,
      window: this.#window,
      result: this.#cancelled ? undefined : (this.#evaluation?.result ?? this.#partial),
      totalWork: this.#totalWork,
      workDone: this.#workDone,
      problem: this.#problem,
      computedMs: this.#computedMs,
      completeUntil: this.#evaluation?.completeUntil,
    };
  }

  /** Stops whatever is running. */
  cancel(): void {
    this.#cancelled = true;
    this.#evaluator.forget();
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
    const limits = { timeoutMs: this.#options.timeoutMs, spent: { ms: 0 } };
    try {
      const evaluation = await this.#evaluator.evaluate(limits, this.#watcher);
      if (evaluation !== undefined) this.#accept(evaluation);
    } catch (error) {
      this.cancel();
      this.#problem = limitMessage(error) ?? 'The query failed inside the local server.';
      if (limitMessage(error) === undefined) {
        this.#options.onWarning(`Query job ${this.id} failed: ${(error as Error).stack}`);
      }
    } finally {
      this.#partial = undefined;
      this.#computedMs = limits.spent.ms;
      const now = this.#clock.now();
      for (const costs of [this.costs, this.totalCosts]) costs.add(now, limits.spent.ms, this.request.isLive);
    }
  }

  #accept(evaluation: Evaluation): void {
    this.#evaluation = evaluation;
    this.#window = evaluation.window;
    this.#totalWork = evaluation.events;
    this.#workDone = evaluation.events;
  }

  /** Clients are only shown how far the first evaluation is: those after it have a result to show. */
  #watch(): EvaluationWatcher {
    return {
      isStopped: () => this.#isStopped(),
      onStart: (events) => {
        if (this.#evaluation === undefined) this.#totalWork = events;
      },
      onProgress: (events) => {
        if (this.#evaluation === undefined) this.#workDone = events;
      },
      wantsPartial: () => this.#wantsPartial && this.#evaluation === undefined,
      onPartial: (result) => {
        this.#partial = result;
        this.#wantsPartial = false;
      },
    };
  }

  #isStopped(): boolean {
    if (!this.#cancelled && this.#options.isExpired(this)) this.cancel();
    return this.#cancelled;
  }
}
