import type { BrowserLogLevel } from '../../../src/core/wire/browser-records.ts';
import type { BrowserGlobals } from './browser-globals.ts';
import { Delivery, type LoggerStats } from './delivery.ts';
import { isError, serialize, withoutQueries } from './serialize.ts';

/** Fields of a record, or an error, which becomes the field `error`. */
export type LogFields = object;

/** Logs a record. Never throws and never waits. */
export type LogMethod = (message: string, fields?: LogFields) => void;

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** URL of the handler. @default '/logs' */
  url?: string | undefined;
  /** Lowest level to log. @default 'debug' */
  level?: BrowserLogLevel | undefined;
  /** Fields of every record. @default none */
  context?: object | undefined;
  /** Logs uncaught errors and unhandled rejections. Set it for one logger of a page. @default false */
  captureErrors?: boolean | undefined;
  /** Maximum time a record waits for others, in milliseconds. @default 5_000 */
  flushIntervalMs?: number | undefined;
  /** Maximum size of the records that wait, for example while offline, in bytes. The oldest are dropped. @default 500_000 */
  maxQueueBytes?: number | undefined;
}

/** Returned by `createLogger`. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** Returns a logger that adds fields to every record. */
  child(fields: object): Logger;
  /**
   * Sends queued records without waiting for others. Resolves when they are delivered or dropped, or when an attempt
   * fails and is retried later. Never rejects.
   */
  flush(): Promise<void>;
  /** Counters, also of child loggers. */
  readonly stats: LoggerStats;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies BrowserLogLevel[];

const NO_STATS: LoggerStats = { logged: 0, delivered: 0, beaconed: 0, pending: 0, dropped: 0 };

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
  const lowest = (LEVELS as readonly unknown[]).indexOf(resolved.level);
  if (lowest < 0) throw new TypeError(`createLogger: "level" must be one of ${LEVELS.join(', ')}.`);
  const { location } = globals;
  const visitId = Math.random().toString(36).slice(2);
  const delivery = location && new Delivery(globals, { ...(resolved as Required<typeof DEFAULTS>), visitId });
  const write = (level: number, message: string, context: object, fields: object = {}): void => {
    if (delivery === undefined || level < lowest) return;
    const url = location!.origin + location!.pathname;
    try {
      const own = isError(fields) ? { error: fields } : fields;
      const all = { url, visitId, ...context, ...own };
      const record = { timestamp: Date.now(), level: LEVELS[level], message: String(message), fields: all };
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
    flush: async () => delivery?.flush(),
    get stats() {
      return delivery?.stats ?? NO_STATS;
    },
  });
  const log = create(resolved.context!);
  if (resolved.captureErrors && delivery) captureErrors(globals, log);
  return log;
}

function captureErrors(globals: BrowserGlobals, log: Logger): void {
  globals.addEventListener('error', ({ message, error, filename, lineno }) => {
    const place = { filename: withoutQueries(filename ?? ''), lineno };
    log.error(withoutQueries(message!), { origin: 'error', error: error ?? place });
  });
  globals.addEventListener('unhandledrejection', ({ reason }) => {
    const message = (reason as Error | undefined)?.message ?? reason;
    log.error(withoutQueries(`Unhandled rejection: ${message}`), {
      origin: 'unhandledrejection',
      error: reason,
    });
  });
}
