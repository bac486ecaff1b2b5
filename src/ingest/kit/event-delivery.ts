import type { EventEmitter } from 'node:events';
import { systemClock } from '../../core/clock.ts';
import { eventText, type IngestEvent } from '../record/ingest-event.ts';
import { createRecord } from '../record/record.ts';
import { safeText } from '../record/safe-json.ts';
import { TagWriter } from '../record/tags.ts';
import type { ResolvedTransportOptions } from '../worker/worker-options.ts';
import { encodeLine, eventLineMapper } from './event-line.ts';
import { LineDelivery, type LineDeliveryOptions } from './line-delivery.ts';

const EVENT_LINES = { mapperFor: eventLineMapper, mapper: 'event' } as const;

/** Delivery for loggers whose records are objects. */
export class EventDelivery<LoggerRecord> extends LineDelivery {
  readonly #toEvent: (record: LoggerRecord) => IngestEvent;
  readonly #tags: TagWriter;

  /** @param toEvent converts records. If it throws, the record is dropped and reported. */
  constructor(
    owner: EventEmitter,
    options: ResolvedTransportOptions,
    toEvent: (record: LoggerRecord) => IngestEvent,
    lines: Pick<LineDeliveryOptions, 'mapperFor' | 'mapper'> = EVENT_LINES,
  ) {
    super(owner, { options, ...lines });
    this.#toEvent = toEvent;
    const { tags, tagFields } = options.ingester;
    this.#tags = new TagWriter(tags, tagFields, this.warnings.reportOnce);
  }

  /** Never throws, never waits. */
  add(record: LoggerRecord): void {
    try {
      const event = this.#toEvent(record);
      const nowMs = systemClock.now();
      const tagsText = this.#tags.textFor(event.attributes, event.tags);
      const text = this.#tags.protect(eventText(event, nowMs), event.tags);
      const { sink } = this;
      if (sink.add === undefined) sink.write(encodeLine(text, tagsText, this.#tags.baseText));
      else sink.add(createRecord(text, tagsText), nowMs);
    } catch (error) {
      const messageFor = (count: number): string =>
        `Records dropped because they can't be read: ${count}. ${safeText(error)}`;
      this.warnings.reportLoss('internal', 1, messageFor);
    }
  }
}
