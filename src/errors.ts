/**
 * Every exception this package throws on purpose is a {@link LogException}.
 *
 * The package ships as ESM and as CommonJS, and one process can hold both copies. `instanceof` therefore looks
 * at a brand that the copies share instead of at the identity of the class.
 */

const BRANDS = Symbol.for('logclient.exception-brands');

type Branded = { readonly [BRANDS]?: readonly string[] };

/** Gives `exceptionClass` a brand of its own and an `instanceof` that recognises it in every copy of the package. */
function brand(exceptionClass: { readonly prototype: object; readonly name: string }, name: string): void {
  const inherited = (Object.getPrototypeOf(exceptionClass.prototype) as Branded)[BRANDS] ?? [];
  Object.defineProperty(exceptionClass.prototype, BRANDS, { value: [...inherited, name] });
  Object.defineProperty(exceptionClass.prototype, 'name', {
    value: name,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(exceptionClass, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      // A caller's own subclass inherits this method but has no brand: it keeps the ordinary meaning.
      if (this !== exceptionClass) return Function.prototype[Symbol.hasInstance].call(this, candidate);
      return isBranded(candidate, name);
    },
  });
}

function isBranded(candidate: unknown, name: string): boolean {
  if (typeof candidate !== 'object' || candidate === null) return false;
  return (candidate as Branded)[BRANDS]?.includes(name) ?? false;
}

export interface LogExceptionOptions {
  /** The error that led to this one. */
  cause?: unknown;
}

/** The root of all exceptions of this package. */
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

/** The service answered, and the answer is an error (GraphQL errors come here too). `code` is `LOG_HTTP`. */
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
