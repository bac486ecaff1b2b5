import type { EventSource } from '../../engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { nextTurn } from '../event-loop.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { SearchDomains } from '../search-domains.ts';
import { type Evaluation, JobEvaluator, type Progress } from './job-evaluator.ts';
import type { QueryAdmission, QueryShare } from './query-admission.ts';
import { QueryCosts } from './query-costs.ts';
import { limitError } from './query-limits.ts';
import { type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import { type QueryResult, sizeOfResult } from './result-collector.ts';

/** How long a live result is reused while no event arrives and only its window moves. */
const LIVE_RESULT_AGE_MS = 1000;
/** An unread result is kept for this long after the last poll, even if other queries need the memory. */
const UNREAD_RESULT_MS = 30_000;

/** Options of the runner of query jobs, which each of its jobs gets, too. */
export interface JobRunnerOptions {
  readonly clock: ServerClock;
  readonly admission: QueryAdmission;
  readonly searchDomains: SearchDomains;
  readonly jobLifetimeMs: number;
  readonly liveJobLifetimeMs: number;
  readonly maxQueryRows: number;
  readonly onWarning: (message: string) => void;
}

export interface QueryJobOptions extends JobRunnerOptions {
  readonly id: string;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly source: EventSource;
  readonly totalCosts: QueryCosts;
}

/** Progress and result of a job. */
export interface JobState extends Omit<Progress, 'partial'> {
  readonly done: boolean;
  readonly cancelled: boolean;
  readonly window: QueryWindow;
  /** The result so far; `undefined` until there is one. */
  readonly result: QueryResult | undefined;
  /** Why the server canceled the job. */
  readonly problem: string | undefined;
  readonly computedMs: number;
  /** How long the job has waited for its turn. */
  readonly queuedMs: number;
  /** The result has all events with an ingest time up to this one; `undefined` without a result. */
  readonly completeUntil: number | undefined;
  readonly readShare: number | undefined;
}

export class QueryJob {
  readonly id: string;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly createdAt: number;
  /** Time of the latest poll, epoch milliseconds. */
  polledAt: number;
  /** Whether a client has received a result that is done. */
  isRead = false;
  /** The cost of this job. */
  readonly costs = new QueryCosts();
  readonly totalCosts: QueryCosts;
  readonly #options: QueryJobOptions;
  readonly #share: QueryShare;
  readonly #evaluator: JobEvaluator;
  #window: QueryWindow;
  #evaluation: Evaluation | undefined;
  #running: Promise<void> | undefined;
  #cancelled = false;
  #problem: string | undefined;
  #computedMs = 0;
  /** When the query first ran; `undefined` while it waits for its turn. */
  #startedAt: number | undefined;
  #readShare: number | undefined;

  constructor(options: QueryJobOptions) {
    const { id, repository, request, clock, totalCosts } = options;
    this.id = id;
    this.#options = options;
    this.totalCosts = totalCosts;
    this.repository = repository;
    this.request = request;
    this.createdAt = clock.now();
    for (const costs of [this.costs, totalCosts]) costs.count(this.createdAt);
    this.polledAt = this.createdAt;
    this.#window = windowOf(request, this.createdAt);
    this.#share = options.admission.open(request);
    this.#evaluator = new JobEvaluator({ ...options, share: this.#share });
    this.#share.release = () => this.#releaseResult();
    this.#share.onCancel = (problem) => this.#fail(problem);
    // A small job takes no turn of the event loop, so it is done before its first poll.
    this.#evaluate();
  }

  /** The current state of the job. If a live job is done, evaluates changes first. */
  async state(): Promise<JobState> {
    if (this.#evaluation === undefined && !this.#cancelled) {
      this.#evaluator.wantsPartial = !this.request.flags.noResultUntilDone;
      if (this.isRead) await this.#evaluateAgain();
      else if (this.#running === undefined) void this.#evaluate();
      // A client without a socket that polls in a loop would block the job.
      if (this.#running !== undefined) await nextTurn();
    } else if (this.request.isLive && !this.#cancelled) await this.#refresh();
    const { partial, ...work } = this.#evaluator.progress;
    return {
      ...work,
      done: this.#evaluation !== undefined && !this.#cancelled,
      cancelled: this.#cancelled,
      window: this.#window,
      result: this.#cancelled ? undefined : (this.#evaluation?.result ?? partial),
      problem: this.#problem,
      computedMs: this.#computedMs,
      queuedMs: (this.#startedAt ?? this.#options.clock.now()) - this.createdAt,
      completeUntil: this.#evaluation?.completeUntil,
      readShare: this.#readShare,
    };
  }

  cancel(): void {
    this.#cancelled = true;
    this.#evaluator.reset();
    this.#evaluation = undefined;
    this.#share.close();
  }

  #fail(error: unknown): void {
    this.cancel();
    const limit = limitError(error);
    this.#problem = limit?.message ?? 'The query failed inside the local server.';
    if (limit === undefined) {
      this.#options.onWarning(`Query job ${this.id} failed: ${(error as Error).stack}`);
    }
  }

  /** Drops the result of a static query, which runs again if it is polled. */
  #releaseResult(): boolean {
    if (!this.isRead && this.#options.clock.now() - this.polledAt < UNREAD_RESULT_MS) return false;
    this.#evaluation = undefined;
    this.#evaluator.reset();
    return true;
  }

  async #refresh(): Promise<void> {
    // The result of a poll contains everything acknowledged before it. Later events can wait for the next poll.
    const { version } = this.repository.store;
    const now = this.#options.clock.now();
    if (this.#isCurrent(version, now)) return;
    // An evaluation that started before this poll may have missed events; a new one has not.
    await this.#running;
    if (!this.#cancelled && !this.#isCurrent(version, now)) await this.#evaluate();
  }

  #isCurrent(version: number, now: number): boolean {
    const evaluation = this.#evaluation;
    if (evaluation === undefined || evaluation.storeVersion < version) return false;
    return Math.abs(now - evaluation.at) < LIVE_RESULT_AGE_MS;
  }

  /** Computes a released result again. Its client knows that the job is done, so the poll waits. */
  async #evaluateAgain(): Promise<void> {
    // The job does not expire while it waits.
    this.polledAt = Number.POSITIVE_INFINITY;
    await this.#evaluate();
    this.polledAt = this.#options.clock.now();
    this.isRead = false;
  }

  /** Evaluates the query over the current window. Concurrent polls share one evaluation. */
  #evaluate(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const share = this.#share;
    share.spentMs = 0;
    try {
      await (this.request.isLive ? this.#evaluateNow() : share.run(() => this.#evaluateNow()));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#computedMs = share.spentMs;
      const now = this.#options.clock.now();
      for (const costs of [this.costs, this.totalCosts]) costs.add(now, share.spentMs, this.request.isLive);
    }
  }

  async #evaluateNow(): Promise<void> {
    const { isLive } = this.request;
    const at = this.#options.clock.now();
    this.#startedAt ??= at;
    this.#readShare = this.repository.readShare;
    const window = isLive ? windowOf(this.request, at) : this.#window;
    const evaluation = await this.#evaluator.evaluate(window, at);
    if (evaluation === undefined) return;
    this.#evaluation = evaluation;
    this.#window = window;
    if (!isLive) this.#share.keep(sizeOfResult(evaluation.result));
  }
}
