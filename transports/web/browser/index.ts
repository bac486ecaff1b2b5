/**
 * Logs from a web page to `logclient/ingest-handler` in your server:
 *
 * ```ts
 * const log = createLogger({ url: '/logs', captureErrors: true });
 * log.info('checkout started', { items: 3 });
 * ```
 */
import type { BrowserGlobals } from './browser-globals.ts';
import { createLoggerIn, type Logger, type LoggerOptions } from './logger.ts';

export type { BrowserLogLevel } from '../../../src/core/wire/browser-records.ts';
export type { LoggerStats } from './delivery.ts';
export type { LogFields, Logger, LoggerOptions, LogMethod } from './logger.ts';

/**
 * Creates a logger for a web page or a web worker. Each record has the fields `level`, `message`, `url` (without query
 * string and fragment) and `visitId` (the same for all records of a page). Outside of a browser, such as during
 * server-side rendering, it does nothing.
 *
 * @throws TypeError for invalid options.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  return createLoggerIn(globalThis as unknown as BrowserGlobals, options);
}
