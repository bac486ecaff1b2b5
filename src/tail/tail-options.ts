import { LogOptionsException } from '../errors.ts';
import { describe, requireInteger } from '../internal/option-checks.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { type LiveQueryOptions, queryOptionsOf } from './live-query-options.ts';
import { isRelative, relativeStartMs } from './relative-start.ts';

export interface TailOptions extends LiveQueryOptions {
  /**
   * How far back the tail begins: a time before now such as `10 minutes`. Excludes `since`.
   *
   * @default '1 minute', or '24 hours' together with `last`
   */
  start?: string | undefined;
  /**
   * The time of the first event: epoch milliseconds, a Date, or a relative time such as `10 minutes`. To go on where
   * another tail has ended, give it the `@timestamp` of the last event; those of the same time come again. The query
   * has to keep `@timestamp`.
   */
  since?: number | string | Date | undefined;
  /**
   * Begin with at most this many of the events that are there already, oldest first; 0 for new ones only. The query has
   * to keep `@id` and `@timestamp`, else it is refused as soon as it finds an event of the past.
   */
  last?: number | undefined;
  /**
   * How much is asked for again when a connection broke, in milliseconds. An event that arrives during a break may be
   * older than the break by that much, by its `@timestamp`, and is not missed.
   *
   * @default 30_000
   */
  overlapMs?: number | undefined;
  /** Called when the connection is lost, before the wait for a new one. What it throws ends the tail. */
  onReconnect?: ((reconnect: TailReconnect) => void) | undefined;
  /**
   * Called when events had to be skipped. What it throws ends the tail.
   *
   * @default a warning of the process
   */
  onSkip?: ((skip: TailSkip) => void) | undefined;
}

/** A tail makes a new connection. */
export interface TailReconnect {
  /** 1 for the first attempt after a connection that was good. */
  readonly attempt: number;
  /** Milliseconds to wait before it. */
  readonly delayMs: number;
  /** What ended the connection; undefined if it ended in good order, as a proxy ends a quiet one. */
  readonly error: unknown;
}

/**
 * Why events were skipped.
 *
 * - `resultLimit`: a query that can't be streamed came to more events between two looks than the service and the tail
 *   keep: all that are older than the ones shown are missing.
 * - `tooManyToRepeat`: more events came within `overlapMs` than the tail remembers, so that it asked for fewer of them
 *   again: those may be missing that arrived late while there was no connection.
 */
export type TailSkipReason = 'resultLimit' | 'tooManyToRepeat';

/** An interval of time with events that a tail may have missed. */
export interface TailSkip {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  readonly reason: TailSkipReason;
}

/** Options that are complete and checked. */
export interface TailPlan {
  readonly query: QueryOptions;
  readonly last: number | undefined;
  /** How far back the tail looks without a `sinceMs`, in milliseconds. */
  readonly startMs: number;
  /** No event is older, epoch milliseconds; `-Infinity` if there is no such bound. */
  readonly sinceMs: number;
  readonly overlapMs: number;
  readonly onReconnect: (reconnect: TailReconnect) => void;
  readonly onSkip: (skip: TailSkip) => void;
}

const OWN_NAMES = ['last', 'since', 'overlapMs', 'onReconnect', 'onSkip'] as const;
const DEFAULT_OVERLAP_MS = 30_000;

/** @throws LogOptionsException */
export function resolveTailOptions(options: TailOptions): TailPlan {
  const query = queryOptionsOf('tail', options, OWN_NAMES);
  const { last, since, overlapMs = DEFAULT_OVERLAP_MS } = options;
  if (since !== undefined && options.start !== undefined) {
    throw new LogOptionsException('tail: pass "since" or "start", not both.');
  }
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : sinceTime(since);
  const overlap = requireInteger('tail', 'overlapMs', overlapMs);
  return Object.freeze({
    query,
    last: last === undefined ? undefined : requireInteger('tail', 'last', last),
    startMs: relativeStartMs('tail', options.start ?? (last === undefined ? '1 minute' : '24 hours')),
    sinceMs,
    overlapMs: overlap,
    onReconnect: resolveHook('onReconnect', options.onReconnect) ?? (() => {}),
    onSkip: resolveHook('onSkip', options.onSkip) ?? warnOfSkip,
  });
}

function sinceTime(since: unknown): number {
  if (typeof since === 'number' && Number.isSafeInteger(since) && since >= 0) return since;
  if (since instanceof Date && !Number.isNaN(since.getTime())) return since.getTime();
  if (isRelative(since)) return Date.now() - relativeStartMs('tail', since);
  throw new LogOptionsException(
    `tail: "since" must be whole epoch milliseconds, a Date, or a relative time such as "10 minutes" (got ${describe(since)}).`,
  );
}

function resolveHook<Hook>(name: string, hook: Hook | undefined): Hook | undefined {
  if (hook === undefined || typeof hook === 'function') return hook;
  throw new LogOptionsException(`tail: "${name}" must be a function (got ${describe(hook)}).`);
}

function warnOfSkip({ from, to, reason }: TailSkip): void {
  const interval = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  process.emitWarning(`tail() may have missed events from ${interval} (${reason}).`, 'LogclientTailWarning');
}
