import { fieldsOf } from '../../../src/core/fields-of.ts';
import { type BrowserLogLevel, LOG_LEVELS } from '../../../src/core/wire/browser-records.ts';
import type { BrowserGlobals } from './browser-globals.ts';
import { captureErrors } from './capture-errors.ts';
import { type Counts, Delivery, type LoggerStats } from './delivery.ts';
import { isError, serialize } from './serialize.ts';

/** Fields of a record. An error becomes the field `error`, and anything else that is no object with fields the field `value`. */
export type LogFields = unknown;

/** Logs a record. An error instead of a message also becomes the field `error`. Never throws and never waits. */
export type LogMethod = (message: string | Error, fields?: LogFields) => void;

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** URL of the handler. @default '/logs' */
  url?: string | undefined;
  /** Lowest level to log. @default 'debug' */
  level?: BrowserLogLevel | undefined;
  /** Fields of every record. @default none */
  context?: object | undefined;
  /**
   * Logs uncaught errors and unhandled rejections. An error in a loop becomes one record per second with the field
   * `repeated`, the number of errors since the last record. If several loggers of a page have this option, the last one
   * logs them.
   *
   * @default false
   */
  captureErrors?: boolean | undefined;
  /** Maximum time a record waits for others, in milliseconds. @default 5_000 */
  flushIntervalMs?: number | undefined;
  /** Maximum size of the records that wait, for example while offline, in bytes. The oldest are dropped. @default 500_000 */
  maxQueueBytes?: number | undefined;
}

/** Returned by `createLogger`. */
export interface Logger extends Readonly<Record<BrowserLogLevel, LogMethod>> {
  /** Returns a logger that adds fields to every record. */
  child(fields: object): Logger;
  /**
   * Sends queued records without waiting for others. Resolves to true when they are delivered or dropped, or to false when
   * an attempt fails and is retried later. Never rejects.
   */
  flush(): Promise<boolean>;
  /** Stops capturing errors, and sends queued records like `flush()`. */
  close(): Promise<boolean>;
  /** Counters, also of child loggers. */
  readonly stats: LoggerStats;
}

const DEFAULTS = {
  url: '/logs',
  level: 'debug',
  context: {},
  captureErrors: false,
  flushIntervalMs: 5_000,
  maxQueueBytes: 500_000,
} as const;

/** Creates a logger with the APIs of a browser, which tests replace. */
export function createLoggerIn(globals: BrowserGlobals, options: LoggerOptions): Logger {
  for (const name of Object.keys(options)) {
    if (!(name in DEFAULTS)) throw new TypeError(`createLogger has no option "${name}".`);
  }
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const resolved: Required<LoggerOptions> = { ...DEFAULTS, ...Object.fromEntries(entries) };
  const lowest = (LOG_LEVELS as readonly unknown[]).indexOf(resolved.level);
  if (lowest < 0) throw new TypeError(`createLogger: "level" must be one of ${LOG_LEVELS.join(', ')}.`);
  const { location } = globals;
  const counts: Counts = { logged: 0, delivered: 0, beaconed: 0, dropped: 0 };
  const visitId = Math.random().toString(36).slice(2);
  const delivery =
    location && new Delivery(globals, { ...(resolved as Required<typeof DEFAULTS>), visitId }, counts);
  const write = (level: number, message: unknown, context: object, fields?: unknown): void => {
    if (delivery === undefined || level < lowest) return;
    try {
      const error = isError(message) ? message : undefined;
      const url = location!.origin + location!.pathname;
      const all = { url, visitId, error, ...context, ...fieldsOf(fields, isError(fields)) };
      const text = String((error as Error | undefined)?.message || message);
      const record = { timestamp: Date.now(), level: LOG_LEVELS[level], message: text, fields: all };
      delivery.add(serialize(record));
    } catch {
      delivery.lose(); // A getter or a proxy that throws.
    }
  };
  const create = (context: object): Logger => ({
    debug: (message, fields) => write(0, message, context, fields),
    info: (message, fields) => write(1, message, context, fields),
    warn: (message, fields) => write(2, message, context, fields),
    error: (message, fields) => write(3, message, context, fields),
    child: (fields) => create({ ...context, ...fields }),
    flush: async () => (delivery ? delivery.flush() : true),
    close() {
      endCapture?.();
      return this.flush();
    },
    get stats() {
      const pending = counts.logged - counts.delivered - counts.beaconed - counts.dropped;
      return { ...counts, pending };
    },
  });
  const log = create(resolved.context!);
  const endCapture = resolved.captureErrors && delivery ? captureErrors(globals, log.error) : undefined;
  return log;
}
