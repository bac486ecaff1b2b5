import type { Ingester } from '../../../src/ingest/ingester.ts';
import type { IngestEvent } from '../../../src/ingest/record/ingest-event.ts';
import { busy } from './rejection.ts';

/** Adds events to an ingester while its queue has capacity. */
export class IngestQueue {
  readonly #ingester: Ingester;
  #isFull = false;

  constructor(ingester: Ingester) {
    this.#ingester = ingester;
  }

  /** @throws Rejection while the queue is full. */
  requireCapacity(): void {
    if (this.#isFull) throw busy('The queue is full.');
  }

  /**
   * @param index the number of events of the same request that were added before.
   * @throws Rejection if the event was not accepted.
   */
  add(event: IngestEvent, index: number): void {
    const { accepted } = this.#ingester.stats;
    // With `dropOldest` and `dropNewest`, the ingester accepts the event, and counts what it drops.
    if (this.#ingester.add(event) || this.#ingester.stats.accepted > accepted) return;
    this.#isFull = true;
    void this.#ingester.drained().then(() => {
      this.#isFull = false;
    });
    throw busy('The queue is full.', index);
  }
}
