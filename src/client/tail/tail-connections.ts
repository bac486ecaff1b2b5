import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../../core/errors.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import { isLogScale } from '../../core/http/service-kind.ts';
import { isTransientLater } from '../../core/http/transient.ts';
import { joinsEvents } from '../query/joins-events.ts';
import { resolveQueryInput } from '../query/query-options.ts';
import { streamedRows, withWatchHint } from '../query/streaming-query.ts';
import { AggregateRowsError, JobTail } from './job-tail.ts';
import { NoEventsError, polledEvents } from './polled-events.ts';
import { isJobGone, Reconnection, STABLE_AFTER_MS } from './reconnection.ts';
import type { TailPlan } from './tail-options.ts';
import type { TailedQuery } from './tail-progress.ts';

/** The query has no `start`. */
export interface TailConnectionsOptions extends TailedQuery {
  readonly plan: Pick<TailPlan, 'onReconnect' | 'idleTimeoutMs' | 'byArrival'>;
}

/**
 * How a tail gets its events: from the streaming endpoint, from query jobs by arrival time, or from the result of one
 * live job, for queries whose events depend on each other.
 */
type Connection = 'stream' | 'arrivals' | 'result';

/** The consecutive connections of a tail. */
export class TailConnections<Row extends object> {
  readonly #options: TailConnectionsOptions;
  #connection: Connection;
  #jobTail: JobTail<Row> | undefined;
  /** Why the query can't be streamed. */
  #refusal: LogQueryException | undefined;
  #count = 0;
  readonly #reconnection = new Reconnection();

  constructor(options: TailConnectionsOptions) {
    const { source, queryString } = options;
    this.#options = options;
    if (isLogScale(source.service)) this.#connection = 'stream';
    else this.#connection = joinsEvents(queryString) ? 'result' : 'arrivals';
  }

  /** The events of the next connection, as they arrive together. */
  open(): AsyncIterable<readonly Row[]> {
    const { source, queryString, plan, progress } = this.#options;
    // Failures after the first connection are retried without a limit; see prepareNext().
    const query = progress.hasBegun ? { ...this.#options.query, maxRetries: 0 } : this.#options.query;
    this.#count++;
    if (this.#connection === 'arrivals') {
      this.#jobTail ??= new JobTail<Row>({ source, queryString, query, progress });
      return this.#jobTail.connect();
    }
    const live = { ...query, start: progress.connect() };
    progress.isByArrival = this.#connection === 'stream' && plan.byArrival === true;
    if (this.#connection === 'stream') {
      const { idleTimeoutMs, byArrival: useIngestTime } = plan;
      const input = resolveQueryInput('tail', queryString, { ...live, isLive: true, useIngestTime });
      const onAlive = (): void => progress.markAlive();
      const scope = { ...source, numbers: query.numbers };
      return streamedRows<Row>(scope, input, { ...callOptionsOf('tail', query), idleTimeoutMs, onAlive });
    }
    return polledEvents<Row>({ source, queryString, query: live, progress });
  }

  /** Called for new events. Repeated events don't prove that the connection works. */
  succeed(): void {
    this.#reconnection.succeed();
  }

  /**
   * Prepares the next connection: of another kind if the last one can't serve the query, or else the same after a delay.
   *
   * @param error what ended the last connection; undefined if it ended normally.
   * @throws the error if it is permanent.
   */
  async prepareNext(error: unknown): Promise<void> {
    if (this.#needsSwitch(error)) {
      this.#connection = 'result';
      if (error instanceof LogQueryException) this.#refusal = error;
      return;
    }
    const { plan, progress, query } = this.#options;
    if (error !== undefined) this.#requireTransient(error);
    if (progress.openMs >= STABLE_AFTER_MS) this.#reconnection.succeed();
    progress.break();
    await this.#reconnection.wait(error, { signal: query.signal, onReconnect: plan.onReconnect });
  }

  #needsSwitch(error: unknown): boolean {
    if (error instanceof AggregateRowsError) return true;
    return this.#connection === 'stream' && this.#count === 1 && error instanceof LogQueryException;
  }

  #requireTransient(error: unknown): void {
    // A service without streaming does not report this.
    const noEvents = new LogQueryException('The rows of the query are not events.', 400);
    if (error instanceof NoEventsError) throw withWatchHint(this.#refusal ?? noEvents);
    const isFirstPoll = this.#count === 2;
    if (this.#refusal !== undefined && isFirstPoll && error instanceof LogQueryException) {
      throw this.#refusal;
    }
    // Before the first successful connection, only the timeout of a quiet one is transient.
    const isQuiet = error instanceof LogConnectionDroppedException || error instanceof LogTimeoutException;
    const isTransient = this.#options.progress.hasBegun ? isTransientLater(error) : isQuiet;
    if (!isTransient && !isJobGone(error)) throw error;
  }
}
