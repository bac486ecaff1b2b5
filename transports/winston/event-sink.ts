import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';
import type { IngesterStats } from '../../src/ingest/ingester-stats.ts';
import { createRecord } from '../../src/ingest/record.ts';
import type { DeliveryAnnouncer } from '../../src/ingest/worker/delivery-announcer.ts';
import { DeliveryReporter } from '../../src/ingest/worker/delivery-reporter.ts';
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
  readonly #reporter: DeliveryReporter;

  constructor(options: IngesterOptions, announcer: DeliveryAnnouncer) {
    this.#reporter = new DeliveryReporter(
      (event) => announcer.announce(event),
      () => this.stats,
      systemClock,
    );
    this.#ingester = new Ingester(options, this.#reporter);
  }

  get stats(): IngesterStats {
    return this.#ingester.stats;
  }

  write(eventText: string, tagsText: string): void {
    this.#ingester.addRecord(createRecord(eventText, tagsText));
    this.#reporter.added();
  }

  async flush(): Promise<void> {
    await this.#ingester.flushUnlessStalled();
    this.#reporter.tellAll();
  }

  async close(): Promise<void> {
    await this.#ingester.close();
    this.#reporter.tellAll();
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
