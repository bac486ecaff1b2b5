import type { EventSource, Plan, RunContext, RunLimits } from '../../query-engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { nextTurn, runSlices } from '../event-loop.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { EventRange } from '../store/event-store.ts';
import { arrivedWithin, eventsWithin } from './arrival.ts';
import { countOf, IncrementalRun } from './incremental-run.ts';
import type { QueryLimits } from './query-limits.ts';
import { type Interval, type QueryRequest, type QueryWindow, windowOf } from './query-request.ts';
import { preparedContext, querySlices, workSlices } from './query-slices.ts';
import { collectResult, type QueryResult, type ResultCollector } from './result-collector.ts';

export interface EvaluationOptions {
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  /** The events of the queries inside the query. */
  readonly source: EventSource;
  readonly clock: ServerClock;
  /** How many rows the result of an aggregate may have. */
  readonly maxRows: number;
  /** How much a run may hold on to. */
  readonly runLimits: RunLimits;
}

/** A finished evaluation of the query. */
export interface Evaluation {
  readonly result: QueryResult;
  readonly window: QueryWindow;
  /** How many events it has looked at. */
  readonly events: number;
  readonly storeVersion: number;
  /** It has looked at all events with an ingest time up to this one. */
  readonly completeUntil: number;
  /** When it began, epoch milliseconds. */
  readonly at: number;
}

/** Whoever wants the result, while it is being made. */
export interface EvaluationWatcher {
  /** Whether nobody wants the result any more. */
  isStopped(): boolean;
  /** How many events there are to look at. */
  onStart(events: number): void;
  /** How many of them have been looked at. */
  onProgress(events: number): void;
  wantsPartial(): boolean;
  /** The result so far. */
  onPartial(result: QueryResult | undefined): void;
}

/** Evaluates a query over its window, again and again when it is live; never twice at the same time. */
export class QueryEvaluator {
  readonly #options: EvaluationOptions;
  readonly #window: QueryWindow;
  /** What a live query goes on with. */
  #kept: IncrementalRun | undefined;

  /** @param window of a static query. */
  constructor(options: EvaluationOptions, window: QueryWindow) {
    this.#options = options;
    this.#window = window;
  }

  /** Lets go of what a live query goes on with. */
  forget(): void {
    this.#kept = undefined;
  }

  /**
   * @returns `undefined` when nobody wants the result any more.
   * @throws QueryLimitError
   */
  async evaluate(limits: QueryLimits, watcher: EvaluationWatcher): Promise<Evaluation | undefined> {
    const { clock, repository, request, runLimits } = this.#options;
    const { store } = repository;
    const at = clock.now();
    const window = request.isLive ? windowOf(request, at) : this.#window;
    const plan = request.isLive ? request.freshPlan.current() : request.plan;
    const storeVersion = store.version;
    const completeUntil = store.completeUntil(at);
    const asked = { ...window, now: at, timeZone: request.timeZone, limits: runLimits };
    const { source } = this.#options;
    const { isStopped } = watcher;
    // The subqueries of a live query run for each evaluation, so that its result is of one time.
    const context = plan.needsPreparation
      ? await preparedContext({ plan, context: asked, source, limits, isStopped })
      : asked;
    if (context === undefined) return undefined;
    const ranges = plan.readsEvents ? eventsWithin(store, window) : [];
    const events = countOf(ranges);
    watcher.onStart(events);
    const scan = { plan, ranges, arrival: window.arrival, limits, watcher };
    const result = (await this.#resume(scan)) ?? (await this.#restart(scan, context));
    return result && { result, window, events, storeVersion, completeUntil, at };
  }

  /** The result with the events that have come since the last evaluation, if that is all that has changed. */
  async #resume(scan: Scan): Promise<QueryResult | undefined> {
    const { plan, ranges } = scan;
    const kept = this.#kept;
    const rest = kept?.rest(plan, ranges);
    this.#kept = undefined;
    if (kept === undefined || rest === undefined) return undefined;
    const result = await collect(kept.collector, { ...scan, ranges: rest });
    // The new events may be the first for which the query asks what time it is; the run knows an old one.
    if (result === undefined || kept.collector.dependsOnTime) return undefined;
    this.#kept = new IncrementalRun(plan, kept.collector, ranges);
    return result;
  }

  async #restart(scan: Scan, context: RunContext): Promise<QueryResult | undefined> {
    const { plan, ranges, watcher } = scan;
    if (watcher.isStopped()) return undefined;
    const { request, maxRows } = this.#options;
    const collector = collectResult({ plan, context, around: request.around, maxRows });
    const result = await collect(collector, scan);
    // Events leave an interval of ingest times anywhere, which an incremental run would not notice.
    const isIncremental = request.isLive && scan.arrival === undefined;
    if (result !== undefined && isIncremental) this.#kept = new IncrementalRun(plan, collector, ranges);
    return result;
  }
}

/** One look at events. */
interface Scan {
  readonly plan: Plan;
  readonly ranges: readonly EventRange[];
  /** When the events must have arrived. */
  readonly arrival: Interval | undefined;
  readonly limits: QueryLimits;
  readonly watcher: EvaluationWatcher;
}

/** `undefined` when nobody wants the result any more. */
async function collect(collector: ResultCollector, scan: Scan): Promise<QueryResult | undefined> {
  const { plan, ranges, limits, watcher } = scan;
  const reader = arrivedWithin({ reads: plan.reads, open: (events) => collector.from(events) }, scan.arrival);
  let shownAt = 0;
  for (const pushed of querySlices(ranges, reader, limits)) {
    watcher.onProgress(pushed);
    await nextTurn();
    if (watcher.isStopped()) return undefined;
    // What is there so far may take long to make: no more than half of the time goes into it.
    const before = limits.spent?.ms ?? 0;
    if (!watcher.wantsPartial() || before < shownAt) continue;
    watcher.onPartial(await resultOf(collector, limits, watcher));
    const after = limits.spent?.ms ?? 0;
    shownAt = after + (after - before);
  }
  return resultOf(collector, limits, watcher);
}

function resultOf(
  collector: ResultCollector,
  limits: QueryLimits,
  { isStopped }: EvaluationWatcher,
): Promise<QueryResult | undefined> {
  return runSlices(workSlices(collector.result(), limits), isStopped);
}
