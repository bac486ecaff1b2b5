import type { Ingester } from '../../src/ingest/ingester.ts';
import type { IngestEvent } from '../../src/ingest/record/ingest-event.ts';
import { Rejection } from './rejection.ts';

const RETRY_AFTER_SECONDS = 5;

/** Adds events to an ingester while its queue has capacity. */
export class IngestQueue {
  readonly #ingester: Ingester;
  #isFull = false;

  constructor(ingester: Ingester) {
    this.#ingester = ingester;
  }

  /** @throws Rejection while the queue is full. */
  requireCapacity(): void {
    if (this.#isFull) throw busy(0);
  }

  /**
   * @param index the number of events of the same request that were added before.
   * @throws Rejection if the event was not accepted.
   */
  add(event: IngestEvent, index: number): void {
    const { accepted } = this.#ingester.stats;
    if (this.#ingester.add(event)) return;
    this.#isFull = true;
    void this.#ingester.drained().then(() => {
      this.#isFull = false;
    });
    // With `dropOldest` and `dropNewest`, the ingester counts the event; with `block`, it doesn't.
    if (this.#ingester.stats.accepted === accepted) throw busy(index);
  }
}

function busy(accepted: number): Rejection {
  return new Rejection(503, 'busy', 'The queue is full.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    accepted,
  });
}
