/**
 * The winston transport:
 *
 * ```ts
 * const logger = winston.createLogger({ transports: [new LogTransport({ baseUrl, ingestToken })] });
 * ```
 */

import { setImmediate } from 'node:timers';
import { requireOptions } from '../../src/core/option-checks.ts';
import { EventDelivery } from '../../src/ingest/kit/event-delivery.ts';
import {
  type EventTransportOptions,
  resolveEventTransportOptions,
} from '../../src/ingest/kit/event-transport-options.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { TransportStream, type WinstonOptions } from './transport-stream.ts';
import { type LoggedRecord, type WinstonInfo, winstonEvent } from './winston-event.ts';

export type { LogTransportDrop } from '../../src/ingest/kit/event-transport-options.ts';
export type * from '../../src/ingest/kit/public-types.ts';
export type { TraceApi } from '../../src/ingest/kit/trace-fields.ts';
export { traceFields } from './trace-format.ts';

/** Options of {@link LogTransport}: those of the ingester, those of every winston transport, and `worker`. */
export interface LogTransportOptions
  extends Omit<EventTransportOptions, 'format'>,
    Omit<WinstonOptions, 'format'> {
  /**
   * A winston format for this transport, applied after the logger's format; or `structured` or `hec`, the format of the
   * requests. To set both, set the winston format on the logger, or LOGSCALE_FORMAT in the environment.
   *
   * @default no winston format; requests as LOGSCALE_FORMAT in the environment says, else 'structured'
   */
  format?: WinstonOptions['format'] | EventTransportOptions['format'];
}

const OWNER = 'LogTransport';
const WINSTON_OPTIONS = ['level', 'silent', 'handleExceptions', 'handleRejections'];

/**
 * Delivers the records of a winston logger to the service. After `logger.end()`, emits `finish` when all records are
 * delivered, or dropped after `closeTimeoutMs`. Never emits `error` for delivery failures.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see {@link DeliveryEvents}. winston also emits `warn` on the logger.
 */
export class LogTransport extends TransportStream {
  /** Name of the transport in winston. */
  readonly name = 'logclient';
  readonly #delivery: EventDelivery<LoggedRecord>;

  /** @throws LogOptionsException */
  constructor(options: LogTransportOptions = {}) {
    requireOptions(OWNER, options);
    const { format, level, silent, handleExceptions, handleRejections, ...sent } = options;
    const isWinston = typeof format === 'object';
    const requests = { ...sent, format: isWinston ? undefined : format };
    const delivery = resolveEventTransportOptions(requests, OWNER, WINSTON_OPTIONS);
    super({ format: isWinston ? format : undefined, level, silent, handleExceptions, handleRejections });
    this.#delivery = new EventDelivery(this, delivery, winstonEvent);
  }

  /**
   * Counters as last reported by the worker: up to 1 s old, and exact after `flush` and `finish`. They restart when the
   * transport is added to a logger again.
   */
  get stats(): IngesterStats {
    return this.#delivery.stats;
  }

  /** Called by winston. Calls back before it returns, whatever happens to the record. */
  override log(info: WinstonInfo, callback?: () => void): void {
    this.#delivery.add({ info, call: this.call });
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info));
    callback?.();
  }

  /** Sends queued records, and resolves to whether all are settled: see `Ingester.flush`. Never rejects. */
  flush(): Promise<boolean> {
    return this.#delivery.flush();
  }

  /**
   * Called by winston when the transport is removed from its logger. Delivers queued records in the background. The
   * transport can be added to a logger again.
   */
  override close(): void {
    void this.#delivery.suspend();
  }

  override _final(callback: () => void): void {
    void this.#delivery.close().then(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#delivery.close().then(() => callback(error));
  }
}

export default LogTransport;
