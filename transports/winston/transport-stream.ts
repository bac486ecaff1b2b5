import { Writable } from 'node:stream';
import type { Logform } from 'winston';
import { LEVEL, type WinstonInfo } from './winston-event.ts';

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

/** The part of a logger that decides which records a transport gets. */
interface Logger {
  readonly level?: string | undefined;
  readonly levels?: Readonly<Record<string, number>> | undefined;
}

/**
 * What winston requires of a transport: an object stream that passes records of its level to `log()`.
 *
 * Behaves like the class of `winston-transport`. Loads nothing, so it works with every copy of winston in the tree, in
 * bundles, and in `logclient/testing` when the program uses pino.
 */
export abstract class TransportStream extends Writable {
  format?: Logform.Format;
  level?: string;
  silent?: boolean;
  handleExceptions?: boolean;
  handleRejections?: boolean;
  #logger: Logger | undefined;

  constructor(options: WinstonOptions) {
    super({ objectMode: true });
    Object.assign(this, options);
    this.setMaxListeners(0); // Each of its loggers adds some.
    this.on('pipe', (logger: Logger) => {
      this.#logger ??= logger;
    });
    this.on('unpipe', (logger: Logger) => {
      if (logger !== this.#logger) return;
      this.#logger = undefined;
      this.close();
    });
  }

  abstract log(info: WinstonInfo, callback: () => void): void;

  /** Called by winston when the transport is removed from its logger. */
  abstract close(): void;

  /** Whether the record of an uncaught exception is logged. */
  protected get acceptsExceptions(): boolean {
    return this.handleExceptions === true;
  }

  override _write(info: WinstonInfo, _encoding: string, callback: () => void): void {
    if (!this.#accepts(info)) callback();
    else if (this.format) this.#logFormatted(this.format, info, callback);
    else this.log(info, callback);
  }

  #logFormatted(format: Logform.Format, info: WinstonInfo, callback: () => void): void {
    let formatted: object | boolean;
    try {
      formatted = format.transform({ ...(info as Logform.TransformableInfo) }, format.options);
    } catch (error) {
      callback(); // Otherwise the stream waits for it forever.
      throw error;
    }
    if (formatted && formatted !== true) this.log(formatted as WinstonInfo, callback);
    else callback();
  }

  #accepts(info: WinstonInfo): boolean {
    if (this.silent || (info.exception === true && !this.acceptsExceptions)) return false;
    const level = this.level || this.#logger?.level;
    const levels = this.#logger?.levels;
    return !level || levels === undefined || levels[level]! >= levels[info[LEVEL] as string]!;
  }
}

/** The most verbose level of these transports of a logger. Each can have its own; otherwise, the logger's applies. */
export function mostVerboseLevel(
  { level, levels = {} }: Logger,
  transports: readonly Pick<Logger, 'level'>[],
): string | undefined {
  const numberOf = (name: string | undefined): number => levels[name ?? ''] ?? -1;
  const used = transports.map((transport) => transport.level ?? level);
  return used.reduce((most, each) => (numberOf(each) > numberOf(most) ? each : most), used[0] ?? level);
}
