import { LogException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { LogEvent } from '../wire/query.ts';
import { isGone, jobPath, type PollRequestOptions, pollWaitMs, requestPoll } from './poll-request.ts';
import { PollResult } from './poll-result.ts';
import { type QueryScope, withSession } from './query-endpoint.ts';
import { repeated } from './repeated.ts';

/** Somebody waits for the end of a block, for something that matters little. */
const DISPOSE_TIMEOUT_MS = 5_000;

/** How to wait for a complete result. */
export interface PollOptions extends PollRequestOptions {
  /** Called with each answer of the service, the last one included; see its `progress`. What it throws is passed on. */
  onProgress?: ((result: PollResult<object>) => void) | undefined;
}

/**
 * A query that runs on the service. Use `await using`, or call {@link delete}, so that it doesn't go on there when
 * nobody wants its results any more.
 */
export abstract class BaseQueryJob<Row extends object = LogEvent> {
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
   * `timeoutMs` limits each request; to limit the whole wait pass `signal: AbortSignal.timeout(…)`. A request whose
   * connection fails, or that is answered with 408, 425, 429 or 502 and above, is sent again up to four times, with
   * growing waits or those that `Retry-After` asks for.
   *
   * @throws LogQueryJobExpiredException if the service no longer knows the job
   * @throws LogQueryJobCancelledException if the service gave the job up
   */
  abstract poll(options?: PollOptions): Promise<PollResult<Row>>;

  /**
   * What the service has found so far, which may not be all of it: see `isDone` and `progress` of the result. Asks once,
   * but not sooner than the service likes to be asked again.
   *
   * @throws LogQueryJobExpiredException, LogQueryJobCancelledException as {@link poll}
   */
  async peek(options: PollRequestOptions = {}): Promise<PollResult<Row>> {
    const waitMs = this.#pollableAt - performance.now();
    if (waitMs > 0) await delay(waitMs, options.signal);
    const { done, events, metaData, warnings } = await requestPoll(this.#scope, this.id, options);
    this.#pollableAt = performance.now() + pollWaitMs(metaData);
    return new PollResult<Row>(events as Row[], metaData, warnings, done);
  }

  /**
   * Deletes the job on the service. A job that is gone already is fine. Asked once more if the first request fails as
   * the requests of {@link poll} may, for a live job that is left behind runs on for an hour.
   */
  async delete(options: CallOptions = {}): Promise<void> {
    const scope = this.#scope;
    const call = withSession(scope, options);
    try {
      await repeated(
        async () => (await scope.webCaller.callRest('DELETE', jobPath(scope, this.id), call)).bytes(),
        { maxRepeats: 1, maxWaitMs: 1_000, signal: options.signal },
      );
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
  protected async pollUntilComplete({ onProgress, ...call }: PollOptions): Promise<PollResult<Row>> {
    for (;;) {
      const result = await this.peek(call);
      onProgress?.(result);
      if (result.isDone) return result;
    }
  }
}
