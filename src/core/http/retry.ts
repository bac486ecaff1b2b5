import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import { LogConnectionDroppedException, LogHTTPException, LogTimeoutException } from '../errors.ts';
import { CERTIFICATE_CODE } from '../tls-problem.ts';
import { connectionCode, RESET_CODES } from './connection-code.ts';
import { LONGEST_RETRY_AFTER_MS } from './retry-after.ts';
import { isTransient } from './transient.ts';

/** How a request is repeated. */
export interface RetryPlan {
  /** Maximum number of retries, unless the call or the client sets another. @default 2 */
  readonly maxRetries?: number | undefined;
  /** Whether the request changes something, so that it is only repeated if the service has not run it. @default false */
  readonly isChange?: boolean | undefined;
  /** Called with each failure that is retried, before the delay. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
  /** Whether a failure is the result of the call. */
  readonly isResult?: ((error: unknown) => boolean) | undefined;
}

const BACKOFF = { firstBoundMs: 250, maxDelayMs: 4_000 };

/** The request was not sent. */
const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Statuses with which a gateway says that it has no response of the service. */
const GATEWAY: readonly unknown[] = [502, 504];

/** Adds to the error of a change without a complete response that the service may have applied the change. */
export function withDoubt(error: unknown): unknown {
  const isCut = error instanceof LogTimeoutException || error instanceof LogConnectionDroppedException;
  const isGateway = error instanceof LogHTTPException && GATEWAY.includes(error.statusCode);
  if (!isCut && !isGateway && !RESET_CODES.includes(connectionCode(error))) return error;
  const { message, stack } = error as Error;
  const doubt = `${message} The service may have applied the request: check before you repeat it.`;
  return Object.assign(error as Error, { message: doubt, stack: stack?.replace(message, () => doubt) });
}

/**
 * The delay before a request is repeated, in milliseconds: as requested by the service, or growing from at most 250 ms
 * to 4 s.
 *
 * @param failures number of earlier failures.
 * @returns undefined if the request should not be repeated, or not within `longestMs`.
 */
export function retryWaitMs(
  failures: number,
  error: unknown,
  { isChange = false, isResult }: RetryPlan,
  longestMs = LONGEST_RETRY_AFTER_MS,
): number | undefined {
  if (!isWorthRetrying(error, isChange) || isResult?.(error)) return undefined;
  if (requestedMs(error) > Math.min(longestMs, LONGEST_RETRY_AFTER_MS)) return undefined;
  return retryDelayMs(failures, error, BACKOFF);
}

/** Excludes 500, which means that the service failed to run the query, limits of the caller, and wrong certificates. */
function isWorthRetrying(error: unknown, isChange: boolean): boolean {
  const code = connectionCode(error);
  if (error instanceof LogTimeoutException || !isTransient(error) || CERTIFICATE_CODE.test(String(code)))
    return false;
  if (!(error instanceof LogHTTPException)) return !isChange || UNSENT.includes(code);
  return error.statusCode !== 500 && (!isChange || error.statusCode === 429);
}

/**
 * The delay before a retry, in milliseconds: as requested by the service, or growing with each failure.
 *
 * @param failures number of earlier failures.
 */
export function retryDelayMs(failures: number, error: unknown, backoff: BackoffOptions): number {
  return Math.max(Math.min(requestedMs(error), LONGEST_RETRY_AFTER_MS), backoffDelay(failures, backoff));
}

function requestedMs(error: unknown): number {
  return error instanceof LogHTTPException ? (error.retryAfterMs ?? 0) : 0;
}
