import type { EventEmitter } from 'node:events';
import { eventText, type IngestEvent } from '../../src/ingest/record/ingest-event.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import { TagWriter } from '../../src/ingest/record/tags.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { ResolvedTransportOptions } from '../../src/ingest/worker/worker-options.ts';
import { systemClock } from '../../src/internal/clock.ts';
import { encodeLine, eventLineMapper } from './event-line.ts';
import { LineDelivery } from './line-delivery.ts';

/** Delivery for loggers whose records are objects; see {@link LineDelivery}. */
export class EventDelivery {
  readonly #lines: LineDelivery;
  readonly #tags: TagWriter;

  /** @param owner the transport, which emits the events. It is not kept from garbage collection. */
  constructor(owner: EventEmitter, options: ResolvedTransportOptions) {
    this.#lines = new LineDelivery(owner, {
      options,
      mapperFor: eventLineMapper,
      workerFile: 'event-worker.js',
      reopens: true,
    });
    this.#tags = new TagWriter(options.ingester.tags, options.ingester.tagFields);
  }

  /** Counters of accepted, delivered, dropped and waiting records. */
  get stats(): IngesterStats {
    return this.#lines.stats;
  }

  /**
   * Adds a record. Never throws, never waits.
   *
   * @param toEvent converts the logger's record. If it throws, the record is dropped and reported.
   */
  add(toEvent: () => IngestEvent): void {
    try {
      const event = toEvent();
      const tagsText = this.#tags.textFor(event.attributes, event.tags);
      const text = this.#tags.protect(eventText(event, systemClock.now()), event.tags);
      const sink = this.#lines.open();
      if (sink.add === undefined) sink.write(encodeLine(text, tagsText, this.#tags.baseText));
      else sink.add(createRecord(text, tagsText));
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown error';
      this.#lines.warnings.reportLoss(
        'internal',
        1,
        (count) => `Records dropped because they can't be read: ${count}. ${message}`,
      );
    }
  }

  /** Resolves when all records added before are delivered or dropped, or without progress. Never rejects. */
  flush(): Promise<void> {
    return this.#lines.flush();
  }

  /** Delivers the rest, within `closeTimeoutMs`. Never rejects. Opens again with the next record. */
  close(): Promise<void> {
    return this.#lines.close();
  }
}
