import { type Readable, Writable, type WritableOptions } from 'node:stream';
import type { Logform } from 'winston';
import { LogOptionsException } from '../../src/core/errors.ts';
import { requireOneOf } from '../../src/core/option-checks.ts';
import type { DeliveryStream } from '../../src/ingest/kit/delivery-stream.ts';
import { type Format, runFormat } from './format-run.ts';
import { hookLogger, type Logger, type RecordTaker, unhookLogger } from './logger-hook.ts';
import { isObject, LEVEL, type LogCall, type WinstonInfo } from './winston-event.ts';

/** Options of every winston transport. */
export interface WinstonOptions {
  /** Format for this transport, applied after the logger's format. @default none */
  format?: Logform.Format | undefined;
  /** Lowest severity to send. @default the logger's level */
  level?: string | undefined;
  /** Disables the transport. @default false */
  silent?: boolean | undefined;
  /** Logs uncaught exceptions. @default false */
  handleExceptions?: boolean | undefined;
  /** Logs unhandled rejections. @default false */
  handleRejections?: boolean | undefined;
}

/** The number of records that winston formats ahead. */
const MAX_FORMATTED = 16;

const nothing = (): void => {};

/**
 * What winston requires of a transport: an object stream that passes records of its level to `log()`.
 *
 * Behaves like the class of `winston-transport`. Loads nothing, so it works with every copy of winston in the tree, in
 * bundles, and in `logclient/testing` when the program uses pino.
 */
export abstract class TransportStream
  extends (Writable as new (options: WritableOptions) => DeliveryStream)
  implements RecordTaker
{
  format?: Logform.Format;
  level?: string;
  silent?: boolean;
  handleExceptions?: boolean;
  handleRejections?: boolean;
  #logger: Logger | undefined;
  /** The latest record that winston is about to pass on, although it was taken when it was logged. */
  #expected: WinstonInfo | undefined;
  /** Earlier ones that a busy transport delays: at most as many as winston has formatted ahead. */
  readonly #delayed: WinstonInfo[] = [];
  #call: LogCall | undefined;

  constructor(options: WinstonOptions) {
    super({ objectMode: true });
    Object.assign(this, options);
    this.setMaxListeners(0); // Each of its loggers adds some.
    this.on('pipe', (logger: Readable & Logger) => {
      // Without this check, a level that the logger doesn't have sends nothing.
      if (this.level && logger.levels)
        requireOneOf('LogTransport', 'level', this.level, Object.keys(logger.levels));
      this.#logger ??= logger;
      hookLogger(logger, this);
    });
    this.on('unpipe', (logger: Readable & Logger) => {
      unhookLogger(logger, this);
      if (logger !== this.#logger) return;
      this.#logger = undefined;
      // winston passes on what it has formatted ahead when the transport is added again.
      this.#delayed.splice(0, this.#delayed.length - MAX_FORMATTED);
      this.close();
    });
  }

  abstract log(info: WinstonInfo, callback: () => void): void;

  /** Called by winston when the transport is removed from its logger. */
  abstract close(): void;

  /** The log call of the record that is being logged, if it is known. */
  protected get call(): LogCall | undefined {
    return this.#call;
  }

  take(info: WinstonInfo, call: LogCall | undefined): void {
    this.#call = call;
    try {
      this.#log(info, nothing);
    } finally {
      this.#call = undefined;
    }
  }

  expect(info: WinstonInfo): void {
    if (this.#expected !== undefined) this.#delayed.push(this.#expected);
    this.#expected = info;
  }

  /** Called by winston and by the program. Records that were taken when they were logged are not logged again. */
  override write(info: WinstonInfo, encoding?: unknown, callback?: unknown): boolean {
    if (typeof info === 'string' && this.#logger === undefined)
      throw new LogOptionsException(
        'LogTransport of logclient/winston got a string, not the record of a winston logger. For pino, use logclient/pino.',
      );
    const delayed = this.#delayed.length === 0 ? -1 : this.#delayed.indexOf(info);
    if (delayed !== -1) this.#delayed.splice(delayed, 1);
    else if (info === this.#expected) this.#expected = undefined;
    else if (this.writable) return super.write(info, encoding as BufferEncoding, callback as () => void);
    // A closed stream would emit an error, which ends the program. Here, late records are dropped and counted.
    else this.#log(info, nothing);
    return true;
  }

  override _write(info: WinstonInfo, _encoding: string, callback: () => void): void {
    this.#log(info, callback);
  }

  #log(info: WinstonInfo, callback: () => void): void {
    const format = this.format as Format | undefined;
    const isAccepted = accepts(this, this.#logger, info);
    const shown = format === undefined ? info : isAccepted && runFormat(format, { ...info }, true);
    if (isAccepted && isObject(shown)) this.log(shown, callback);
    else callback();
  }
}

/** Whether a transport of winston logs a record. */
export function accepts(
  transport: Pick<WinstonOptions, 'level' | 'silent' | 'handleExceptions'>,
  logger: Logger | undefined,
  info: WinstonInfo,
): boolean {
  if (transport.silent || (info.exception === true && !transport.handleExceptions)) return false;
  const level = transport.level || logger?.level;
  const levels = logger?.levels;
  return !level || levels === undefined || levels[level]! >= levels[info[LEVEL] as string]!;
}
