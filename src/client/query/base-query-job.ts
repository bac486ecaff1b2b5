import { delay } from '../../core/delay.ts';
import { LogOptionsException, LogQueryJobExpiredException } from '../../core/errors.ts';
import { type CallOptions, resolveCallOptions } from '../../core/http/call-options.ts';
import { withNumbers } from '../../core/number-columns.ts';
import { describe, requireText } from '../../core/option-checks.ts';
import type { LogEvent } from '../../core/wire/query.ts';
import {
  isGone,
  jobPath,
  type PollOptions,
  type PollRequestOptions,
  pollWaitMs,
  requestPoll,
  resolvePollOptions,
} from './poll-request.ts';
import { PollResult } from './poll-result.ts';
import { type QueryScope, withSession } from './query-endpoint.ts';

/** Neither the end of an `await using` block nor that of a program waits longer for a cleanup. */
const DISPOSE_TIMEOUT_MS = 5_000;

/**
 * A query job that runs on the service. Use `await using` or call {@link delete} to stop it when its results are no
 * longer needed.
 */
export class BaseQueryJob<Row extends object = LogEvent> {
  /** ID of the job on the service, which is also the `queryId` of its results and errors. */
  readonly id: string;
  readonly #scope: QueryScope;
  #isDeleted = false;
  #pollableAt = 0;

  /** Called by clients. To build a job from an ID, call `client.queryJob(id)`. @throws LogOptionsException */
  constructor(id: string, scope: QueryScope) {
    if (typeof scope?.webCaller?.callRest !== 'function') {
      throw new LogOptionsException(
        `QueryJob: a job needs the connection of a client (got ${describe(scope)}). Call client.queryJob(id, { isLive }).`,
      );
    }
    this.id = requireText('QueryJob', 'id', id);
    this.#scope = scope;
  }

  /** Value by which a load balancer sends all requests for this job to the node that runs it; see `client.queryJob()`. */
  get session(): string | undefined {
    return this.#scope.session;
  }

  /**
   * Waits for the complete result and returns it. Polls at the interval that the service asks for.
   *
   * `timeoutMs` limits each request. To limit the whole wait, pass `signal: AbortSignal.timeout(…)`. A request is
   * retried up to four times (see `maxRetries`), with growing delays or after `Retry-After`.
   *
   * @throws LogQueryJobExpiredException after {@link delete}, or if the service no longer knows the job
   * @throws LogQueryJobCancelledException if the service canceled the job
   */
  async poll(options: PollOptions = {}): Promise<PollResult<Row>> {
    const { onProgress, ...call } = resolvePollOptions('poll', options);
    for (;;) {
      const result = await this.peek(call);
      onProgress?.(result);
      if (result.isDone) return result;
    }
  }

  /**
   * Polls once and returns the result so far, which may be incomplete; see `isDone` and `progress` of the result. Waits
   * first if the service asked for a pause between polls.
   *
   * @throws LogQueryJobExpiredException, LogQueryJobCancelledException as {@link poll}
   */
  async peek(options: PollRequestOptions = {}): Promise<PollResult<Row>> {
    const call = resolvePollOptions('peek', options, ['onRetry']);
    const waitMs = this.#pollableAt - performance.now();
    if (waitMs > 0) await delay(waitMs, call.signal);
    if (this.deletion !== undefined) throw this.deletion;
    const { done, events, metaData, warnings } = await requestPoll(this.#scope, this.id, call);
    this.#pollableAt = performance.now() + pollWaitMs(metaData);
    const rows = (events as Row[]).map((row) => withNumbers(row, this.#scope.numbers));
    return new PollResult<Row>(rows, metaData, warnings, done, this.id);
  }

  /**
   * Deletes the job on the service. Does nothing if the job no longer exists. Retries once, because an abandoned live
   * job runs for another hour.
   */
  async delete(options: CallOptions = {}): Promise<void> {
    const scope = this.#scope;
    const call = resolveCallOptions('delete', options);
    this.#isDeleted = true;
    try {
      await scope.webCaller.readRest(
        'DELETE',
        jobPath(scope, this.id),
        withSession(scope, call),
        (response) => response.bytes(),
        { isChange: false, maxRetries: 1 },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /**
   * Deletes the job at the end of an `await using` block. Failures are ignored: the service drops idle jobs itself. Rows
   * never wait for it.
   */
  async [Symbol.asyncDispose](options: CallOptions = {}): Promise<void> {
    const signal = AbortSignal.timeout(DISPOSE_TIMEOUT_MS);
    // In the background, an error would end the program.
    await this.delete({ ...options, signal }).catch(() => {});
  }

  /** The error of polls after {@link delete}. */
  protected get deletion(): LogQueryJobExpiredException | undefined {
    if (!this.#isDeleted) return undefined;
    const message = `The program deleted the query job ${this.id}. Create a new one.`;
    return new LogQueryJobExpiredException(message, { queryId: this.id });
  }
}
