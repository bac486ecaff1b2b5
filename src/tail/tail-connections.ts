import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { isTransient } from '../web/transient.ts';
import { isJobGone } from './job-gone.ts';
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

/** The connections of a tail, one after the other: streams, or live jobs for a query that can't be streamed. */
export class TailConnections<Row extends object> {
  readonly #options: TailConnectionsOptions;
  /** Why the query can't be streamed; from then on live jobs take its place. */
  #refusal: LogQueryException | undefined;
  #count = 0;
  #openedAt = 0;
  #attempt = 0;

  constructor(options: TailConnectionsOptions) {
    this.#options = options;
  }

  /** What comes by the next connection. */
  open(): AsyncIterable<Row> {
    const { source, queryString, query, progress } = this.#options;
    this.#count++;
    this.#openedAt = Date.now();
    const live = { ...query, start: progress.connect() };
    if (this.#refusal === undefined) {
      return source.streamingQuery<Row>(queryString, { ...live, isLive: true });
    }
    return polledEvents<Row>({ source, queryString, query: live, ...progress.forPolls });
  }

  /** Something new has come by this connection. What it repeats may be all that the service has before it fails again. */
  succeed(): void {
    this.#attempt = 0;
  }

  /**
   * Whether the connection failed for a reason that another one may not have. What can't be streamed is polled.
   *
   * @throws the reason, if it is there to stay.
   */
  diagnose(error: unknown): 'lost' | 'notStreamed' {
    const isRefused = error instanceof LogQueryException;
    if (this.#count === 1 && isRefused) {
      this.#refusal = error;
      return 'notStreamed';
    }
    const isFirstPoll = this.#count === 2;
    if (this.#refusal !== undefined && (error instanceof NoEventsError || (isFirstPoll && isRefused))) {
      throw withHint(this.#refusal, error);
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

/** @param error what a live job says to a query that can't be streamed. */
function withHint(refusal: LogQueryException, error: Error): LogQueryException {
  if (!(error instanceof NoEventsError) && !/aggregat|live/i.test(refusal.message)) return refusal;
  const { statusCode, method, path, body } = refusal;
  return new LogQueryException(
    `${refusal.message}\ntail() needs a query whose rows are events, with their @id. Use watch() for other queries.`,
    { statusCode, method, path, body, cause: refusal },
  );
}
