import { refuseUnknownOptions, requireInteger, resolveTimeout, wrongKind } from '../option-checks.ts';
import { tryOr } from '../try-or.ts';
import { resolveHeaders } from './headers.ts';

/** Options of every call to the service. */
export interface CallOptions {
  /** Additional request headers, which override those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Signal that aborts the call, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout for one HTTP request until its response starts, and then for each silence of the body, in milliseconds.
   * `Infinity` disables it. For streaming calls, it covers only the time until the response headers arrive.
   *
   * @default `timeoutMs` of the client
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries of each request after a lost connection, or status 408, 425, 429, or 502 and above. A
   * request that changes something is only retried if the service has not run it: after 429, a refused connection or a
   * failed DNS lookup. 0 turns retries off.
   *
   * @default `maxRetries` of the client; if unset, 2, or 4 for polls and pages of a query job, and 1 for deleting it
   */
  maxRetries?: number | undefined;
}

/** Member with the number of the attempt at a call that is already retried. A symbol, so that it is no option. */
export const ATTEMPT = Symbol('attempt');

/** The options of one attempt at a call. */
export interface AttemptOptions extends CallOptions {
  /** Starts at 1. Unless it is set, the request is retried. */
  readonly [ATTEMPT]?: number;
}

export const CALL_OPTION_NAMES = ['timeoutMs', 'signal', 'maxRetries', 'headers'] as const;

/**
 * Returns the {@link CallOptions} in `options`, with lower-case names of headers.
 *
 * @param owner the operation, for messages.
 * @throws LogOptionsException
 */
export function callOptionsOf(owner: string, options: CallOptions): CallOptions {
  const { headers, signal, timeoutMs, maxRetries } = options;
  if (signal !== undefined && !tryOr(false, () => typeof signal.addEventListener === 'function')) {
    throw wrongKind(owner, '"signal"', 'an AbortSignal', signal);
  }
  resolveTimeout(owner, timeoutMs, 0);
  if (maxRetries !== undefined) requireInteger(owner, 'maxRetries', maxRetries);
  const call: Record<string, unknown> = {};
  for (const name of CALL_OPTION_NAMES) if (options[name] !== undefined) call[name] = options[name];
  if (headers !== undefined) call.headers = resolveHeaders(owner, headers);
  return call;
}

/**
 * Rejects unknown options of an operation.
 *
 * @param owner the operation, for messages.
 * @param ownNames options of the operation besides {@link CallOptions}.
 * @returns the {@link CallOptions}.
 * @throws LogOptionsException
 */
export function resolveCallOptions(
  owner: string,
  options: CallOptions,
  ownNames: readonly string[] = [],
): CallOptions {
  refuseUnknownOptions(owner, options, [...ownNames, ...CALL_OPTION_NAMES]);
  return callOptionsOf(owner, options);
}
