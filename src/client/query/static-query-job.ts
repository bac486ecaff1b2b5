import { LogQueryJobExhaustedException } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { LogEvent, QueryInput } from '../../core/wire/query.ts';
import { BaseQueryJob } from './base-query-job.ts';
import { newQueryJob } from './new-query-job.ts';
import { OlderEvents } from './older-events.ts';
import { POLL_RETRIES, type PollOptions, resolvePollOptions } from './poll-request.ts';
import { PollResult } from './poll-result.ts';
import type { QueryScope } from './query-endpoint.ts';

/** A query job over a fixed time range. */
export class StaticQueryJob<Row extends object = LogEvent> extends BaseQueryJob<Row> {
  readonly #scope: QueryScope;
  readonly #input: QueryInput | undefined;
  /** The start of a part depends on the previous one. */
  readonly #turns = new Mutex();
  /** The first part, after it was polled. */
  #newest: PollResult<Row> | undefined;
  #older: OlderEvents | undefined;
  #isExhausted = false;

  constructor(id: string, scope: QueryScope, input?: QueryInput) {
    super(id, scope);
    this.#scope = scope;
    this.#input = input;
  }

  /** True if {@link poll} may return another part. */
  get hasMore(): boolean {
    return !this.#isExhausted && this.deletion === undefined;
  }

  /**
   * Returns the next part of the result. An aggregate query has one part. A filter query has the newest 200 events in
   * its first part and older ones in the following parts; the query runs again for each. The last part can be empty.
   * Concurrent calls return consecutive parts.
   *
   * @throws LogQueryJobExhaustedException after the last part.
   */
  override async poll(options: PollOptions = {}): Promise<PollResult<Row>> {
    const result = await this.#pollNext(resolvePollOptions('poll', options));
    if (result === undefined) throw new LogQueryJobExhaustedException();
    return result;
  }

  /** Yields all parts of the result. Each matching event appears once. */
  async *pollUntilDone(options: PollOptions = {}): AsyncGenerator<PollResult<Row>, void, undefined> {
    const call = resolvePollOptions('pollUntilDone', options);
    yield await this.poll(call);
    for (;;) {
      const result = await this.#pollNext(call);
      if (result === undefined) return;
      if (result.events.length > 0) yield result;
    }
  }

  /** The query, if it is known. The service reports it without the values of its parameters. */
  get #query(): QueryInput | undefined {
    const reported = this.#newest?.metadata.filterQuery;
    return this.#input ?? (/\?[\w{]/.test(String(reported?.queryString)) ? undefined : reported);
  }

  /** The next part; undefined if there is none. */
  #pollNext(options: PollOptions): Promise<PollResult<Row> | undefined> {
    return this.#turns.run(async () => {
      if (this.#isExhausted) return undefined;
      if (this.deletion !== undefined) throw this.deletion;
      return this.#newest === undefined ? this.#pollNewest(options) : this.#pollOlder(this.#newest, options);
    }, options.signal);
  }

  async #pollNewest(options: PollOptions): Promise<PollResult<Row>> {
    this.#newest = await super.poll(options);
    // The events around a known one are a separate result, not the newest of a larger one.
    const { isAggregate, extraData } = this.#newest.metadata;
    const hasMore = !isAggregate && String(extraData?.hasMoreEvents) === 'true';
    this.#isExhausted = this.#query?.around !== undefined || !hasMore;
    return this.#newest;
  }

  async #pollOlder(
    newest: PollResult<Row>,
    { onProgress, onRetry, ...options }: PollOptions,
  ): Promise<PollResult<Row>> {
    this.#older ??= OlderEvents.than(newest, this.#query);
    const older = this.#older;
    const make = (id: string): BaseQueryJob<Row> => new BaseQueryJob<Row>(id, this.#scope);
    const plan = { ...POLL_RETRIES, onRetry };
    const job = await newQueryJob(this.#scope, older.nextInput, options, make, plan);
    try {
      const onPart = (part: PollResult<object>): void => {
        if (!part.isDone) onProgress?.(part);
      };
      const polled = await job.poll({ ...options, onRetry, onProgress: onPart });
      const { events, metadata, warnings, isDone, queryId } = polled;
      const unseen = older.unseen(events);
      const result = new PollResult(unseen, metadata, warnings, isDone, queryId);
      onProgress?.(result);
      older.remember(unseen);
      // `hasMoreEvents` is about the service's buffer, and can stay true forever.
      if (unseen.length === 0) this.#isExhausted = true;
      return result;
    } finally {
      void job[Symbol.asyncDispose](options);
    }
  }
}
