/**
 * Logging in Next.js:
 *
 * ```ts
 * export const { log, withLogging, withProxyLogging, register, onRequestError } = createLogging({
 *   tags: { service: 'orders' },
 * });
 * ```
 */
import { LogOptionsException } from '../../../src/core/errors.ts';
import { requireOneOf, requireOptions } from '../../../src/core/option-checks.ts';
import { LOG_LEVELS } from '../../../src/core/wire/browser-records.ts';
import type { EventTransportOptions } from '../../../src/ingest/kit/event-transport-options.ts';
import { safeText } from '../../../src/ingest/record/safe-json.ts';
import {
  consoleSink,
  DeliverySink,
  type LogLevel,
  type LogSink,
  loggerSink,
  type PinoLogger,
  type WinstonLogger,
} from './log-sink.ts';
import { createNextLogger, type LogMethod, type NextLogger } from './next-logger.ts';
import { rememberOutside } from './outside-request.ts';
import { givenId, logProxy, logRequest, type ProxyResult, REQUEST_ID } from './request-logging.ts';

export type { LogTransportDrop } from '../../../src/ingest/kit/event-transport-options.ts';
export type * from '../../../src/ingest/kit/public-types.ts';
export type { IngestHandlerOptions } from '../ingest-handler/index.ts';
export { createIngestRoute } from './ingest-route.ts';
export type { LogLevel, LogMethod, NextLogger, PinoLogger, ProxyResult, WinstonLogger };

/** Options of {@link createLogging}: those of the ingester and `level`, or a `logger` of pino or winston. */
export interface NextLoggingOptions extends Omit<EventTransportOptions, 'worker'> {
  /** Lowest level to log. @default 'debug' */
  level?: LogLevel | undefined;
  /**
   * Returns a logger of pino or winston, which then writes all records. Called on first use, because `next build` also
   * loads the modules of an app but has no token. Can't be combined with options of the ingester.
   *
   * @default records are sent without another logger
   */
  logger?: (() => PinoLogger | WinstonLogger) | undefined;
}

/** Details of a failed request, which Next.js passes to `onRequestError`. */
export interface FailedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Where Next.js caught an error. */
export interface RequestErrorContext {
  readonly routerKind: string;
  readonly routePath: string;
  readonly routeType: string;
  readonly renderSource?: string | undefined;
  readonly revalidateReason?: string | undefined;
}

/** Returned by {@link createLogging}. */
export interface NextLogging {
  /** Logger for route handlers, pages, actions and the proxy. */
  readonly log: NextLogger;
  /**
   * Logs each request of a route handler, with `http.method`, `http.path`, `http.status`, `durationMs` and `requestId`.
   * Records that the handler logs get the same `requestId`: the header `x-request-id`, if it has at most 200 characters, or a random ID.
   *
   * @example
   *   export const GET = withLogging(async () => Response.json(await listOrders()));
   */
  withLogging<Args extends readonly [request: Request, ...rest: unknown[]], Result extends Response>(
    handler: (...args: Args) => Result | Promise<Result>,
  ): (...args: Args) => Promise<Result>;
  /**
   * Logs each request that reaches the proxy, and sets the header `x-request-id` of requests without one, so that all
   * records of a request have the same `requestId`. There is no `http.status` if the proxy continues to a route.
   *
   * @param handler your proxy, if you have one. If it returns nothing, the request continues. If it calls
   * `NextResponse.next`, pass `{ request }` to keep the header.
   *
   * @example
   *   export const proxy = withProxyLogging();
   */
  withProxyLogging<Args extends readonly [request: Request, ...rest: unknown[]] = [request: Request]>(
    handler?: (...args: Args) => ProxyResult | Promise<ProxyResult>,
  ): (...args: Args) => Promise<Response>;
  /** Checks the options when the server starts. Export it from `instrumentation.ts`. */
  register(): void;
  /**
   * Logs an error that Next.js caught in a page, route handler, action or proxy. Export it from `instrumentation.ts`.
   * The record has the fields `error`, with its `digest`, `requestId`, `http.method`, `http.path`, `routerKind`, `routePath`,
   * `routeType`, `renderSource` and `revalidateReason`.
   */
  onRequestError(error: unknown, request: FailedRequest, context: RequestErrorContext): void;
}

/**
 * Creates a logger for a Next.js app and the functions that log its requests and errors. Nothing is opened until the
 * first record. During `next build`, records are printed instead of sent; during `next dev`, they are printed and sent.
 *
 * @throws LogOptionsException, also on first use and from `register`.
 */
export function createLogging(options: NextLoggingOptions = {}): NextLogging {
  requireOptions('createLogging', options);
  const level = requireOneOf('createLogging', 'level', options.level ?? 'debug', LOG_LEVELS);
  let opened: LogSink | undefined;
  const sink = (): LogSink => (opened ??= openSink(options));
  const log = createNextLogger(sink, level);
  return {
    log,
    withLogging:
      (handler) =>
      (...args) =>
        logRequest(log, args[0], () => handler(...args)),
    withProxyLogging:
      (handler) =>
      (...args) =>
        logProxy(log, args[0], () => handler?.(...args)),
    register() {
      rememberOutside();
      sink();
    },
    onRequestError: (error, request, context) => logRequestError(log, error, request, context),
  };
}

function openSink({ level: _, logger, ...options }: NextLoggingOptions): LogSink {
  if (process.env.NEXT_PHASE === 'phase-production-build') return consoleSink;
  if (logger === undefined) return new DeliverySink(options);
  const [other] = Object.keys(options);
  if (other !== undefined) {
    throw new LogOptionsException(
      `createLogging: "logger" and "${other}" can't be combined. Pass "${other}" to the transport of the logger.`,
    );
  }
  if (typeof logger !== 'function') {
    throw new LogOptionsException('createLogging: "logger" must be a function that returns the logger.');
  }
  return loggerSink(logger());
}

function logRequestError(
  log: NextLogger,
  error: unknown,
  { method, path, headers }: FailedRequest,
  context: RequestErrorContext,
): void {
  const { message, name } = Object(error) as { message?: unknown; name?: unknown };
  const { routerKind, routePath, routeType, renderSource, revalidateReason } = context;
  const requestId = givenId(headers[REQUEST_ID]?.toString());
  log.error(safeText(message || name || error), {
    error,
    requestId,
    http: { method, path: path.split('?', 1)[0] },
    routerKind,
    routePath,
    routeType,
    renderSource,
    revalidateReason,
  });
}
