/**
 * The winston transport:
 *
 * ```ts
 * const logger = winston.createLogger({ transports: [new LogTransport({ baseUrl, ingestToken })] });
 * ```
 */
import { workerData } from 'node:worker_threads';
import TransportStream from 'winston-transport';
import { eventText } from '../../src/ingest/ingest-event.ts';
import { TagWriter } from '../../src/ingest/tags.ts';
import { Warnings } from '../../src/ingest/warnings.ts';
import { systemClock } from '../../src/internal/clock.ts';
import { type EventSink, InProcessSink } from './event-sink.ts';
import { type WinstonInfo, winstonEvent } from './winston-event.ts';
import {
  type LogTransportOptions,
  type ResolvedLogTransportOptions,
  resolveLogTransportOptions,
} from './winston-options.ts';
import { WorkerSink } from './worker-sink.ts';

export type { DroppedRecords } from '../../src/ingest/ingester-options.ts';
export type { DropReason } from '../../src/ingest/ingester-stats.ts';
export type { Tags } from '../../src/ingest/tags.ts';
export type { Warning, WarningKind } from '../../src/ingest/warnings.ts';
export type { LogTransportOptions };

/** Delivers what is left behind by transports that nobody refers to any more. */
const forgotten = new FinalizationRegistry<EventSink>((sink) => void sink.close());

/**
 * Ships a winston logger's records to the service. `finish`, which `logger.end()` leads to, means that everything is
 * delivered or was given up within `closeTimeoutMs`. Trouble with the delivery never reaches the logger.
 */
export class LogTransport extends TransportStream {
  /** Tells transports apart in winston's own lists. */
  readonly name = 'logclient';
  readonly #options: ResolvedLogTransportOptions;
  readonly #tags: TagWriter;
  readonly #warnings: Warnings;
  #sink: EventSink | undefined;
  /** Sinks that are being closed. */
  #closing: Promise<unknown> = Promise.resolve();

  /** @throws LogOptionsException */
  constructor(options: LogTransportOptions = {}) {
    const resolved = resolveLogTransportOptions(options);
    super(resolved.winston);
    this.#options = resolved;
    this.#tags = new TagWriter(resolved.ingester.tags, resolved.ingester.tagFields);
    this.#warnings = new Warnings(systemClock, resolved.ingester.onWarning);
    // This stream is too old to do so by itself.
    this.once('finish', () => this.destroy());
  }

  /** Called by winston. The callback is called before this returns, whatever happens to the record. */
  override log(info: WinstonInfo, callback: () => void): void {
    try {
      const event = winstonEvent(info);
      const sink = this.#openSink();
      sink.write(eventText(event, systemClock.now()), this.#tags.textFor(event.attributes));
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown';
      this.#warnings.reportLoss(
        'internal',
        1,
        (count) => `Records lost, for they can't be read: ${count}. ${message}`,
      );
    }
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info));
    callback();
  }

  /**
   * Resolves when every record that was logged before is delivered or given up. Never rejects. In an outage that takes
   * as long as the outage, while a process that has nothing else to do ends; `logger.end()` has a bound.
   */
  async flush(): Promise<void> {
    await Promise.all([this.#closing, this.#sink?.flush()]);
  }

  /**
   * Called by winston when the transport is taken from its logger. Delivers what is left in the background; a transport
   * that is added to a logger again goes on as before.
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
      this.#sink = this.#createSink();
      forgotten.register(this, this.#sink, this);
    }
    return this.#sink;
  }

  #createSink(): EventSink {
    const { ingester, ingesterOptions, worker } = this.#options;
    if (!worker || workerData?.workerData?.logclientWorker === true)
      return new InProcessSink(ingesterOptions);
    try {
      return new WorkerSink(ingesterOptions, {
        baseTagsText: this.#tags.baseText,
        closeTimeoutMs: ingester.closeTimeoutMs,
        warnings: this.#warnings,
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown';
      this.#warnings.report(
        'internal',
        () => `Records are delivered from the main thread, without a worker: ${message}.`,
      );
      return new InProcessSink(ingesterOptions);
    }
  }

  async #closeSink(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    forgotten.unregister(this);
    if (sink !== undefined) this.#closing = Promise.all([this.#closing, sink.close()]);
    await this.#closing;
  }
}

export default LogTransport;
