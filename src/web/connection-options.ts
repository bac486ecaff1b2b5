import type { Agent } from 'node:http';
import { LogOptionsException } from '../errors.ts';
import { describe, requireInteger } from '../internal/option-checks.ts';
import { MAX_TIMER_MS } from '../internal/timer-limit.ts';
import { resolveBaseUrl } from './base-url.ts';
import type { FetchLike } from './fetch-adapter.ts';
import { resolveHeaders } from './headers.ts';

/** Options for the connection to the service. */
export interface ConnectionOptions {
  /**
   * Address of the service, optionally with a path prefix.
   *
   * @default LOGSCALE_URL or HUMIO_ADDRESS from the environment, else `http://localhost:3000`
   */
  baseUrl?: string | URL | undefined;
  /**
   * `node:http` or `node:https` agent, for example an `HttpsProxyAgent` for a proxy or an agent with your own CA. Can't
   * be combined with `fetch`.
   *
   * @default a keep-alive agent shared by all clients
   */
  agent?: Agent | undefined;
  /**
   * Function that sends the requests instead of `node:http`, for example a `fetch` with a dispatcher or the `fetch` of
   * a local server. Can't be combined with `agent`.
   */
  fetch?: FetchLike | undefined;
  /** Headers added to every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Timeout for one request, including the response body, in milliseconds. `Infinity` disables it. @default 30_000 */
  timeoutMs?: number | undefined;
}

export const CONNECTION_OPTION_NAMES = ['agent', 'baseUrl', 'fetch', 'headers', 'timeoutMs'] as const;

export interface ResolvedConnectionOptions {
  /** Its path ends in a slash. */
  readonly baseUrl: URL;
  readonly agent: Agent | undefined;
  readonly fetch: FetchLike | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

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
  const { agent, fetch } = options;
  if (agent !== undefined && fetch !== undefined) {
    throw new LogOptionsException(`${owner}: "agent" and "fetch" can't be combined; pass only one.`);
  }
  if (agent !== undefined && typeof (agent as Partial<Agent> | null)?.destroy !== 'function') {
    throw new LogOptionsException(
      `${owner}: "agent" must be a node:http or node:https agent, such as an HttpsProxyAgent (got ${describe(agent)}).`,
    );
  }
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new LogOptionsException(`${owner}: "fetch" must be a function (got ${describe(fetch)}).`);
  }
  return Object.freeze({
    baseUrl: resolveBaseUrl(owner, options.baseUrl),
    agent,
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
