// biome-ignore-all lint/suspicious/noConsole: `next dev` and `next build` show records in the terminal.
import { EventEmitter } from 'node:events';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { isError } from '../../../src/core/is-error.ts';
import type { BrowserLogLevel } from '../../../src/core/wire/browser-records.ts';
import { EventDelivery } from '../../../src/ingest/kit/event-delivery.ts';
import {
  type EventTransportOptions,
  resolveEventTransportOptions,
} from '../../../src/ingest/kit/event-transport-options.ts';
import { flush } from '../../pino/flush.ts';

/** A level of {@link NextLogger}. */
export type LogLevel = BrowserLogLevel;

/** A pino logger. */
export type PinoLogger = Readonly<Record<LogLevel, (fields: object, message: string) => void>> & {
  bindings(): object;
};

/** A winston logger. */
export interface WinstonLogger {
  log(level: string, message: string, fields: object): unknown;
  readonly transports: readonly object[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes records to their destination. */
export interface LogSink {
  write(level: LogLevel, message: string, fields: Fields): void;
  /** See `NextLogger.flush`. */
  flush(): Promise<boolean>;
}

/** Prints records. */
export const consoleSink: LogSink = {
  write(level, message, fields) {
    console[level](...(Object.keys(fields).length === 0 ? [message] : [message, fields]));
  },
  flush: async () => true,
};

/** Delivers records from the main thread, so that they are sent before a serverless platform freezes the process. */
export class DeliverySink extends EventEmitter implements LogSink {
  readonly #delivery: EventDelivery<object>;

  /** @throws LogOptionsException */
  constructor(options: EventTransportOptions) {
    super();
    const sent = { ...options, worker: false };
    const resolved = resolveEventTransportOptions(sent, 'createLogging', ['level', 'logger']);
    this.#delivery = new EventDelivery(this, resolved, (attributes: object) => ({ attributes }));
  }

  write(level: LogLevel, message: string, fields: Fields): void {
    this.#delivery.add({ ...fields, level, message });
    if (process.env.NODE_ENV === 'development') consoleSink.write(level, message, fields);
  }

  flush(): Promise<boolean> {
    return this.#delivery.flush();
  }
}

/** @throws LogOptionsException unless it is a logger of pino or winston. */
export function loggerSink(logger: PinoLogger | WinstonLogger): LogSink {
  if (typeof logger === 'object' && logger !== null) {
    if ('bindings' in logger) return pinoSink(logger);
    if ('transports' in logger) return winstonSink(logger);
  }
  throw new LogOptionsException('createLogging: "logger" must return a logger of pino or winston.');
}

function pinoSink(logger: PinoLogger): LogSink {
  return {
    write(level, message, { error, ...fields }) {
      // pino serializes errors only in its own field.
      const name = isError(error) ? 'err' : 'error';
      logger[level](error === undefined ? fields : { ...fields, [name]: error }, message);
    },
    // Fails for a logger whose stream can't be flushed.
    flush: () => flush(logger).catch(() => false),
  };
}

function winstonSink(logger: WinstonLogger): LogSink {
  return {
    write: (level, message, fields) => void logger.log(level, message, fields),
    async flush() {
      const flushed = logger.transports.map((transport) =>
        'flush' in transport && typeof transport.flush === 'function' ? transport.flush() : undefined,
      );
      return !(await Promise.all(flushed)).includes(false);
    },
  };
}
