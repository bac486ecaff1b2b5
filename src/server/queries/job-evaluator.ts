import type { Plan, RunContext } from '../../engine/index.ts';
import type { EventRange } from '../store/event-store.ts';
import { arrivedWithin, eventsWithin, evictionWarnings } from './arrival.ts';
import { countOf, type IncrementalRun, incrementalRun } from './incremental-run.ts';
import type { Interval, QueryWindow } from './query-request.ts';
import { preparedContext, type QueryRun, querySlices, runSlices, workSlices } from './query-slices.ts';
import { collectResult, type QueryResult, type ResultCollector } from './result-collector.ts';

export interface EvaluatorOptions extends QueryRun {
  readonly maxQueryRows: number;
}

/** How far a query is. */
export interface Progress {
  /** The result so far, while the first evaluation runs. */
  partial: QueryResult | undefined;
  /** Number of events to read, and of those read so far. */
  totalWork: number;
  workDone: number;
}

/** The result of a query over a window. */
export interface Evaluation {
  readonly result: QueryResult;
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
}

/** Evaluates the query of a job: once, or again and again for a live query, which reads only new events if it can. */
export class JobEvaluator {
  readonly #options: EvaluatorOptions;
  /** The run that a live query resumes. */
  #kept: IncrementalRun | undefined;
  readonly progress: Progress = { partial: undefined, totalWork: 0, workDone: 0 };
  /** Whether a partial result is computed while the first evaluation runs. */
  wantsPartial = false;
  #isFirst = true;
  #removals = 0;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Forgets a run that could be resumed and a partial result, and makes the next evaluation show its progress. */
  reset(): void {
    this.#kept = undefined;
    this.progress.partial = undefined;
    this.#isFirst = true;
  }

  /** @returns `undefined` if it was stopped. @throws QueryLimitError */
  async evaluate(window: QueryWindow, at: number): Promise<Evaluation | undefined> {
    try {
      const { request, repository, share } = this.#options;
      const { store } = repository;
      const plan = request.isLive ? request.freshPlan() : request.plan;
      const storeVersion = store.version;
      const completeUntil = store.completeUntil(at);
      if (store.removals !== this.#removals) this.#kept = undefined;
      this.#removals = store.removals;
      if (this.#kept === undefined) share.set(0);
      // The subqueries of a live query run for each evaluation, so that its result is of one time.
      const context = await preparedContext(this.#options, window, at, plan);
      if (context === undefined) return undefined;
      const ranges = plan.readsEvents ? eventsWithin(store, window) : [];
      const events = countOf(ranges);
      if (this.#isFirst) this.progress.totalWork = events;
      const scan = { plan, ranges, arrival: window.arrival };
      const result = (await this.#resume(scan)) ?? (await this.#restart(scan, context));
      if (result === undefined) return undefined;
      const warnings = [...result.warnings, ...(plan.readsEvents ? evictionWarnings(store, window) : [])];
      this.#isFirst = false;
      this.progress.totalWork = events;
      this.progress.workDone = events;
      return { result: { ...result, warnings }, storeVersion, completeUntil, at };
    } finally {
      this.progress.partial = undefined;
    }
  }

  /** Adds the events since the last evaluation, if nothing else has changed. */
  async #resume(scan: Scan): Promise<QueryResult | undefined> {
    const { plan, ranges } = scan;
    const kept = this.#kept;
    const rest = kept?.rest(plan, ranges);
    this.#kept = undefined;
    if (kept === undefined) return undefined;
    if (rest === undefined) {
      this.#options.share.set(0);
      return undefined;
    }
    const result = await this.#collect(kept.collector, { ...scan, ranges: rest });
    // The new events may be the first for which the query reads the time, and that of the run is old.
    if (result === undefined || kept.collector.dependsOnTime) return undefined;
    this.#kept = incrementalRun(plan, kept.collector, ranges);
    return result;
  }

  async #restart(scan: Scan, context: RunContext): Promise<QueryResult | undefined> {
    const { plan, ranges } = scan;
    if (this.#options.share.isClosed) return undefined;
    const { around, isLive } = this.#options.request;
    const collector = collectResult({ plan, context, around, maxRows: this.#options.maxQueryRows });
    const result = await this.#collect(collector, scan);
    // With ingest times, events can leave the interval anywhere, which an incremental run would not notice.
    if (result !== undefined && isLive && scan.arrival === undefined) {
      this.#kept = incrementalRun(plan, collector, ranges);
    }
    return result;
  }

  async #collect(collector: ResultCollector, scan: Scan): Promise<QueryResult | undefined> {
    const { ranges, arrival } = scan;
    const { share } = this.#options;
    const resultOf = async (): Promise<QueryResult | undefined> => {
      const before = share.bytes;
      const result = await runSlices(workSlices(collector.result(), share), share);
      // The memory of a result is released with it.
      share.set(before);
      return result;
    };
    let shownAt = 0;
    for (const pushed of querySlices(ranges, arrivedWithin(collector, arrival), share)) {
      // Later evaluations have a result to show instead.
      if (this.#isFirst) this.progress.workDone = pushed;
      await share.turn();
      if (share.isClosed) return undefined;
      // Partial results can be expensive: spend at most half of the time on them.
      const before = share.spentMs;
      if (!this.wantsPartial || !this.#isFirst || before < shownAt) continue;
      this.progress.partial = await resultOf();
      this.wantsPartial = false;
      shownAt = share.spentMs + (share.spentMs - before);
    }
    return resultOf();
  }
}
