/** The exceptions of requests, beside those of `exception.ts`. All of this package are {@link LogException}s. */
import { brand } from './brand.ts';
import { LogException, type LogExceptionCode, type LogExceptionOptions } from './exception.ts';
import type { LogEvent } from './wire/query.ts';

export * from './exception.ts';

export interface LogHTTPExceptionDetails
  extends LogExceptionOptions,
    Pick<LogHTTPException, 'statusCode' | 'method' | 'path'>,
    Partial<Pick<LogHTTPException, 'code' | 'body' | 'retryAfterMs' | 'data'>> {}

/**
 * The service responded with an error or an unusable response. `code` is `LOG_HTTP` for an error status, or
 * `LOG_NOT_FOUND` for 404. For errors in a GraphQL response, it is `LOG_EXISTS` for a name that is already in use,
 * `LOG_NOT_FOUND`, `LOG_INVALID` for a rejected value, or `LOG_GRAPHQL` if the service doesn't say which of them it is. It is `LOG_WRONG_BASE_URL` for a web page or a redirect, `LOG_BAD_ANSWER` for a body with an unexpected format, and `LOG_AUTHENTICATION` if Next-Gen SIEM rejects the client credentials or they lack a scope.
 */
export class LogHTTPException extends LogException {
  /** 0 if the exception was created without it. */
  readonly statusCode: number;
  readonly method: string;
  /** Path of the request, without the query string. */
  readonly path: string;
  /** Start of the response body, with tokens redacted. */
  readonly body: string;
  /** Delay that the service asked for with `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * The data of a GraphQL response that has errors, too, such as the parts of a query that succeeded. Not enumerable, so
   * that loggers don't write it.
   */
  declare readonly data: unknown;

  /** @param given the status code, or the details. In tests, an exception can be faked with a message alone. */
  constructor(message: string, given: number | Partial<LogHTTPExceptionDetails> = {}) {
    const details = typeof given === 'number' ? { statusCode: given } : given;
    super(message, details.code ?? 'LOG_HTTP', details);
    this.statusCode = details.statusCode ?? 0;
    this.method = details.method ?? '';
    this.path = details.path ?? '';
    this.body = details.body ?? '';
    this.retryAfterMs = details.retryAfterMs;
    Object.defineProperty(this, 'data', { value: details.data, enumerable: false });
  }
}
brand(LogHTTPException, 'LogHTTPException');

/** The service rejected a query (status 400). The message comes from the service, without Markdown. `code` is `LOG_QUERY`. */
export class LogQueryException extends LogHTTPException {
  constructor(message: string, given: number | Partial<LogHTTPExceptionDetails> = {}) {
    const details = typeof given === 'number' ? { statusCode: given } : given;
    super(message.replace(/^```\n?/gm, '').trimEnd(), { ...details, code: 'LOG_QUERY' });
  }
}
brand(LogQueryException, 'LogQueryException');

/**
 * No response: connection refused, DNS or TLS failure, or a reset before the response. `code` is `LOG_CONNECTION`, or
 * `LOG_PROXY` if a proxy could not be reached or did not connect to the service.
 */
export class LogConnectionException extends LogException {
  constructor(message: string, options?: LogExceptionOptions & { code?: LogExceptionCode | undefined }) {
    super(message, options?.code ?? 'LOG_CONNECTION', options);
  }
}
brand(LogConnectionException, 'LogConnectionException');

/** The connection dropped mid-response, or the service was silent for too long. `code` is `LOG_CONNECTION_DROPPED`. */
export class LogConnectionDroppedException extends LogConnectionException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, { ...options, code: 'LOG_CONNECTION_DROPPED' });
  }
}
brand(LogConnectionDroppedException, 'LogConnectionDroppedException');

/** An operation exceeded its time limit. `code` is `LOG_TIMEOUT`. */
export class LogTimeoutException extends LogException {
  /** Exceeded limit in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, options?: LogExceptionOptions) {
    super(message, 'LOG_TIMEOUT', options);
    this.timeoutMs = timeoutMs;
  }
}
brand(LogTimeoutException, 'LogTimeoutException');

export interface LogWaitTimeoutDetails
  extends LogExceptionOptions,
    Pick<LogWaitTimeoutException, 'query' | 'rows' | 'timeoutMs' | 'waitedMs'> {}

/** `waitFor()` timed out. Contains the last rows. `code` is `LOG_TIMEOUT`. */
export class LogWaitTimeoutException extends LogTimeoutException {
  /** Query of `waitFor()`. */
  readonly query: string;
  /** Rows at the last successful poll. */
  readonly rows: readonly LogEvent[];
  /** Time waited, in milliseconds. */
  readonly waitedMs: number;

  constructor(message: string, { query, rows, timeoutMs, waitedMs, ...options }: LogWaitTimeoutDetails) {
    super(message, timeoutMs, options);
    this.query = query;
    this.rows = rows;
    this.waitedMs = waitedMs;
  }
}
brand(LogWaitTimeoutException, 'LogWaitTimeoutException');

/** `poll()` was called on a static query job after its last result. `code` is `LOG_JOB_EXHAUSTED`. */
export class LogQueryJobExhaustedException extends LogException {
  constructor(message = 'All results have been returned. Create a new job to run the query again.') {
    super(message, 'LOG_JOB_EXHAUSTED');
  }
}
brand(LogQueryJobExhaustedException, 'LogQueryJobExhaustedException');

/** The query job was deleted, or the service no longer knows it (404 on a poll). `code` is `LOG_JOB_EXPIRED`. */
export class LogQueryJobExpiredException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_JOB_EXPIRED', options);
  }
}
brand(LogQueryJobExpiredException, 'LogQueryJobExpiredException');

/** The service canceled the query job before it was done. `code` is `LOG_JOB_CANCELLED`. */
export class LogQueryJobCancelledException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_JOB_CANCELLED', options);
  }
}
brand(LogQueryJobCancelledException, 'LogQueryJobCancelledException');
