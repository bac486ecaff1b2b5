import { rejectPair, requireFunction, requireInteger, resolveTimeout } from '../../core/option-checks.ts';
import { emitWarning } from '../../core/process-warning.ts';
import { lengthMs, requireEpochMs, requireLength } from '../../core/time-option.ts';
import type { TimeInterval } from '../query/event-slices.ts';
import { LIVE_IDLE_MS } from '../query/streaming-query.ts';
import { type LiveQueryOptions, resolveLiveQueryOptions } from './live-query-options.ts';

export interface TailOptions extends LiveQueryOptions {
  /**
   * How far back the tail starts, as a relative time such as `10 minutes`. Can't be combined with `since`.
   *
   * @default '1 minute', or `'24 hours'` with `last`
   */
  start?: string | undefined;
  /**
   * Time of the first event: epoch milliseconds, a Date, ISO 8601 with an offset, or a relative time such as `10 minutes`.
   * To continue after another tail, pass the `@timestamp` of its last event; the new tail repeats events with that
   * timestamp. The query must keep `@timestamp`.
   */
  since?: number | string | Date | undefined;
  /**
   * Maximum number of existing events to start with, oldest first. 0 returns only new events. The query must keep `@id`
   * and `@timestamp`; otherwise, the tail fails at the first existing event.
   */
  last?: number | undefined;
  /**
   * Time range to query again after a dropped connection, in milliseconds. Events that arrive during the interruption
   * are missed only if their `@timestamp` is older than the interruption by more than this.
   *
   * @default 30_000
   */
  overlapMs?: number | undefined;
  /**
   * Maximum time that the service may be silent, in milliseconds, before the tail reconnects. `Infinity` disables it.
   *
   * @default 60_000
   */
  idleTimeoutMs?: number | undefined;
  /**
   * Called when events may have been skipped. If the function throws, the tail ends with its error.
   *
   * @default a process warning (`LogclientTailWarning`)
   */
  onSkip?: ((skip: TailSkip) => void) | undefined;
}

/**
 * Reason why events were skipped.
 *
 * - `resultLimit`: for a query that can't be streamed, more events arrived between two polls than the service and the
 *   tail keep. All events older than the ones shown are missing. On Next-Gen SIEM, also more than 200 events of one
 *   millisecond without `@id` or `@timestamp`.
 * - `tooManyToRepeat`: more events arrived within `overlapMs` than the tail remembers, so it queried a shorter time
 *   range again. Events that arrived late while the connection was down may be missing.
 */
export type TailSkipReason = 'resultLimit' | 'tooManyToRepeat';

/** A time range in which a tail may have missed events. */
export interface TailSkip extends TimeInterval {
  readonly reason: TailSkipReason;
}

/** Validated options with defaults. */
export interface TailPlan extends ReturnType<typeof resolveTailOptions> {
  /** Whether the caller has reached the service before, so that the first connection is retried, too. @default false */
  readonly isResumed?: boolean;
}

const OWN_NAMES = ['last', 'since', 'overlapMs', 'idleTimeoutMs', 'onSkip'] as const;
const DEFAULT_OVERLAP_MS = 30_000;

/** @throws LogOptionsException */
export function resolveTailOptions(options: TailOptions) {
  const query = resolveLiveQueryOptions('tail', options, OWN_NAMES);
  const { last, since, overlapMs = DEFAULT_OVERLAP_MS } = options;
  rejectPair('tail', options, 'since', 'start');
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : sinceTime(since);
  return Object.freeze({
    query,
    last: last === undefined ? undefined : requireInteger('tail', 'last', last),
    /** How far back to start without `sinceMs`, in milliseconds. */
    startMs: requireLength('tail', 'start', options.start ?? (last === undefined ? '1 minute' : '24 hours')),
    /** Lower bound for the time of events, epoch milliseconds; `-Infinity` for none. */
    sinceMs,
    overlapMs: requireInteger('tail', 'overlapMs', overlapMs),
    idleTimeoutMs: resolveTimeout('tail', options.idleTimeoutMs, LIVE_IDLE_MS, 'idleTimeoutMs'),
    /** Whether `start` and the overlap of streams are times of arrival, which finds late events. */
    byArrival: (last !== undefined && since === undefined) || undefined,
    onReconnect: options.onReconnect,
    onAlive: options.onAlive,
    onSkip: requireFunction('tail', 'onSkip', options.onSkip) ?? warnOfSkip,
  });
}

function sinceTime(since: unknown): number {
  const length = lengthMs(since);
  return length === undefined ? requireEpochMs('tail', 'since', since) : Date.now() - length;
}

function warnOfSkip({ from, to, reason }: TailSkip): void {
  const interval = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  emitWarning(`tail() may have missed events from ${interval} (${reason}).`, 'LogclientTailWarning');
}
