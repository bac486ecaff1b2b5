import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import { joinsEvents } from '../query/joins-events.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { CAPABILITIES } from '../web/service-kind.ts';
import { isTransient } from '../web/transient.ts';
import { isJobGone } from './job-gone.ts';
import { AggregateRowsError, JobTail } from './job-tail.ts';
import { NoEventsError, polledEvents } from './polled-events.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import type { TailPlan } from './tail-options.ts';
import type { TailProgress } from './tail-progress.ts';

/** A connection that lasted this long was a good one: the next failure is a first failure again. */
const STABLE_AFTER_MS = 10_000;

export interface TailConnectionsOptions {
  readonly source: QuerySource;
  readonly queryString: string;
  /** Without `start`. */
  readonly query: QueryOptions;
  readonly plan: Pick<TailPlan, 'onReconnect'>;
  readonly progress: TailProgress;
}

/**
 * How a tail gets its events: from the streaming endpoint, from query jobs by time of arrival, or from the result of one
 * live job, for queries whose events depend on each other.
 */
type Way = 'stream' | 'arrivals' | 'result';

/** The connections of a tail, one after the other. */
export class TailConnections<Row extends object> {
  readonly #options: TailConnectionsOptions;
  #way: Way;
  #jobTail: JobTail<Row> | undefined;
  /** Why the query can't be streamed. */
  #refusal: LogQueryException | undefined;
  #count = 0;
  #openedAt = 0;
  #attempt = 0;

  constructor(options: TailConnectionsOptions) {
    const { source, queryString } = options;
    this.#options = options;
    if (CAPABILITIES[source.service].streaming) this.#way = 'stream';
    else this.#way = joinsEvents(queryString) ? 'result' : 'arrivals';
  }

  /** What comes by the next connection. */
  open(): AsyncIterable<Row> {
    const { source, queryString, query, progress } = this.#options;
    this.#count++;
    this.#openedAt = Date.now();
    if (this.#way === 'arrivals') {
      this.#jobTail ??= new JobTail<Row>({ source, queryString, query, ...progress.forJobTail });
      return this.#jobTail.connect();
    }
    const live = { ...query, start: progress.connect() };
    if (this.#way === 'stream') {
      return source.streamingQuery<Row>(queryString, { ...live, isLive: true });
    }
    return polledEvents<Row>({ source, queryString, query: live, ...progress.forPolls });
  }

  /** Something new has come by this connection. What it repeats may be all that the service has before it fails again. */
  succeed(): void {
    this.#attempt = 0;
  }

  /**
   * Whether the connection failed for a reason that another one may not have, or needs to be of another kind.
   *
   * @throws the reason, if it is there to stay.
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

  /** Waits until it is time for the next connection. @param error what has ended the last one, if it was no good end. */
  async recover(error: unknown): Promise<void> {
    const { plan, progress, query } = this.#options;
    progress.break();
    if (Date.now() - this.#openedAt >= STABLE_AFTER_MS) this.#attempt = 0;
    const delayMs = reconnectDelayMs(this.#attempt++, error);
    plan.onReconnect({ attempt: this.#attempt, delayMs, error });
    await delay(delayMs, query.signal);
  }
}

/** Before the first connection stood, only what a quiet one looks like is no reason to give up. */
function canGoOn(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return isTransient(error) || isJobGone(error);
  return (
    error instanceof LogConnectionDroppedException || error instanceof LogTimeoutException || isJobGone(error)
  );
}

/** What a service without streaming queries does not say about a query. */
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
