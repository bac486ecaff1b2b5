import { RESTART_ADVICE } from '../../core/discovery/local-servers.ts';
import { UNPROVEN } from '../../core/discovery/server-proof.ts';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../core/errors.ts';
import { connectionCode, RESET_CODES } from '../../core/http/connection-code.ts';
import { isTransient } from '../../core/http/transient.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { classifyHecRejection } from './hec-response.ts';
import { type FailedOutcome, timeoutReason } from './sender.ts';

/** Request timeout, gateway timeout. */
const TIMEOUTS: readonly number[] = [408, 504];

const HEC_ADVICE = 'Check the API key or token, the address of the event collector, and proxy credentials.';
const SCHEME_ADVICE = `${HEC_ADVICE} The authorization schemes Bearer and Splunk were both tried.`;

/** Whether a failed request is worth another attempt. */
export function classifyError(error: unknown, options: ResolvedIngesterOptions): FailedOutcome {
  if (error instanceof LogHTTPException) return classifyResponse(error, options.hec !== undefined);
  if (error instanceof LogTimeoutException) {
    const reason = timeoutReason(error.timeoutMs, options);
    return { kind: 'retryable', dependsOn: 'size', reason, error };
  }
  if (options.localServer !== undefined && error instanceof LogConnectionException) {
    return {
      kind: 'retryable',
      reason: error.message.replace(` ${RESTART_ADVICE}`, ''),
      advice: RESTART_ADVICE,
      error,
      needsAttention: connectionCode(error) === UNPROVEN,
    };
  }
  // No connection, or a custom `fetch` that fails in its own way: not the fault of the records.
  const reason = error instanceof Error ? error.message : 'unknown error';
  // Firewalls respond with what is not HTTP.
  const isUnreadable = /^HPE_|^UND_ERR_HEADERS_OVERFLOW/.test(String(connectionCode(error)));
  const dependsOn = isReset(error) || isUnreadable ? 'records' : undefined;
  return { kind: 'retryable', dependsOn, reason, error };
}

/** Whether the service closed the connection without a response. */
export function isReset(error: unknown): boolean {
  return RESET_CODES.includes(connectionCode(error));
}

function classifyResponse(error: LogHTTPException, isHec: boolean): FailedOutcome {
  const { statusCode, retryAfterMs, message: reason } = error;
  const isRateLimited = statusCode === 429;
  const isAboutTime = TIMEOUTS.includes(statusCode);
  const dependsOn =
    isRateLimited || retryAfterMs !== undefined ? undefined : isAboutTime ? 'size' : 'records';
  const failure: FailedOutcome = { kind: 'retryable', dependsOn, reason, error, retryAfterMs, isRateLimited };
  if (isTransient(error)) return failure;
  // Too large, bad request, unprocessable: may concern only some of the records. Others come from a wrong token or address,
  // or from a proxy or firewall. These also respond with web pages.
  const isRefused = (statusCode === 400 || statusCode === 422) && error.code !== 'LOG_WRONG_BASE_URL';
  if (statusCode !== 413 && !isRefused) {
    // The message says what to check, except for the token of a collector.
    const isNamed = error.code === 'LOG_WRONG_BASE_URL' || (statusCode === 401 && !isHec);
    const hecAdvice = statusCode === 401 ? SCHEME_ADVICE : HEC_ADVICE;
    return { ...failure, needsAttention: true, advice: isNamed ? '' : isHec ? hecAdvice : undefined };
  }
  if (isHec && statusCode === 400) return classifyHecRejection(error.body, reason, error);
  return { kind: 'rejected', statusCode, reason, error };
}
