import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';
import { createRecord } from '../../src/ingest/record.ts';

/** Where the transport puts events: an ingester in the same thread, or one in a worker. */
export interface EventSink {
  /** Takes an event and its tags as JSON text. Never throws, never waits. */
  write(eventText: string, tagsText: string): void;
  /** Resolves when everything that was written before is delivered or given up. Never rejects. */
  flush(): Promise<void>;
  /** Delivers what is left, within the ingester's `closeTimeoutMs`. Never rejects; can be called again. */
  close(): Promise<void>;
}

/** Delivers from the program's own thread. */
export class InProcessSink implements EventSink {
  readonly #ingester: Ingester;

  constructor(options: IngesterOptions) {
    this.#ingester = new Ingester(options);
  }

  write(eventText: string, tagsText: string): void {
    this.#ingester.addRecord(createRecord(eventText, tagsText));
  }

  flush(): Promise<void> {
    return this.#ingester.flush();
  }

  close(): Promise<void> {
    return this.#ingester.close();
  }
}
