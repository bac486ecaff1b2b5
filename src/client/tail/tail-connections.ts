import { delay } from '../../core/delay.ts';
import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../../core/errors.ts';
import { CAPABILITIES } from '../../core/http/service-kind.ts';
import { isTransient } from '../../core/http/transient.ts';
import { joinsEvents } from '../query/joins-events.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { streamingQuery } from '../query/streaming-query.ts';
import { isJobGone } from './job-gone.ts';
import { AggregateRowsError, JobTail } from './job-tail.ts';
import { NoEventsError, polledEvents } from './polled-events.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import type { TailPlan } from './tail-options.ts';
import type { TailProgress } from './tail-progress.ts';

/** After a connection that lasted this long, failures are counted from zero. */
const STABLE_AFTER_MS = 10_000;

export interface TailConnectionsOptions {
  readonly source: QuerySource;
  readonly queryString: string;
  /** Without `start`. */
  readonly query: QueryOptions;
  readonly plan: Pick<TailPlan, 'onReconnect' | 'idleTimeoutMs'>;
  readonly progress: TailProgress;
}

/**
 * How a tail gets its events: from the streaming endpoint, from query jobs by arrival time, or from the result of one
 * live job, for queries whose events depend on each other.
 */
type Way = 'stream' | 'arrivals' | 'result';

/** The consecutive connections of a tail. */
export class TailConnections<Row extends object> {
  readonly #options: TailConnectionsOptions;
  #way: Way;
  #jobTail: JobTail<Row> | undefined;
  /** Why the query can't be streamed. */
  #refusal: LogQueryException | undefined;
  #count = 0;
  #attempt = 0;

  constructor(options: TailConnectionsOptions) {
    const { source, queryString } = options;
    this.#options = options;
    if (CAPABILITIES[source.service].streaming) this.#way = 'stream';
    else this.#way = joinsEvents(queryString) ? 'result' : 'arrivals';
  }

  /** The events of the next connection. */
  open(): AsyncIterable<Row> {
    const { source, queryString, query, plan, progress } = this.#options;
    this.#count++;
    if (this.#way === 'arrivals') {
      this.#jobTail ??= new JobTail<Row>({ source, queryString, query, ...progress.forJobTail });
      return this.#jobTail.connect();
    }
    const live = { ...query, start: progress.connect() };
    if (this.#way === 'stream') {
      const options = { ...live, isLive: true, idleTimeoutMs: plan.idleTimeoutMs };
      return streamingQuery<Row>(source, queryString, options, () => progress.markAlive());
    }
    return polledEvents<Row>({ source, queryString, query: live, ...progress.forPolls });
  }

  /** Called for new events. Repeated events don't prove that the connection works. */
  succeed(): void {
    this.#attempt = 0;
  }

  /**
   * Whether to reconnect, or to use another kind of connection.
   *
   * @throws the error if it is permanent.
   */
  diagnose(error: unknown): 'lost' | 'otherWay' {
    const isRefused = error instanceof LogQueryException;
    if (error instanceof AggregateRowsError || (this.#way === 'stream' && this.#count === 1 && isRefused)) {
      this.#way = 'result';
      if (isRefused) this.#refusal = error;
      return 'otherWay';
    }
    if (error instanceof NoEventsError) throw withHint(this.#refusal ?? noEvents());
    const isFirstPoll = this.#count === 2;
    if (this.#refusal !== undefined && isFirstPoll && isRefused) {
      throw /aggregat|live/i.test(this.#refusal.message) ? withHint(this.#refusal) : this.#refusal;
    }
    if (!canGoOn(error, this.#options.progress.hasBegun)) throw error;
    return 'lost';
  }

  /**
   * Waits for the delay before the next connection. @param error what ended the last one; undefined if it ended
   * normally.
   */
  async recover(error: unknown): Promise<void> {
    const { plan, progress, query } = this.#options;
    if (progress.openMs >= STABLE_AFTER_MS) this.#attempt = 0;
    progress.break();
    const delayMs = reconnectDelayMs(this.#attempt++, error);
    plan.onReconnect({ attempt: this.#attempt, delayMs, error });
    await delay(delayMs, query.signal);
  }
}

/** Before the first successful connection, only the timeout of a quiet one is transient. */
function canGoOn(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return isTransient(error) || isJobGone(error);
  return (
    error instanceof LogConnectionDroppedException || error instanceof LogTimeoutException || isJobGone(error)
  );
}

/** The error that a service without streaming does not report. */
function noEvents(): LogQueryException {
  return new LogQueryException('The rows of the query are not events.', {
    statusCode: 400,
    method: 'POST',
    path: '',
    body: '',
  });
}

function withHint(refusal: LogQueryException): LogQueryException {
  const { statusCode, method, path, body } = refusal;
  return new LogQueryException(
    `${refusal.message}\ntail() needs a query whose rows are events, with their @id. Use watch() for other queries.`,
    { statusCode, method, path, body, cause: refusal },
  );
}
