import { type CallOptions, resolveCallOptions } from '../../core/http/call-options.ts';
import type { QueryOptions } from '../query/query-options.ts';

/** Options of `tail()`, `watch()` and `waitFor()`. */
export interface LiveQueryOptions extends CallOptions {
  /** How far back to search, as a relative time such as `10 minutes`. */
  start?: string | undefined;
  /** Time zone name, such as `Europe/Copenhagen`. */
  timeZone?: string | undefined;
  /** Time zone offset, in minutes east of UTC. */
  timeZoneOffsetMinutes?: number | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string>> | undefined;
  /** Columns whose values become numbers, as in `query()`. @default none */
  numbers?: readonly string[] | undefined;
}

const OPTION_NAMES = ['start', 'timeZone', 'timeZoneOffsetMinutes', 'arguments', 'numbers'] as const;

/**
 * The query options among a helper's options.
 *
 * @throws LogOptionsException for an option that is unknown or invalid.
 */
export function resolveLiveQueryOptions(
  owner: string,
  options: LiveQueryOptions,
  ownNames: readonly string[] = [],
): QueryOptions {
  const query: Record<string, unknown> = {
    ...resolveCallOptions(owner, options, [...ownNames, ...OPTION_NAMES]),
  };
  for (const name of OPTION_NAMES) {
    if (options[name] !== undefined) query[name] = options[name];
  }
  return query;
}
