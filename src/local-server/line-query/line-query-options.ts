import { refuseUnknownOptions, requireInteger } from '../../internal/option-checks.ts';
import { requireStringMap } from '../../internal/string-map.ts';
import type { TimePoint } from '../../wire/query.ts';

export interface LineQueryOptions {
  /** Start of the time range: epoch milliseconds, or a relative time such as `10 minutes`. @default no limit */
  start?: TimePoint | undefined;
  /** End of the time range, in the same formats as `start`. @default no limit */
  end?: TimePoint | undefined;
  /** IANA name of the time zone for buckets of a day or longer. @default 'UTC' */
  timeZone?: string | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string>> | undefined;
  /**
   * Approximate memory limit of the query, in bytes. It covers groups, and also events if the query needs all of them
   * at once.
   *
   * @default 536_870_912 (512 MiB)
   */
  maxBytes?: number | undefined;
}

export interface ResolvedLineQueryOptions {
  readonly start: TimePoint | undefined;
  readonly end: TimePoint | undefined;
  readonly timeZone: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

const OWNER = 'LineQuery';
const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;

/** @throws LogOptionsException */
export function resolveLineQueryOptions(options: LineQueryOptions): ResolvedLineQueryOptions {
  refuseUnknownOptions(OWNER, options, ['start', 'end', 'timeZone', 'arguments', 'maxBytes']);
  return Object.freeze({
    start: options.start,
    end: options.end,
    timeZone: options.timeZone ?? 'UTC',
    arguments: requireStringMap(OWNER, 'arguments', options.arguments ?? {}),
    maxBytes: requireInteger(OWNER, 'maxBytes', options.maxBytes ?? DEFAULT_MAX_BYTES, { min: 1 }),
  });
}
