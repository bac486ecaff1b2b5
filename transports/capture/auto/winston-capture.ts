import { guardFormats } from '../../winston/guard-logger.ts';
import { mostVerboseLevel, TransportStream } from '../../winston/transport-stream.ts';
import type { WinstonInfo } from '../../winston/winston-event.ts';
import type { WinstonLogger, WinstonTransport } from './patch-winston.ts';

/** Captures the records of a logger that at least one transport of the program logs. */
export class WinstonCapture extends TransportStream {
  readonly name = 'logclient/auto';
  readonly #logger: WinstonLogger;
  readonly #onRecord: (info: WinstonInfo) => void;

  constructor(logger: WinstonLogger, onRecord: (info: WinstonInfo) => void) {
    super({});
    this.#logger = logger;
    this.#onRecord = onRecord;
    // Getters, because programs change transports while they run. winston's `isLevelEnabled` reads the level, too.
    Object.defineProperty(this, 'level', { get: () => mostVerboseLevel(this.#logger, this.#others()) });
    Object.defineProperty(this, 'silent', { get: () => this.#others().length === 0 });
    guardFormats(this);
  }

  protected override get acceptsExceptions(): boolean {
    return this.#others().some(({ handleExceptions }) => handleExceptions);
  }

  override log(info: WinstonInfo, callback: () => void): void {
    this.#onRecord(info);
    callback();
  }

  /** The delivery is shared with other loggers, and ends with the process. */
  override close(): void {}

  /** The transports of the program that log. */
  #others(): WinstonTransport[] {
    return this.#logger.transports.filter((transport) => transport !== this && !transport.silent);
  }
}
