import { type CallOptions, resolveCallOptions } from '../../core/http/call-options.ts';
import { requireFunction } from '../../core/option-checks.ts';
import { type QueryOptions, resolveQueryInput } from '../query/query-options.ts';

/** Options of `tail()`, `watch()` and `waitFor()`. */
export interface LiveQueryOptions
  extends CallOptions,
    Pick<QueryOptions, 'arguments' | 'numbers' | 'timeZone' | 'timeZoneOffsetMinutes'> {
  /** How far back to search, as a relative time such as `10 minutes`. */
  start?: string | undefined;
  /**
   * Called with the `error` when the connection drops or the service loses the query, before the next attempt.
   * If the function throws, the call ends with its error.
   */
  onReconnect?: ((reconnect: TailReconnect) => void) | undefined;
  /** Called when anything arrives from the service, also without events. If the function throws, the call ends with its error. */
  onAlive?: (() => void) | undefined;
}

/** A reconnection of a live query. */
export interface TailReconnect {
  /** Number of the attempt, 1 for the first after a working connection. */
  readonly attempt: number;
  /** Delay before the attempt, in milliseconds. */
  readonly delayMs: number;
  /** Error that ended the connection. */
  readonly error: unknown;
}

const OPTION_NAMES = ['start', 'timeZone', 'timeZoneOffsetMinutes', 'arguments', 'numbers'] as const;

/** The query options among a helper's options. @throws LogOptionsException for an option that is unknown or invalid. */
export function resolveLiveQueryOptions(
  owner: string,
  options: LiveQueryOptions,
  ownNames: readonly string[] = [],
): QueryOptions {
  const names = [...OPTION_NAMES, ...ownNames, 'onReconnect', 'onAlive'];
  const query: Record<string, unknown> = { ...resolveCallOptions(owner, options, names) };
  requireFunction(owner, 'onReconnect', options.onReconnect);
  requireFunction(owner, 'onAlive', options.onAlive);
  for (const name of OPTION_NAMES) {
    if (options[name] !== undefined) query[name] = options[name];
  }
  resolveQueryInput(owner, '*', { ...query, isLive: true });
  return query;
}
