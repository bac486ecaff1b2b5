/**
 * The winston transport:
 *
 * ```ts
 * const logger = winston.createLogger({ transports: [new LogTransport({ baseUrl, ingestToken })] });
 * ```
 */

import { watchSignals } from '../../src/ingest/process/process-signals.ts';
import { eventText } from '../../src/ingest/record/ingest-event.ts';
import { TagWriter } from '../../src/ingest/record/tags.ts';
import { NO_RECORDS } from '../../src/ingest/report/combined-stats.ts';
import { DeliveryEmitter } from '../../src/ingest/report/delivery-emitter.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { openLineSink } from '../../src/ingest/worker/open-line-sink.ts';
import { systemClock } from '../../src/internal/clock.ts';
import { eventLineMapper } from './event-line.ts';
import { type EventSink, InProcessSink, WorkerSink } from './event-sink.ts';
import { guardFormats } from './guard-logger.ts';
import type { RecordQuery, RecordStreamOptions } from './record-query.ts';
import { RecordStream } from './record-stream.ts';
import { TransportStream } from './transport-stream.ts';
import { type WinstonInfo, winstonEvent } from './winston-event.ts';
import {
  type LogTransportDrop,
  type LogTransportOptions,
  type ResolvedLogTransportOptions,
  resolveLogTransportOptions,
} from './winston-options.ts';
import type { WinstonRecord } from './winston-record.ts';

export type { FlushSignal } from '../../src/ingest/process/process-signals.ts';
export type { Tags } from '../../src/ingest/record/tags.ts';
export type { DeliveryEvents, Drop } from '../../src/ingest/report/delivery-event.ts';
export type { Recovery } from '../../src/ingest/report/delivery-observer.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
export type { RecordQuery, RecordStreamOptions } from './record-query.ts';
export type { RecordStream, RecordStreamEvents } from './record-stream.ts';
export type { WinstonRecord } from './winston-record.ts';
export type { LogTransportDrop, LogTransportOptions, RecordQueryCallback };

type RecordQueryCallback = (error: unknown, records?: WinstonRecord[]) => void;

/** Delivers what is left behind by transports that nobody refers to any more. */
const forgotten = new FinalizationRegistry<() => void>((close) => close());

/**
 * Delivers the records of a winston logger to the service. After `logger.end()`, emits `finish` when all records are
 * delivered, or dropped after `closeTimeoutMs`. Never emits `error` for delivery failures.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see {@link DeliveryEvents}. winston also emits `warn` on the logger.
 */
export class LogTransport extends TransportStream {
  /** Name of the transport in winston. */
  readonly name = 'logclient';
  readonly #options: ResolvedLogTransportOptions;
  readonly #tags: TagWriter;
  readonly #emitter: DeliveryEmitter;
  #sink: EventSink | undefined;
  /** The counters of the sink that was opened last. */
  #readStats = (): IngesterStats => NO_RECORDS;
  #unwatchSignals = (): void => {};
  /** Sinks that are being closed. */
  #closing: Promise<unknown> = Promise.resolve();

  /** @throws LogOptionsException */
  constructor(options: LogTransportOptions = {}) {
    const resolved = resolveLogTransportOptions(options);
    super(resolved.winston);
    // Whoever extends the class or listens may want the text of a record, too.
    guardFormats(this, () => this.log === LogTransport.prototype.log && this.listenerCount('logged') === 0);
    this.#options = resolved;
    this.#tags = new TagWriter(resolved.ingester.tags, resolved.ingester.tagFields);
    const { hooks, ingester } = resolved;
    this.#emitter = new DeliveryEmitter(this, { hooks, onWarning: ingester.onWarning });
  }

  /**
   * Counters as last reported by the worker: up to 1 s old, and exact after `flush` and `finish`. They restart when the
   * transport is added to a logger again.
   */
  get stats(): IngesterStats {
    return this.#readStats();
  }

  /** Called by winston. Calls back before it returns, whatever happens to the record. */
  override log(info: WinstonInfo, callback?: () => void): void {
    try {
      const event = winstonEvent(info);
      const sink = this.#openSink();
      const text = this.#tags.protect(eventText(event, systemClock.now()));
      sink.write(text, this.#tags.textFor(event.attributes));
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown error';
      this.#emitter.warnings.reportLoss(
        'internal',
        1,
        (count) => `Records dropped because they can't be read: ${count}. ${message}`,
      );
    }
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info));
    callback?.();
  }

  /**
   * Resolves when all records logged before the call are delivered or dropped, or after `closeTimeoutMs` without
   * progress. Records then stay queued and are sent when the service is back. Never rejects.
   */
  async flush(): Promise<void> {
    await Promise.all([this.#closing, this.#sink?.flush()]);
  }

  /**
   * Called by winston for `logger.query(options, callback)`. Reads records with the tags of this transport, or all
   * records of the repository if it has no tags. Records logged before are delivered first. Requires a `userToken` and
   * a `repository`.
   */
  query(options: RecordQuery | RecordQueryCallback | undefined, callback?: RecordQueryCallback): void {
    const answer = typeof options === 'function' ? options : callback;
    const wanted = typeof options === 'object' && options !== null ? options : {};
    // The callback's own errors are none of the query.
    this.#readRecords(wanted).then(
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
    return new RecordStream(async (signal) => {
      const { tailRecords } = await loadReader();
      return tailRecords(this.#options.source, { ...options, now, signal });
    });
  }

  async #readRecords(options: RecordQuery): Promise<WinstonRecord[]> {
    const [{ readRecords }] = await Promise.all([loadReader(), this.flush()]);
    return readRecords(this.#options.source, options);
  }

  /**
   * Called by winston when the transport is removed from its logger. Delivers queued records in the background. The
   * transport can be added to a logger again.
   */
  override close(): void {
    void this.#closeSink();
  }

  override _final(callback: () => void): void {
    void this.#closeSink().then(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#closeSink().then(() => callback(error));
  }

  #openSink(): EventSink {
    if (this.#sink === undefined) {
      const sink = this.#createSink();
      this.#sink = sink;
      this.#readStats = () => sink.stats;
      this.#watchSignals(sink);
    }
    return this.#sink;
  }

  /** Nothing here refers to the transport, so that it can be forgotten. */
  #watchSignals(sink: EventSink): void {
    const transport = new WeakRef(this);
    const close = (): Promise<void> => {
      const owner = transport.deref();
      return owner === undefined ? sink.close() : owner.#closeSink();
    };
    const { flushOnSignals } = this.#options.ingester;
    const unwatch = watchSignals({ flush: () => sink.flush(), close }, flushOnSignals);
    this.#unwatchSignals = unwatch;
    forgotten.register(
      this,
      () => {
        unwatch();
        void sink.close();
      },
      this,
    );
  }

  #createSink(): EventSink {
    const { ingester, ingesterOptions, worker } = this.#options;
    if (!worker) return new InProcessSink(ingesterOptions, this.#emitter);
    const lines = openLineSink({
      ingesterOptions,
      closeTimeoutMs: ingester.closeTimeoutMs,
      mapperFor: eventLineMapper,
      emitter: this.#emitter,
      fileName: 'winston-worker.js',
      moduleUrl: () => import.meta.url,
    });
    return new WorkerSink(lines, this.#tags.baseText);
  }

  async #closeSink(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    forgotten.unregister(this);
    this.#unwatchSignals();
    if (sink !== undefined) this.#closing = Promise.all([this.#closing, sink.close()]);
    await this.#closing;
  }
}

/** A program that only logs has no use for queries. */
function loadReader(): Promise<typeof import('./record-reader.ts')> {
  return import('./record-reader.ts');
}

export default LogTransport;
