import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import type { DeliveryEmitter } from '../../src/ingest/report/delivery-emitter.ts';
import { EventThrottle } from '../../src/ingest/report/event-throttle.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { LineSink } from '../../src/ingest/worker/line-sink.ts';
import { systemClock } from '../../src/internal/clock.ts';
import { encodeLine } from './event-line.ts';

/** Where the transport puts events: an ingester in the same thread, or one in a worker. */
export interface EventSink {
  /** Takes an event and its tags as JSON text. Never throws, never waits. */
  write(eventText: string, tagsText: string): void;
  /** Resolves when everything that was written before is delivered or given up, or nothing moves. Never rejects. */
  flush(): Promise<void>;
  /** Delivers what is left, within the ingester's `closeTimeoutMs`. Never rejects; can be called again. */
  close(): Promise<void>;
  /** Counters of what has become of the records. */
  readonly stats: IngesterStats;
}

/** Delivers from the program's own thread. */
export class InProcessSink implements EventSink {
  readonly #ingester: Ingester;
  readonly #throttle: EventThrottle;

  constructor(options: IngesterOptions, emitter: DeliveryEmitter) {
    this.#throttle = new EventThrottle(
      (event) => emitter.emit(event),
      () => this.stats,
      systemClock,
    );
    this.#ingester = new Ingester(options, this.#throttle);
  }

  get stats(): IngesterStats {
    return this.#ingester.stats;
  }

  write(eventText: string, tagsText: string): void {
    this.#ingester.addRecord(createRecord(eventText, tagsText));
    this.#throttle.added();
  }

  async flush(): Promise<void> {
    await this.#ingester.flushUnlessStalled();
    this.#throttle.tellAll();
  }

  async close(): Promise<void> {
    await this.#ingester.close();
    this.#throttle.tellAll();
  }
}

/** Delivers from a worker, which gets the events as lines. */
export class WorkerSink implements EventSink {
  readonly #lines: LineSink;
  readonly #baseTagsText: string;

  /** @param baseTagsText the tags of an event that brings none of its own, as JSON text. */
  constructor(lines: LineSink, baseTagsText: string) {
    this.#lines = lines;
    this.#baseTagsText = baseTagsText;
  }

  get stats(): IngesterStats {
    return this.#lines.stats;
  }

  write(eventText: string, tagsText: string): void {
    this.#lines.write(encodeLine(eventText, tagsText, this.#baseTagsText));
  }

  flush(): Promise<void> {
    return this.#lines.flush();
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}
