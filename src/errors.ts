/** Every exception that this package throws on purpose is a {@link LogException}. */
import { brand } from './internal/brand.ts';
import type { LogEvent } from './wire/query.ts';

export interface LogExceptionOptions {
  /** The error that led to this one. */
  cause?: unknown;
}

/**
 * The root of all exceptions of this package. Itself thrown with the code `LOG_NOT_FOUND` for a repository or view that
 * is not there, and `LOG_CANNOT_PAGE` for results that the service can't continue.
 */
export class LogException extends Error {
  /** Stable, for programs; the message is for people and may change. */
  readonly code: string;

  constructor(message: string, code = 'LOG_ERROR', options?: LogExceptionOptions) {
    super(message, options);
    this.code = code;
  }
}
brand(LogException, 'LogException');

/** An argument or option that can't be used. Thrown before anything is sent. `code` is `LOG_BAD_OPTION`. */
export class LogOptionsException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_BAD_OPTION', options);
  }
}
brand(LogOptionsException, 'LogOptionsException');

export interface LogHTTPExceptionDetails extends LogExceptionOptions {
  code?: string;
  statusCode: number;
  method: string;
  /** Without the query string. */
  path: string;
  /** The beginning of the answer's body, cleared of tokens. */
  body?: string;
  retryAfterMs?: number;
}

/**
 * The service answered, and the answer is an error or can't be used. `code` is `LOG_HTTP` for a status that is no
 * success, `LOG_GRAPHQL` for errors inside an answer, `LOG_WRONG_BASE_URL` for a web page or a redirect,
 * and `LOG_BAD_ANSWER` for a body that is not what was asked for.
 */
export class LogHTTPException extends LogException {
  readonly statusCode: number;
  readonly method: string;
  /** The path that was called, without its query string. */
  readonly path: string;
  /** The beginning of the answer's body. */
  readonly body: string;
  /** How long the service asked us to wait, in milliseconds, when it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: LogHTTPExceptionDetails) {
    super(message, details.code ?? 'LOG_HTTP', 'cause' in details ? { cause: details.cause } : undefined);
    this.statusCode = details.statusCode;
    this.method = details.method;
    this.path = details.path;
    this.body = details.body ?? '';
    this.retryAfterMs = details.retryAfterMs;
  }
}
brand(LogHTTPException, 'LogHTTPException');

/** The service refused the text of a query (status 400); the message is the service's own. `code` is `LOG_QUERY`. */
export class LogQueryException extends LogHTTPException {
  constructor(message: string, details: LogHTTPExceptionDetails) {
    super(message, { ...details, code: 'LOG_QUERY' });
  }
}
brand(LogQueryException, 'LogQueryException');

/** No answer came: refused, DNS, TLS, or a connection reset before the answer. `code` is `LOG_CONNECTION`. */
export class LogConnectionException extends LogException {
  constructor(message: string, options?: LogExceptionOptions & { code?: string }) {
    super(message, options?.code ?? 'LOG_CONNECTION', options);
  }
}
brand(LogConnectionException, 'LogConnectionException');

/** An answer broke off after it had begun. `code` is `LOG_CONNECTION_DROPPED`. */
export class LogConnectionDroppedException extends LogConnectionException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, { ...options, code: 'LOG_CONNECTION_DROPPED' });
  }
}
brand(LogConnectionDroppedException, 'LogConnectionDroppedException');

/** Something took longer than allowed. `code` is `LOG_TIMEOUT`. */
export class LogTimeoutException extends LogException {
  /** The limit that was passed, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, options?: LogExceptionOptions) {
    super(message, 'LOG_TIMEOUT', options);
    this.timeoutMs = timeoutMs;
  }
}
brand(LogTimeoutException, 'LogTimeoutException');

export interface LogWaitTimeoutDetails extends LogExceptionOptions {
  query: string;
  rows: readonly LogEvent[];
  timeoutMs: number;
  waitedMs: number;
}

/** `waitFor()` gave up. Carries what there was to see at the end. `code` is `LOG_TIMEOUT`. */
export class LogWaitTimeoutException extends LogTimeoutException {
  /** The query that was waited for. */
  readonly query: string;
  /** Its rows when it was last looked at. */
  readonly rows: readonly LogEvent[];
  /** How long it was waited for, in milliseconds. */
  readonly waitedMs: number;

  constructor(message: string, { query, rows, timeoutMs, waitedMs, ...options }: LogWaitTimeoutDetails) {
    super(message, timeoutMs, options);
    this.query = query;
    this.rows = rows;
    this.waitedMs = waitedMs;
  }
}
brand(LogWaitTimeoutException, 'LogWaitTimeoutException');

/** `poll()` on a static query job whose results have all been returned. `code` is `LOG_JOB_EXHAUSTED`. */
export class LogQueryJobExhaustedException extends LogException {
  constructor(
    message = 'All results of this query job have been returned. Create a new job to run the query again.',
  ) {
    super(message, 'LOG_JOB_EXHAUSTED');
  }
}
brand(LogQueryJobExhaustedException, 'LogQueryJobExhaustedException');

/** The service no longer knows the query job (404 on a poll). `code` is `LOG_JOB_EXPIRED`. */
export class LogQueryJobExpiredException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_JOB_EXPIRED', options);
  }
}
brand(LogQueryJobExpiredException, 'LogQueryJobExpiredException');

/** The service cancelled the query job before it was done. `code` is `LOG_JOB_CANCELLED`. */
export class LogQueryJobCancelledException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_JOB_CANCELLED', options);
  }
}
brand(LogQueryJobCancelledException, 'LogQueryJobCancelledException');
