import { Writable } from 'node:stream';
import type { Logform } from 'winston';
import { type Format, runFormat } from './format-run.ts';
import { hookLogger, type Logger, type RecordTaker, unhookLogger } from './logger-hook.ts';
import { LEVEL, type LogCall, type WinstonInfo } from './winston-event.ts';

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

/**
 * What winston requires of a transport: an object stream that passes records of its level to `log()`.
 *
 * Behaves like the class of `winston-transport`. Loads nothing, so it works with every copy of winston in the tree, in
 * bundles, and in `logclient/testing` when the program uses pino.
 */
export abstract class TransportStream extends Writable implements RecordTaker {
  format?: Logform.Format;
  level?: string;
  silent?: boolean;
  handleExceptions?: boolean;
  handleRejections?: boolean;
  #logger: Logger | undefined;
  /** The last record that was taken when it was logged, until winston passes it on. */
  #latest: WinstonInfo | undefined;
  /** Earlier ones that winston has not passed on at once. */
  readonly #taken = new WeakSet<object>();
  #call: LogCall | undefined;

  constructor(options: WinstonOptions) {
    super({ objectMode: true });
    Object.assign(this, options);
    this.setMaxListeners(0); // Each of its loggers adds some.
    this.on('pipe', (logger: Logger) => {
      this.#logger ??= logger;
      hookLogger(logger, this);
    });
    this.on('unpipe', (logger: Logger) => {
      unhookLogger(logger, this);
      if (logger !== this.#logger) return;
      this.#logger = undefined;
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

  take(info: WinstonInfo, call: LogCall): void {
    if (this.#latest !== undefined) this.#taken.add(this.#latest);
    this.#latest = info;
    this.#call = call;
    try {
      this.#log(info, () => {});
    } finally {
      this.#call = undefined;
    }
  }

  /** Called by winston and by the program. Records that were taken when they were logged are not logged again. */
  override write(info: WinstonInfo, ...rest: unknown[]): boolean {
    if (info === this.#latest) this.#latest = undefined;
    else if (this.#taken.has(info)) return true;
    else if (this.writable) return super.write(info, ...(rest as [BufferEncoding]));
    // A closed stream would emit an error, which ends the program. Here, late records are dropped and counted.
    else this.#log(info, () => {});
    return true;
  }

  override _write(info: WinstonInfo, _encoding: string, callback: () => void): void {
    this.#log(info, callback);
  }

  #log(info: WinstonInfo, callback: () => void): void {
    const shown = accepts(this, this.#logger, info) && this.#formatted(info);
    if (typeof shown === 'object' && shown !== null) this.log(shown as WinstonInfo, callback);
    else callback();
  }

  #formatted(info: WinstonInfo): unknown {
    const { format } = this;
    return format === undefined ? info : runFormat(format as Format, { ...info }, true);
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
