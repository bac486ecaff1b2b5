/**
 * The winston transport:
 *
 * ```ts
 * const logger = winston.createLogger({ transports: [new LogTransport({ baseUrl, ingestToken })] });
 * ```
 */

import { setImmediate } from 'node:timers';
import { systemClock } from '../../src/core/clock.ts';
import { EventDelivery } from '../../src/ingest/kit/event-delivery.ts';
import { markTransport } from '../../src/ingest/kit/transport-mark.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { RecordQuery, RecordStreamOptions } from './record-query.ts';
import type { RecordSource } from './record-reader.ts';
import { type RecordStream, TailingRecordStream } from './record-stream.ts';
import { TransportStream } from './transport-stream.ts';
import { type LoggedRecord, type WinstonInfo, winstonEvent } from './winston-event.ts';
import { type LogTransportOptions, resolveLogTransportOptions } from './winston-options.ts';
import type { WinstonRecord } from './winston-record.ts';

export type { LogTransportDrop } from '../../src/ingest/kit/event-transport-options.ts';
export type * from '../../src/ingest/kit/public-types.ts';
export type { TraceApi } from '../../src/ingest/kit/trace-fields.ts';
export type { RecordQuery, RecordStreamOptions } from './record-query.ts';
export type { RecordStream, RecordStreamEvents } from './record-stream.ts';
export { traceFields } from './trace-format.ts';
export type { WinstonRecord } from './winston-record.ts';
export type { LogTransportOptions, RecordQueryCallback };

type RecordQueryCallback = (error: unknown, records?: WinstonRecord[]) => void;

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
  readonly #source: RecordSource;

  /** @throws LogOptionsException */
  constructor(options: LogTransportOptions = {}) {
    const { winston, delivery, source } = resolveLogTransportOptions(options);
    super(winston);
    markTransport(this);
    this.#delivery = new EventDelivery(this, delivery, winstonEvent);
    this.#source = source;
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

  /**
   * Resolves when all records logged before the call are delivered or dropped, or after `closeTimeoutMs` without
   * progress. Records then stay queued and are sent when the service is back. Never rejects.
   */
  flush(): Promise<void> {
    return this.#delivery.flush();
  }

  /**
   * Called by winston for `logger.query(options, callback)`. Reads records with the tags of this transport, or all
   * records of the repository if it has no tags. Records logged before are delivered first. Requires a `userToken` and
   * a `repository`.
   */
  query(options: RecordQuery | RecordQueryCallback | undefined, callback?: RecordQueryCallback): void {
    const answer = typeof options === 'function' ? options : callback;
    const query = typeof options === 'object' && options !== null ? options : {};
    // Errors that the callback throws do not fail the query.
    this.#readRecords(query).then(
      (records) => process.nextTick(() => answer?.(null, records)),
      (error) => process.nextTick(() => answer?.(error)),
    );
  }

  /**
   * Called by winston for `logger.stream(options)`. Emits `log` for each record from now on, or from a given time on,
   * until `destroy()`. Reads the same records as {@link query}.
   */
  stream(options: RecordStreamOptions = {}): RecordStream {
    const now = systemClock.now();
    return new TailingRecordStream(async (signal) => {
      const { tailRecords } = await loadReader();
      return tailRecords(this.#source, { ...options, now, signal });
    });
  }

  async #readRecords(options: RecordQuery): Promise<WinstonRecord[]> {
    const [{ readRecords }] = await Promise.all([loadReader(), this.flush()]);
    return readRecords(this.#source, options);
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

/** Loaded on first use: most programs only log. */
function loadReader(): Promise<typeof import('./record-reader.ts')> {
  return import('./record-reader.ts');
}

export default LogTransport;
