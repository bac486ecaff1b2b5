import type { EventSource, Plan, RunContext, RunLimits } from '../../query-engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { nextTurn } from '../event-loop.ts';
import type { Repository } from '../repository.ts';
import type { Stretch } from '../store/event-store.ts';
import { countOf, KeptRun } from './kept-run.ts';
import { QueryCosts } from './query-costs.ts';
import { type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import { limitMessage, type QueryLimits, querySlices, workSlices } from './query-slices.ts';
import { collectResult, type QueryResult, type ResultCollector } from './result-collector.ts';
import { preparedContext } from './run-preparation.ts';

/** For how long a live result is given again when no event has come in: only its window has moved. */
const LIVE_RESULT_AGE_MS = 1000;

export interface QueryJobOptions {
  readonly id: string;
  readonly repository: Repository;
  readonly request: QueryRequest;
  /** The events of the queries inside the query. */
  readonly source: EventSource;
  readonly clock: ServerClock;
  /** How long one evaluation may compute. */
  readonly timeoutMs: number;
  /** How many rows the result of an aggregate may have. */
  readonly maxRows: number;
  /** How much a run may hold on to. */
  readonly runLimits: RunLimits;
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
  /** Why there is no result, when the server has cancelled the job. */
  readonly problem: string | undefined;
  /** How long the last evaluation has computed, milliseconds. */
  readonly computedMs: number;
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
  /** What the job itself costs. */
  readonly costs = new QueryCosts();
  readonly totalCosts: QueryCosts;
  readonly #options: QueryJobOptions;
  readonly #clock: ServerClock;
  #polledAt: number;
  #window: QueryWindow;
  #evaluation: Evaluation | undefined;
  #running: Promise<void> | undefined;
  #totalWork = 0;
  #workDone = 0;
  #cancelled = false;
  #problem: string | undefined;
  #computedMs = 0;
  /** What a live query goes on with. */
  #kept: KeptRun | undefined;
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
    };
  }

  /** Stops whatever is running. */
  cancel(): void {
    this.#cancelled = true;
    this.#kept = undefined;
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
    const limits = { plan: this.request.plan, timeoutMs: this.#options.timeoutMs, spent: { ms: 0 } };
    try {
      await this.#scan(limits);
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

  async #scan(initial: QueryLimits): Promise<void> {
    const { request, repository } = this;
    const { store } = repository;
    const at = this.#clock.now();
    const window = request.isLive ? windowOf(request, at) : this.#window;
    const plan = request.isLive ? request.freshPlan.current() : request.plan;
    const limits = { ...initial, plan };
    const storeVersion = store.version;
    const asked = { ...window, now: at, timeZone: request.timeZone, limits: this.#options.runLimits };
    const context = plan.needsPreparation ? await this.#prepare(plan, asked, limits) : asked;
    if (context === undefined) return;
    const stretches = plan.readsEvents ? store.snapshot(window.start, window.end) : [];
    const events = countOf(stretches);
    if (this.#evaluation === undefined) this.#totalWork = events;
    const result =
      (await this.#goOn(plan, stretches, limits)) ??
      (await this.#beginAnew(plan, context, stretches, limits));
    if (result === undefined) return;
    this.#window = window;
    this.#totalWork = events;
    this.#workDone = events;
    this.#evaluation = { result, window, events, storeVersion, at };
  }

  /** The result with the events that have come since the last evaluation, if that is all that has changed. */
  async #goOn(
    plan: Plan,
    stretches: readonly Stretch[],
    limits: QueryLimits,
  ): Promise<QueryResult | undefined> {
    const kept = this.#kept;
    const rest = kept?.rest(plan, stretches);
    this.#kept = undefined;
    if (kept === undefined || rest === undefined) return undefined;
    const result = await this.#collect(kept.collector, rest, limits);
    // The new events may be the first for which the query asks what time it is; the run knows an old one.
    if (result === undefined || kept.collector.dependsOnTime) return undefined;
    this.#kept = new KeptRun(plan, kept.collector, stretches);
    return result;
  }

  async #beginAnew(
    plan: Plan,
    context: RunContext,
    stretches: readonly Stretch[],
    limits: QueryLimits,
  ): Promise<QueryResult | undefined> {
    if (this.#isStopped()) return undefined;
    const { around, isLive } = this.request;
    const collector = collectResult({ plan, context, around, maxRows: this.#options.maxRows });
    const result = await this.#collect(collector, stretches, limits);
    if (result !== undefined && isLive) this.#kept = new KeptRun(plan, collector, stretches);
    return result;
  }

  /** `undefined` when nobody wants the result any more. */
  async #collect(
    collector: ResultCollector,
    stretches: readonly Stretch[],
    limits: QueryLimits,
  ): Promise<QueryResult | undefined> {
    let shownAt = 0;
    for (const pushed of querySlices(stretches, (event) => collector.push(event), limits)) {
      if (this.#evaluation === undefined) this.#workDone = pushed;
      await nextTurn();
      if (this.#isStopped()) return undefined;
      // What is there so far may take long to make: no more than half of the time goes into it.
      const before = limits.spent?.ms ?? 0;
      if (!this.#wantsPartial || this.#evaluation !== undefined || before < shownAt) continue;
      this.#partial = await this.#resultOf(collector, limits);
      this.#wantsPartial = false;
      const after = limits.spent?.ms ?? 0;
      shownAt = after + (after - before);
    }
    return this.#resultOf(collector, limits);
  }

  async #resultOf(collector: ResultCollector, limits: QueryLimits): Promise<QueryResult | undefined> {
    const slices = workSlices(collector.result(), limits);
    for (let next = slices.next(); ; next = slices.next()) {
      if (next.done === true) return next.value;
      await nextTurn();
      if (this.#isStopped()) return undefined;
    }
  }

  #isStopped(): boolean {
    if (!this.#cancelled && this.#options.isExpired(this)) this.cancel();
    return this.#cancelled;
  }

  /** The queries inside a live query run again for each of its evaluations, so that its result is of one time. */
  #prepare(plan: Plan, context: RunContext, limits: QueryLimits): Promise<RunContext | undefined> {
    const isStopped = (): boolean => this.#isStopped();
    return preparedContext({ plan, context, source: this.#options.source, limits, isStopped });
  }
}
