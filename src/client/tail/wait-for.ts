import { abortable } from '../../core/abortable.ts';
import { startDeadline } from '../../core/deadline.ts';
import { LogConnectionException, LogOptionsException, LogWaitTimeoutException } from '../../core/errors.ts';
import { isError } from '../../core/is-error.ts';
import { describe, isRecord, requireOptions, resolveTimeout } from '../../core/option-checks.ts';
import type { LogEvent } from '../../core/wire/query.ts';
import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import type { PollResult } from '../query/poll-result.ts';
import { jobSnapshots } from './job-snapshots.ts';
import { type LiveQueryOptions, resolveLiveQueryOptions, type TailReconnect } from './live-query-options.ts';
import type { QuerySource } from './query-source.ts';

export interface WaitForOptions extends LiveQueryOptions {
  /** Maximum total time to wait, in milliseconds. @default 10_000 */
  timeoutMs?: number | undefined;
}

/** Minimum number of rows (for events up to 200), or a predicate on the rows. */
export type WaitForCondition<Row extends object = LogEvent> =
  | number
  | ((rows: readonly Row[]) => boolean | Promise<boolean>);

const DEFAULT_TIMEOUT_MS = 10_000;

/** See `LogClient.waitFor`. Errors of a predicate are rethrown. */
export async function waitFor<Row extends object = LogEvent>(
  source: QuerySource,
  queryString: string,
  condition: WaitForCondition<Row> = 1,
  options: WaitForOptions = {},
): Promise<Row[]> {
  requireOptions('waitFor', options, 'start');
  const { timeoutMs: limit, ...queryOptions } = options;
  const timeoutMs = resolveTimeout('waitFor', limit, DEFAULT_TIMEOUT_MS);
  const holds = resolveCondition(condition);
  const query = resolveLiveQueryOptions('waitFor', queryOptions);
  const begunAt = performance.now();
  const deadline = startDeadline({ signal: options.signal, timeoutMs, what: 'waitFor' });
  let rows: readonly Row[] | undefined;
  let failure: unknown;
  const onReconnect = (reconnect: TailReconnect): void => {
    failure = reconnect.error;
    options.onReconnect?.(reconnect);
  };
  const hooks = { onReconnect, onAlive: options.onAlive };
  const live = { source, queryString, query: { ...query, signal: deadline.signal }, ...hooks };
  try {
    for await (const result of jobSnapshots<Row>(live)) {
      rows = result.events;
      failure = undefined;
      if (await abortable(holds(result), deadline.signal)) break;
    }
    return [...(rows ?? [])];
  } catch (error) {
    if (!deadline.signal.aborted || options.signal?.aborted) throw error;
    const waitedMs = Math.ceil(performance.now() - begunAt);
    throw new LogWaitTimeoutException(timeoutMessage(condition, rows?.length, failure, waitedMs), {
      query: queryString,
      rows: (rows ?? []) as readonly LogEvent[],
      timeoutMs,
      waitedMs,
      ...(failure === undefined ? {} : { cause: failure }),
    });
  } finally {
    deadline[Symbol.dispose]();
  }
}

function resolveCondition<Row extends object>(
  condition: WaitForCondition<Row>,
): (result: PollResult<Row>) => Promise<boolean> {
  if (typeof condition === 'function') return async ({ events }) => condition(events);
  if (!Number.isInteger(condition) || condition < 1) {
    throw new LogOptionsException(
      `waitFor: the condition must be a function or a row count of at least 1 (got ${describe(condition)}). ${isRecord(condition) ? 'Pass options as the third argument: waitFor(query, 1, { … }).' : 'To wait for a count of 0, use count() and a function.'}`,
    );
  }
  return async ({ events, metadata }) => {
    if (events.length < condition && condition > PAGE_EVENTS && metadata.isAggregate === false) {
      throw new LogOptionsException(
        `waitFor: a query without an aggregate shows at most ${PAGE_EVENTS} rows, so ${condition} can never appear. Add count() to the query and wait for its value.`,
      );
    }
    return events.length >= condition;
  };
}

/** Without the query, which may contain secrets. @param rows of the last result. @param failure since then. */
function timeoutMessage(condition: unknown, rows: number | undefined, failure: unknown, waitedMs: number) {
  const goal = typeof condition === 'number' ? `${condition} row(s)` : 'a condition on the rows';
  const waited = `Waited ${waitedMs} ms for ${goal} of the query (see .query)`;
  const now = rows === undefined ? 'there is no result yet' : `it has ${rows} row(s) now`;
  if (failure === undefined) return `${waited}; ${now}.`;
  const before = rows === undefined ? now : `it had ${rows} row(s) at the last successful poll`;
  const trouble =
    failure instanceof LogConnectionException
      ? 'the service could not be reached'
      : 'the last attempt failed';
  return `${waited}; ${before}, as ${trouble}: ${isError(failure) ? failure.message : failure}`;
}
