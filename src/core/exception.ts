import { brand } from './brand.ts';

/** Codes of all exceptions. They are stable; messages may change. */
export type LogExceptionCode =
  | 'LOG_AUTHENTICATION'
  | 'LOG_BAD_ANSWER'
  | 'LOG_BAD_OPTION'
  | 'LOG_CANNOT_PAGE'
  | 'LOG_CLOSED'
  | 'LOG_CONNECTION'
  | 'LOG_CONNECTION_DROPPED'
  | 'LOG_ERROR'
  | 'LOG_EXISTS'
  | 'LOG_GRAPHQL'
  | 'LOG_HTTP'
  | 'LOG_INVALID'
  | 'LOG_JOB_CANCELLED'
  | 'LOG_JOB_EXHAUSTED'
  | 'LOG_JOB_EXPIRED'
  | 'LOG_NOT_AWAITED'
  | 'LOG_NOT_FOUND'
  | 'LOG_NOT_SUPPORTED'
  | 'LOG_PROXY'
  | 'LOG_QUERY'
  | 'LOG_QUERY_INVALID'
  | 'LOG_QUERY_SYNTAX'
  | 'LOG_TIMEOUT'
  | 'LOG_TOO_LARGE'
  | 'LOG_WRONG_BASE_URL';

/** What the support of the service needs to find a request in its logs. */
export interface ServiceIds {
  /** ID of the query, which for a query job is that of the job. Undefined if the service has not sent one. */
  readonly queryId?: string | undefined;
  /** ID of the request on the service (`x-cs-traceid` or `x-request-id`). Undefined if the service has not sent one. */
  readonly requestId?: string | undefined;
}

/** Frames of the installed package, and of built-in functions between them; of ours alone, all but the last. */
const OWN_FRAMES =
  /(?:\n +at .*(?:[\\/]node_modules[\\/]logclient[\\/]dist[\\/].*|\(<anonymous>\)|\(node:internal\/process\/.*))+(?=\n +at )/;

export interface LogExceptionOptions extends ServiceIds {
  /** Underlying error. */
  cause?: unknown;
}

/**
 * Base class of all exceptions of this package. Thrown directly with the code `LOG_CANNOT_PAGE` if a result can't be
 * paged, and with `LOG_NOT_SUPPORTED` for a method that needs an API which Next-Gen SIEM doesn't have.
 */
export class LogException extends Error implements ServiceIds {
  /** Stable code for programs. The message may change. */
  readonly code: LogExceptionCode;
  declare readonly queryId?: string | undefined;
  declare readonly requestId?: string | undefined;

  constructor(message: string, code: LogExceptionCode = 'LOG_ERROR', options?: LogExceptionOptions) {
    const limit: unknown = Reflect.get(Error, 'stackTraceLimit');
    // Ten frames, the default, are often all ours, which leaves none of the program.
    Reflect.set(Error, 'stackTraceLimit', Number(limit) * 3);
    super(message, options);
    Reflect.set(Error, 'stackTraceLimit', limit);
    // A program can change what a stack is.
    if (typeof this.stack === 'string') this.stack = this.stack.replace(OWN_FRAMES, '');
    this.code = code;
    // Loggers write all members.
    if (options?.queryId !== undefined) this.queryId = options.queryId;
    if (options?.requestId !== undefined) this.requestId = options.requestId;
  }
}
brand(LogException, 'LogException');

/** Invalid argument or option. Thrown before anything is sent. `code` is `LOG_BAD_OPTION`. */
export class LogOptionsException extends LogException {
  constructor(message: string, options?: LogExceptionOptions) {
    super(message, 'LOG_BAD_OPTION', options);
  }
}
brand(LogOptionsException, 'LogOptionsException');
