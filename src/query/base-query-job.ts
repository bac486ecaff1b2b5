import {
  LogException,
  LogHTTPException,
  LogQueryJobCancelledException,
  LogQueryJobExpiredException,
} from '../errors.ts';
import { delay } from '../internal/delay.ts';
import type { CallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import { badAnswer, type WebResponse } from '../web/web-response.ts';
import type { LogEvent, QueryJobPoll, QueryMetadata } from '../wire/query.ts';
import { PollResult } from './poll-result.ts';
import { type QueryScope, withSession } from './query-endpoint.ts';

/** A job that nobody polls is dropped, by some editions of the service after 30 s. */
const MAX_POLL_WAIT_MS = 25_000;

/** Where the service says nothing. */
const DEFAULT_POLL_WAIT_MS = 1_000;

/** Somebody waits for the end of a block, for something that matters little. */
const DISPOSE_TIMEOUT_MS = 5_000;

/** A floor under what the service says, so that a 0 does not make us spin. */
const MIN_POLL_WAIT_MS = 5;

/**
 * A query that runs on the service. Use `await using`, or call {@link delete}, so that it doesn't go on there when
 * nobody wants its results any more.
 */
export abstract class BaseQueryJob<Row extends LogEvent = LogEvent> {
  /** The service's id of the job. */
  readonly id: string;
  readonly #scope: QueryScope;
  #pollableAt = 0;

  constructor(id: string, scope: QueryScope) {
    this.id = id;
    this.#scope = scope;
  }

  /**
   * Waits until the service has a complete result, and returns it. Polls as often as the service asks for.
   *
   * `timeoutMs` limits each request; to limit the whole wait pass `signal: AbortSignal.timeout(…)`.
   *
   * @throws LogQueryJobExpiredException if the service no longer knows the job
   * @throws LogQueryJobCancelledException if the service gave the job up
   */
  abstract poll(options?: CallOptions): Promise<PollResult<Row>>;

  /** Deletes the job on the service. A job that is gone already is fine. */
  async delete(options: CallOptions = {}): Promise<void> {
    try {
      const response = await this.#scope.webCaller.callRest(
        'DELETE',
        this.#path,
        withSession(this.#scope, options),
      );
      await response.bytes();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Deletes the job at the end of an `await using` block. Failures are ignored: the service drops idle jobs itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.delete({ timeoutMs: DISPOSE_TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof LogException)) throw error;
    }
  }

  /** Polls until the service says that the result is complete. */
  protected async pollUntilComplete(options: CallOptions): Promise<PollResult<Row>> {
    for (;;) {
      const waitMs = this.#pollableAt - performance.now();
      if (waitMs > 0) await delay(waitMs, options.signal);
      const { done, cancelled, events, metaData, warnings } = await this.#pollOnce(options);
      this.#pollableAt = performance.now() + pollWaitMs(metaData);
      if (cancelled) {
        throw new LogQueryJobCancelledException(`The service cancelled the query job ${this.id}.`);
      }
      if (done) return new PollResult<Row>(events as Row[], metaData, warnings);
    }
  }

  async #pollOnce(options: CallOptions): Promise<QueryJobPoll> {
    try {
      const response = await this.#scope.webCaller.callRest(
        'GET',
        this.#path,
        withSession(this.#scope, options),
      );
      return requirePoll(response, await response.json());
    } catch (error) {
      if (!isGone(error)) throw error;
      throw new LogQueryJobExpiredException(
        `The service no longer knows the query job ${this.id}: it expired, was deleted, or the service restarted. Create a new one.`,
        { cause: error },
      );
    }
  }

  get #path(): string {
    return path`repositories/${this.#scope.repository}/queryjobs/${this.id}`;
  }
}

function pollWaitMs({ pollAfter }: QueryMetadata): number {
  if (typeof pollAfter !== 'number') return DEFAULT_POLL_WAIT_MS;
  return Math.min(Math.max(pollAfter, MIN_POLL_WAIT_MS), MAX_POLL_WAIT_MS);
}

/** Something else than the service, such as a proxy, can answer in JSON too. */
function requirePoll(response: WebResponse, answer: unknown): QueryJobPoll {
  const { done, events, metaData } = (answer ?? {}) as Partial<QueryJobPoll>;
  if (
    typeof done === 'boolean' &&
    Array.isArray(events) &&
    typeof metaData === 'object' &&
    metaData !== null
  ) {
    return answer as QueryJobPoll;
  }
  throw badAnswer(response, 'The answer to the poll of a query job has no result in it.');
}

/** A web page with status 404 comes from somewhere else than the service. */
function isGone(error: unknown): boolean {
  return error instanceof LogHTTPException && error.statusCode === 404 && error.code === 'LOG_HTTP';
}
