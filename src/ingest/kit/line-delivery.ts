import type { EventEmitter } from 'node:events';
import { keepAlive } from '../../core/keep-alive.ts';
import { DeliveryEmitter } from '../report/delivery-emitter.ts';
import { type IngesterStats, NO_RECORDS } from '../report/ingester-stats.ts';
import type { Warnings } from '../report/warnings.ts';
import type { LineSink } from '../worker/line-sink.ts';
import { openLineSink, type WorkerLineSinkOptions } from '../worker/worker-line-sink.ts';
import type { ResolvedTransportOptions } from '../worker/worker-options.ts';

export interface LineDeliveryOptions extends Pick<WorkerLineSinkOptions, 'mapperFor' | 'mapper'> {
  readonly options: ResolvedTransportOptions;
}

/** Delivers what garbage-collected transports have left behind. */
const forgotten = new FinalizationRegistry<LineDelivery>((delivery) => void delivery.close());

/** What a transport owns: a {@link LineSink}, opened on first use, with hooks, events and garbage collection. */
export class LineDelivery {
  readonly #owner: WeakRef<EventEmitter>;
  readonly #settings: LineDeliveryOptions;
  readonly #emitter: DeliveryEmitter;
  /** The one that was opened last. */
  #sink: LineSink | undefined;
  #isSuspended = false;
  #closing: Promise<unknown> = Promise.resolve();

  /** @param owner the transport, which emits the events. It is not kept from garbage collection. */
  constructor(owner: EventEmitter, settings: LineDeliveryOptions) {
    const { hooks, ingester } = settings.options;
    this.#owner = new WeakRef(owner);
    this.#settings = settings;
    this.#emitter = new DeliveryEmitter(owner, { ...ingester, hooks });
  }

  /** Accepts lines. Created on first use. */
  get sink(): LineSink {
    return this.#sink === undefined || this.#isSuspended ? this.#open() : this.#sink;
  }

  get warnings(): Warnings {
    return this.#emitter.warnings;
  }

  /** Counters of the delivery that was opened last. */
  get stats(): IngesterStats {
    return this.#sink?.stats ?? NO_RECORDS;
  }

  /** See `Ingester.flush`. */
  async flush(): Promise<boolean> {
    const [isFlushed = true] = await keepAlive(Promise.all([this.#sink?.flush(), this.#closing]));
    return isFlushed;
  }

  /** Delivers the rest, within `closeTimeoutMs`. Later lines are dropped and counted. Never rejects; can be called again. */
  async close(): Promise<void> {
    const sink = this.#sink;
    forgotten.unregister(this);
    if (sink !== undefined) this.#closing = Promise.all([this.#closing, sink.close()]);
    await this.#closing;
  }

  /** Like {@link close}, but opens again with the next record. */
  suspend(): Promise<void> {
    this.#isSuspended = true;
    return this.close();
  }

  #open(): LineSink {
    const { options, mapperFor, mapper } = this.#settings;
    const sink = openLineSink({ ...options, mapperFor, mapper, emitter: this.#emitter });
    this.#sink = sink;
    this.#isSuspended = false;
    const owner = this.#owner.deref();
    if (owner !== undefined) forgotten.register(owner, this, this);
    return sink;
  }
}
