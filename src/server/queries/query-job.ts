import type { EventSource, Plan, RunContext } from '../../engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { nextQueryTurn, nextTurn, runSlices } from '../event-loop.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { EventRange } from '../store/event-store.ts';
import { arrivedWithin, eventsWithin, evictionWarnings } from './arrival.ts';
import { countOf, IncrementalRun } from './incremental-run.ts';
import type { JobRunnerOptions } from './job-runner-options.ts';
import { QueryCosts } from './query-costs.ts';
import { limitMessage, type QueryLimits, runLimitsOf } from './query-limits.ts';
import { type Interval, type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import type { QueryShare } from './query-share.ts';
import { preparedContext, querySlices, workSlices } from './query-slices.ts';
import { collectResult, type QueryResult, type ResultCollector, sizeOfResult } from './result-collector.ts';

/** How long a live result is reused while no event arrives and only its window moves. */
const LIVE_RESULT_AGE_MS = 1000;
/** An unread result is kept for this long after the last poll, even if other queries need the memory. */
const UNREAD_RESULT_MS = 30_000;

export interface QueryJobOptions extends JobRunnerOptions {
  readonly id: string;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly source: EventSource;
  readonly totalCosts: QueryCosts;
  /** Whether the job has not been polled for too long. */
  readonly isExpired: (job: QueryJob) => boolean;
}

/** Progress and result of a job. */
export interface JobState {
  readonly done: boolean;
  readonly cancelled: boolean;
  readonly window: QueryWindow;
  /** The result so far; `undefined` until there is one. */
  readonly result: QueryResult | undefined;
  /** Number of events to read, and of those read so far. */
  readonly totalWork: number;
  readonly workDone: number;
  /** Why the server canceled the job. */
  readonly problem: string | undefined;
  readonly computedMs: number;
  /** How long the job has waited for its turn. */
  readonly queuedMs: number;
  /** The result has all events with an ingest time up to this one; `undefined` without a result. */
  readonly completeUntil: number | undefined;
}

interface Evaluation {
  readonly result: QueryResult;
  readonly window: QueryWindow;
  readonly storeVersion: number;
  /** The result contains all events with an ingest time up to this one. */
  readonly completeUntil: number;
  /** Start time, epoch milliseconds. */
  readonly at: number;
}

interface Scan {
  readonly plan: Plan;
  readonly ranges: readonly EventRange[];
  readonly arrival: Interval | undefined;
  readonly limits: QueryLimits;
}

export class QueryJob {
  readonly id: string;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly createdAt: number;
  /** Time of the latest poll, epoch milliseconds. */
  polledAt: number;
  /** The cost of this job. */
  readonly costs = new QueryCosts();
  readonly totalCosts: QueryCosts;
  readonly #options: QueryJobOptions;
  readonly #clock: ServerClock;
  readonly #share: QueryShare;
  #window: QueryWindow;
  #evaluation: Evaluation | undefined;
  /** The run that a live query resumes. */
  #kept: IncrementalRun | undefined;
  #running: Promise<void> | undefined;
  #totalWork = 0;
  #workDone = 0;
  #cancelled = false;
  #problem: string | undefined;
  #computedMs = 0;
  #partial: QueryResult | undefined;
  #wantsPartial = false;
  /** When the query first ran; `undefined` while it waits for its turn. */
  #startedAt: number | undefined;
  #isRead = false;

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
    this.polledAt = this.createdAt;
    this.#window = windowOf(request, this.createdAt);
    const { isLive } = request;
    this.#share = options.admission.open({ isLive, release: () => this.#releaseResult() });
    this.#share.onCancel = (problem) => this.#fail(problem);
    // A small job is done before this returns, so its first poll has the result.
    this.#evaluate();
  }

  /** The current state of the job. If a live job is done, evaluates changes first. */
  async state(): Promise<JobState> {
    if (this.#evaluation === undefined && !this.#cancelled) {
      this.#wantsPartial = !this.request.noResultUntilDone;
      if (this.#isRead) await this.#evaluateAgain();
      else if (this.#running === undefined) void this.#evaluate();
      // A client without a socket that polls in a loop would block the job.
      if (this.#running !== undefined) await nextTurn();
    } else if (this.request.isLive && !this.#cancelled) await this.#refresh();
    return {
      done: this.#evaluation !== undefined && !this.#cancelled,
      cancelled: this.#cancelled,
      window: this.#window,
      result: this.#cancelled ? undefined : (this.#evaluation?.result ?? this.#partial),
      totalWork: this.#totalWork,
      workDone: this.#workDone,
      problem: this.#problem,
      computedMs: this.#computedMs,
      queuedMs: (this.#startedAt ?? this.#clock.now()) - this.createdAt,
      completeUntil: this.#evaluation?.completeUntil,
    };
  }

  /** Call it when a client has received a result that is done. */
  markAsRead(): void {
    this.#isRead = true;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#kept = undefined;
    this.#evaluation = undefined;
    this.#share.close();
  }

  #fail(error: unknown): void {
    this.cancel();
    this.#problem = limitMessage(error) ?? 'The query failed inside the local server.';
    if (limitMessage(error) === undefined) {
      this.#options.onWarning(`Query job ${this.id} failed: ${(error as Error).stack}`);
    }
  }

  /** Drops the result of a static query, which runs again if it is polled. */
  #releaseResult(): boolean {
    if (!this.#isRead && this.#clock.now() - this.polledAt < UNREAD_RESULT_MS) return false;
    this.#evaluation = undefined;
    return true;
  }

  async #refresh(): Promise<void> {
    // The result of a poll contains everything acknowledged before it. Later events can wait for the next poll.
    const { version } = this.repository.store;
    const now = this.#clock.now();
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
    this.polledAt = this.#clock.now();
    this.#isRead = false;
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
    const limits = { timeoutMs: this.#options.queryTimeoutMs, spent: { ms: 0 }, share };
    const evaluate = (): Promise<void> => {
      // A query that is restarted has its whole time.
      limits.spent.ms = 0;
      this.#partial = undefined;
      return this.#evaluateWithin(limits);
    };
    try {
      await (this.request.isLive ? evaluate() : share.run(evaluate));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#partial = undefined;
      this.#computedMs = limits.spent.ms;
      const now = this.#clock.now();
      for (const costs of [this.costs, this.totalCosts]) costs.add(now, limits.spent.ms, this.request.isLive);
    }
  }

  async #evaluateWithin(limits: QueryLimits): Promise<void> {
    const { request, repository } = this;
    const { store } = repository;
    const at = this.#clock.now();
    this.#startedAt ??= at;
    const window = request.isLive ? windowOf(request, at) : this.#window;
    const plan = request.isLive ? request.freshPlan.current() : request.plan;
    const storeVersion = store.version;
    const completeUntil = store.completeUntil(at);
    if (this.#kept === undefined) limits.share.set(0);
    const context = await this.#contextOf(plan, window, at, limits);
    if (context === undefined) return;
    const ranges = plan.readsEvents ? eventsWithin(store, window) : [];
    const events = countOf(ranges);
    if (this.#evaluation === undefined) this.#totalWork = events;
    const scan = { plan, ranges, arrival: window.arrival, limits };
    const result = (await this.#resume(scan)) ?? (await this.#restart(scan, context));
    if (result === undefined) return;
    const warnings = [...result.warnings, ...(plan.readsEvents ? evictionWarnings(store, window) : [])];
    this.#evaluation = { result: { ...result, warnings }, window, storeVersion, completeUntil, at };
    this.#window = window;
    this.#totalWork = events;
    this.#workDone = events;
    if (!request.isLive) limits.share.keep(sizeOfResult(result));
  }

  /** The subqueries of a live query run for each evaluation, so that its result is of one time. */
  async #contextOf(
    plan: Plan,
    window: QueryWindow,
    now: number,
    limits: QueryLimits,
  ): Promise<RunContext | undefined> {
    const { request, source } = this.#options;
    const runLimits = runLimitsOf(this.#options, limits.share);
    const context = { ...window, now, timeZone: request.timeZone, limits: runLimits };
    if (!plan.needsPreparation) return context;
    return preparedContext({ plan, context, source, limits, isStopped: () => this.#isStopped() });
  }

  /** Adds the events since the last evaluation, if nothing else has changed. */
  async #resume(scan: Scan): Promise<QueryResult | undefined> {
    const { plan, ranges } = scan;
    const kept = this.#kept;
    const rest = kept?.rest(plan, ranges);
    this.#kept = undefined;
    if (kept === undefined) return undefined;
    if (rest === undefined) {
      scan.limits.share.set(0);
      return undefined;
    }
    const result = await this.#collect(kept.collector, { ...scan, ranges: rest });
    // The new events may be the first for which the query reads the time, and that of the run is old.
    if (result === undefined || kept.collector.dependsOnTime) return undefined;
    this.#kept = new IncrementalRun(plan, kept.collector, ranges);
    return result;
  }

  async #restart(scan: Scan, context: RunContext): Promise<QueryResult | undefined> {
    const { plan, ranges } = scan;
    if (this.#isStopped()) return undefined;
    const { around, isLive } = this.request;
    const collector = collectResult({ plan, context, around, maxRows: this.#options.maxQueryRows });
    const result = await this.#collect(collector, scan);
    // With ingest times, events can leave the interval anywhere, which an incremental run would not notice.
    if (result !== undefined && isLive && scan.arrival === undefined) {
      this.#kept = new IncrementalRun(plan, collector, ranges);
    }
    return result;
  }

  async #collect(collector: ResultCollector, scan: Scan): Promise<QueryResult | undefined> {
    const { ranges, limits, arrival } = scan;
    const isStopped = (): boolean => this.#isStopped();
    const resultOf = async (): Promise<QueryResult | undefined> => {
      const { share } = limits;
      const before = share.bytes;
      const result = await runSlices(workSlices(collector.result(), limits), isStopped);
      // The memory of a result is released with it.
      share.set(before);
      return result;
    };
    let shownAt = 0;
    for (const pushed of querySlices(ranges, arrivedWithin(collector, arrival), limits)) {
      // Later evaluations have a result to show instead.
      if (this.#evaluation === undefined) this.#workDone = pushed;
      await nextQueryTurn();
      if (isStopped()) return undefined;
      // Partial results can be expensive: spend at most half of the time on them.
      const before = limits.spent?.ms ?? 0;
      if (!this.#wantsPartial || this.#evaluation !== undefined || before < shownAt) continue;
      this.#partial = await resultOf();
      this.#wantsPartial = false;
      const after = limits.spent?.ms ?? 0;
      shownAt = after + (after - before);
    }
    return resultOf();
  }

  #isStopped(): boolean {
    if (!this.#cancelled && this.#options.isExpired(this)) this.cancel();
    return this.#cancelled;
  }
}
