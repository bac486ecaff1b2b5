import { EventEmitter } from 'node:events';
import { systemClock } from '../core/clock.ts';
import { keepAlive } from '../core/keep-alive.ts';
import { type IngesterOptions, resolveIngesterOptions } from './options.ts';
import { IngestPipeline } from './pipeline.ts';
import { eventText, type IngestEvent } from './record/ingest-event.ts';
import { createRecord } from './record/record.ts';
import { safeObject, safeText } from './record/safe-json.ts';
import { DeliveryEmitter } from './report/delivery-emitter.ts';
import type { DeliveryEvents, EmittedEvents } from './report/delivery-event.ts';
import type { IngesterStats } from './report/ingester-stats.ts';

/**
 * Delivers records to the service in batches and retries until they are accepted. Records are sent in order, one batch
 * at a time by default. Dropped records are always counted and reported.
 *
 * Records wait in a bounded queue. Full batches are compressed before they are sent. While requests are in flight, the
 * last batch grows.
 *
 * Background work does not keep the process alive. On exit, including `process.exit()` and uncaught exceptions, queued
 * records are sent for up to `closeTimeoutMs`. The latter two use a worker thread, which can't use the options `fetch`
 * and `agent`: with these, await {@link close} before the process exits.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see {@link DeliveryEvents}. Never emits `error`.
 *
 * @example
 *   const ingester = new Ingester({ baseUrl, ingestToken, tags: { service: 'shop' } });
 *   ingester.add({ attributes: { level: 'info', message: 'order placed' } });
 *   await ingester.close();
 */
export class Ingester extends EventEmitter<EmittedEvents> {
  readonly #pipeline: IngestPipeline;

  /** @throws LogOptionsException */
  constructor(options: IngesterOptions = {}) {
    super();
    const resolved = resolveIngesterOptions(options, 'Ingester');
    // The pipeline calls the hooks itself.
    const emitter = new DeliveryEmitter(this, resolved);
    this.#pipeline = new IngestPipeline(resolved, { onEvent: (event) => emitter.emit(event) });
  }

  /** Counters of accepted, delivered, dropped and waiting records. */
  get stats(): IngesterStats {
    return this.#pipeline.stats;
  }

  /**
   * Adds an event to the queue. The event is serialized immediately, so later changes to the object have no effect.
   * Never throws.
   *
   * @returns false if the queue is full. Depending on the option `overflow`, the event was then accepted
   * (`dropOldest`), dropped (`dropNewest`), or rejected (`block`): add it again after {@link drained}.
   */
  add(event: IngestEvent): boolean {
    if (typeof event !== 'object' || event === null) return this.add({ rawstring: safeText(event) });
    const { tags, warnings } = this.#pipeline;
    const own = safeObject(event, 'tags');
    const text = tags.protect(eventText(event, systemClock.now(), warnings.reportOnce), own);
    const tagsText = tags.textFor(safeObject(event, 'attributes'), own);
    return this.#pipeline.add(createRecord(text, tagsText));
  }

  /**
   * Adds an event that is already JSON, such as `{"timestamp":1770109200000,"attributes":{"n":1.50}}`. It is sent with
   * its exact digits, and unchanged except that a field named like a tag, such as `#service`, is renamed to `_#service`.
   * Text that does not start with a brace becomes the `rawstring` of an event. Invalid JSON is rejected by the service
   * and counted as rejected. The tags are those of the options, without `tagFields`.
   */
  addText(eventText: string): boolean {
    const line = safeText(eventText);
    const text = line.trimStart();
    if (!text.startsWith('{')) return this.add({ rawstring: line });
    return this.#pipeline.addText(text);
  }

  /** Resolves when the queue is at most half full and has capacity for the rejected record, or when the ingester is closed. */
  drained(): Promise<void> {
    return this.#pipeline.backpressure.drained();
  }

  /**
   * Sends queued records without waiting for the batch to fill, and keeps the process alive until then. Never rejects.
   *
   * @returns true when every record added before the call is delivered or dropped; false after `closeTimeoutMs` without
   * progress. Records then stay queued and are sent when the service is back.
   */
  flush(): Promise<boolean> {
    return keepAlive(this.#pipeline.flush());
  }

  /**
   * Delivers queued records for up to `closeTimeoutMs`, then drops and reports the rest. With a spool, the rest is kept
   * for the next process. Records added later are dropped. Can be called repeatedly and never rejects.
   */
  close(): Promise<void> {
    return this.#pipeline.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
