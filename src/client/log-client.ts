import { LogConnectionException } from '../core/errors.ts';
import { FalconCaller } from '../core/http/falcon/falcon-caller.ts';
import { FollowedServer } from '../core/http/node/followed-server.ts';
import type { WebCaller } from '../core/http/node/web-caller.ts';
import { isLogScale } from '../core/http/service-kind.ts';
import type { LogEvent } from '../core/wire/query.ts';
import { tokenCaller } from './base-client.ts';
import { type LogClientOptions, type ResolvedAuth, resolveLogClientOptions } from './client-options.ts';
import type { LiveQueryJob } from './query/live-query-job.ts';
import type { PollResult } from './query/poll-result.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import type { QueryOptions } from './query/query-options.ts';
import * as queries from './query/run-query.ts';
import type { StaticQueryJob } from './query/static-query-job.ts';
import { type StreamingQueryOptions, streamingQuery } from './query/streaming-query.ts';
import { RepositoryMethods } from './repositories.ts';
import type { LiveQueryOptions } from './tail/live-query-options.ts';
import { liveRows, tail } from './tail/tail.ts';
import type { TailOptions } from './tail/tail-options.ts';
import { type WaitForCondition, type WaitForOptions, waitFor } from './tail/wait-for.ts';
import { watch } from './tail/watch.ts';

/**
 * A client for the whole API: of Falcon LogScale with the API token of a user, or of CrowdStrike Next-Gen SIEM with
 * `auth`. To only ingest into LogScale, use {@link LogIngestClient}, which needs fewer permissions.
 *
 * Next-Gen SIEM has queries, tails and lookup files. Other methods throw a LogException with the code
 * `LOG_NOT_SUPPORTED`, which names the alternative, before anything is sent.
 *
 * Every method accepts the options `headers`, `signal`, `timeoutMs` and `maxRetries`. Invalid arguments throw a LogOptionsException
 * before anything is sent. Failed calls throw a LogHTTPException, LogConnectionException or LogTimeoutException. An
 * aborted call throws the reason of the signal.
 */
export class LogClient extends RepositoryMethods {
  /** @throws LogOptionsException */
  constructor(options: LogClientOptions = {}) {
    const { repository, auth, connection } = resolveLogClientOptions(options);
    super(openCaller(auth, connection), repository, auth.service);
  }

  // Queries

  /**
   * Creates a query job on the service, to be polled for its results. Suited for live queries and small results.
   *
   * @throws LogQueryException if the service rejects the query
   *
   * @example
   * ```ts
   * await using job = await client.createQueryJob('count()', { isLive: true });
   * const { events } = await job.poll();
   * ```
   */
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options: QueryOptions & { isLive: true },
  ): Promise<LiveQueryJob<Row>>;
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options?: QueryOptions & { isLive?: false | undefined },
  ): Promise<StaticQueryJob<Row>>;
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options?: QueryOptions,
  ): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>>;
  async createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options: QueryOptions = {},
  ): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>> {
    return queries.createQueryJob<Row>(this.scope, queryStringOf(queryString), options);
  }

  /**
   * Returns a query job that exists on the service, such as one that another process created. Sends nothing.
   *
   * @example
   * ```ts
   * const { id, session } = await client.createQueryJob('count()');
   * const { events } = await client.queryJob(id, { session }).poll();
   * ```
   */
  queryJob<Row extends object = LogEvent>(
    id: string,
    options: queries.QueryJobOptions & { isLive: true },
  ): LiveQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions & { isLive?: false | undefined },
  ): StaticQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions,
  ): StaticQueryJob<Row> | LiveQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions,
  ): StaticQueryJob<Row> | LiveQueryJob<Row> {
    return queries.queryJob<Row>(this.scope, id, options);
  }

  /**
   * Yields the rows of a query as the service finds them. Suited for large results. `timeoutMs` limits the time until
   * the response starts; for an aggregate query, it starts when the query is done. Leaving the loop stops the query.
   * For live queries, see {@link tail}.
   *
   * On Next-Gen SIEM, runs on query jobs: events are sorted oldest first, and a live query runs as a tail.
   *
   * @throws LogQueryException if the service rejects the query
   * @throws LogConnectionDroppedException if the connection drops or is silent for `idleTimeoutMs`, or if the service ends
   * a live query, which has no end.
   *
   * @example
   * ```ts
   * for await (const event of client.streamingQuery('level=error', { start: '7 days' })) console.log(event);
   * ```
   */
  streamingQuery<Row extends object = LogEvent>(
    queryString: QueryText,
    options: StreamingQueryOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    const text = queryStringOf(queryString);
    return options?.isLive === true && !isLogScale(this.service)
      ? liveRows<Row>(this, text, options)
      : streamingQuery<Row>(this.scope, text, options);
  }

  /**
   * Runs a query and returns all its rows; events are sorted newest first. Limits in the query apply, such as 200 rows
   * for `sort()` and `table()`. On LogScale, events after the newest 200 are streamed. With a `limit`, on Next-Gen SIEM, or
   * if the service can't stream them all, there is one further query per 200 events.
   *
   * Aborting the call deletes the query on the service.
   *
   * @throws LogQueryException if the service rejects the query
   * @throws LogException with the code `LOG_CANNOT_PAGE` for a query with more than 200 events that removes or may
   * write `@id` or `@timestamp`, if the service can't stream them either
   *
   * @example
   * ```ts
   * const rows = await client.query('level=error | groupBy(#service)', { start: new Date('2026-03-01') });
   * ```
   */
  async query<Row extends object = LogEvent>(
    queryString: QueryText,
    options: queries.RunQueryOptions = {},
  ): Promise<Row[]> {
    return queries.runQuery<Row>(this.scope, queryStringOf(queryString), options);
  }

  // Live results

  /**
   * Yields the events of a query as they arrive, each once, across dropped connections and restarts of the service. A
   * slow loop applies backpressure. Ends with the loop, or without an error when `signal` aborts.
   *
   * @example
   * ```ts
   * for await (const event of client.tail('level=error', { last: 10 })) console.log(event.message);
   * ```
   */
  tail<Row extends object = LogEvent>(
    queryString: QueryText,
    options: TailOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    return tail<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Yields the result of a live query, including aggregates, each time it changes. Until `isDone` is true, the service
   * is still searching existing events and the result is partial; see `progress`.
   *
   * @example
   * ```ts
   * for await (const { events } of client.watch('count()', { start: '5 minutes' })) console.log(events[0]?._count);
   * ```
   */
  watch<Row extends object = LogEvent>(
    queryString: QueryText,
    options: LiveQueryOptions = {},
  ): AsyncGenerator<PollResult<Row>, void, undefined> {
    return watch<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Waits until a query has a number of rows, or rows that meet a condition, and returns them.
   *
   * @param condition @default 1 row
   * @throws LogWaitTimeoutException with the last rows after `timeoutMs`
   *
   * @example
   * ```ts
   * const [event] = await client.waitFor('order=1042', 1, { timeoutMs: 5_000 });
   * ```
   */
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition: Exclude<WaitForCondition<Row>, number>,
    options?: WaitForOptions,
  ): Promise<Row[]>;
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition?: number,
    options?: WaitForOptions,
  ): Promise<[Row, ...Row[]]>;
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition: WaitForCondition<Row>,
    options?: WaitForOptions,
  ): Promise<Row[]>;
  async waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition?: WaitForCondition<Row>,
    options: WaitForOptions = {},
  ): Promise<Row[]> {
    return waitFor<Row>(this, queryStringOf(queryString), condition, options);
  }
}

function openCaller(auth: ResolvedAuth, connection: Parameters<typeof tokenCaller>[1]): WebCaller {
  if (auth.service === 'logscale') return tokenCaller(auth.token, connection, 'LOGSCALE_TOKEN');
  const { baseUrl, localServer, ...options } = connection;
  const { credentials } = auth;
  const followed =
    localServer &&
    new FollowedServer(localServer, ({ url, variables }) => {
      // Access tokens of Next-Gen SIEM belong to the credentials of one server.
      if (variables.FALCON_CLIENT_SECRET === credentials.clientSecret) return {};
      throw new LogConnectionException(
        `The local server at ${url} was restarted with other credentials. Restart this program.`,
      );
    });
  return new FalconCaller(baseUrl, credentials, { ...options, followed });
}
