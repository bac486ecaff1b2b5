import { type CallOptions, resolveCallOptions } from '../../core/http/call-options.ts';
import type { QueryOptions } from '../query/query-options.ts';

/** Options of `tail()`, `watch()` and `waitFor()`. */
export interface LiveQueryOptions
  extends CallOptions,
    Pick<QueryOptions, 'arguments' | 'numbers' | 'timeZone' | 'timeZoneOffsetMinutes'> {
  /** How far back to search, as a relative time such as `10 minutes`. */
  start?: string | undefined;
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
  const names = [...ownNames, ...OPTION_NAMES];
  const query: Record<string, unknown> = { ...resolveCallOptions(owner, options, names) };
  for (const name of OPTION_NAMES) {
    if (options[name] !== undefined) query[name] = options[name];
  }
  return query;
}
