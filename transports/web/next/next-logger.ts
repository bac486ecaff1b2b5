import { AsyncLocalStorage } from 'node:async_hooks';
import { fieldsOf } from '../../../src/core/fields-of.ts';
import { isError } from '../../../src/core/is-error.ts';
import { tryOr } from '../../../src/core/try-or.ts';
import { LOG_LEVELS } from '../../../src/core/wire/browser-records.ts';
import { addFields } from '../../../src/ingest/kit/record-fields.ts';
import { safeText } from '../../../src/ingest/record/safe-json.ts';
import { afterResponse } from './after-response.ts';
import type { LogLevel, LogSink } from './log-sink.ts';
import { outsideRequest } from './outside-request.ts';

/**
 * Logs a record. Never waits for delivery: records are sent after the response, before the platform freezes the process.
 *
 * @param message the message, or an error, which also becomes the field `error`. Unlike in pino, it comes first.
 * @param fields fields of the record. An error becomes the field `error`, and what has no fields the field `value`.
 */
export type LogMethod = (message: string | Error, fields?: unknown) => void;

/** Logger for route handlers, pages, actions and the proxy. */
export interface NextLogger extends Readonly<Record<LogLevel, LogMethod>> {
  /** Returns a logger that adds fields to every record. */
  child(fields: object): NextLogger;
  /** Like `Ingester.flush`. Only needed in programs without requests, such as scripts. Never rejects. */
  flush(): Promise<boolean>;
}

/** Fields of the request that is being handled. */
const requestFields = new AsyncLocalStorage<object>();

/** Runs a handler whose records get the fields of its request. */
export function withRequestFields<Result>(fields: object, handler: () => Result): Result {
  return requestFields.run(fields, handler);
}

/** @param sink opened with the first record. */
export function createNextLogger(sink: () => LogSink, lowest: LogLevel, own: object = {}): NextLogger {
  const isLogged = (level: LogLevel): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowest);
  const log = (level: LogLevel, message: string | Error, fields?: unknown): void => {
    if (!isLogged(level)) return;
    const all = {};
    const error = isError(message) ? { error: message } : {};
    const logged = tryOr(fields as object, () => fieldsOf(fields, isError(fields))); // A proxy may throw.
    for (const source of [requestFields.getStore() ?? {}, own, error, logged]) addFields(all, source);
    const text = isError(message) ? safeText(message.message || message.name) : message;
    outsideRequest(() => sink().write(level, text, all));
    afterResponse(flush);
  };
  const flush = (): Promise<boolean> => outsideRequest(() => sink().flush());
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
    child: (fields) => createNextLogger(sink, lowest, { ...own, ...fields }),
    flush,
  };
}
