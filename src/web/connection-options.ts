import type { Dispatcher } from 'undici';
import { LogOptionsException } from '../errors.ts';
import { requireInteger } from '../internal/option-checks.ts';
import { MAX_TIMER_MS } from '../internal/timer-limit.ts';
import { resolveBaseUrl } from './base-url.ts';
import type { FetchLike } from './fetch-seam.ts';
import { resolveHeaders } from './headers.ts';

/** How to reach the service. */
export interface ConnectionOptions {
  /**
   * The address of the service. It may carry a path prefix.
   *
   * @default the environment's LOGSCALE_URL, then HUMIO_ADDRESS, then `http://localhost:3000`
   */
  baseUrl?: string | URL | undefined;
  /** An undici dispatcher: a proxy, an agent with its own CA, a mock. Excludes `fetch`. @default undici's global one */
  dispatcher?: Dispatcher | undefined;
  /** Does HTTP in place of undici: the global `fetch`, another runtime's, a local server's. Excludes `dispatcher`. */
  fetch?: FetchLike | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that one request may take, its answer's body included; `Infinity` for no limit. @default 30_000 */
  timeoutMs?: number | undefined;
}

export const CONNECTION_OPTION_NAMES = ['baseUrl', 'dispatcher', 'fetch', 'headers', 'timeoutMs'] as const;

export interface ResolvedConnectionOptions {
  /** Its path ends in a slash. */
  readonly baseUrl: URL;
  readonly dispatcher: Dispatcher | undefined;
  readonly fetch: FetchLike | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** The longest wait that a timer of the runtime can hold. */

/**
 * Checks the members of {@link ConnectionOptions} and fills in the defaults; other members are the caller's affair.
 *
 * @param owner who takes the options, for messages.
 * @throws LogOptionsException
 */
export function resolveConnectionOptions(
  owner: string,
  options: ConnectionOptions,
): ResolvedConnectionOptions {
  const { dispatcher, fetch } = options;
  if (dispatcher !== undefined && fetch !== undefined) {
    throw new LogOptionsException(`${owner}: "dispatcher" and "fetch" exclude each other; pass one of them.`);
  }
  if (dispatcher !== undefined && typeof dispatcher?.dispatch !== 'function') {
    throw new LogOptionsException(
      `${owner}: "dispatcher" must be an undici dispatcher, such as a ProxyAgent.`,
    );
  }
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new LogOptionsException(`${owner}: "fetch" must be a function.`);
  }
  return Object.freeze({
    baseUrl: resolveBaseUrl(owner, options.baseUrl),
    dispatcher,
    fetch,
    headers: resolveHeaders(owner, options.headers),
    timeoutMs: resolveTimeout(owner, options.timeoutMs, DEFAULT_TIMEOUT_MS),
  });
}

/** @throws LogOptionsException */
export function resolveTimeout(owner: string, timeoutMs: unknown, fallbackMs: number): number {
  if (timeoutMs === undefined) return fallbackMs;
  return requireInteger(owner, 'timeoutMs', timeoutMs, { min: 1, max: MAX_TIMER_MS, orInfinity: true });
}
