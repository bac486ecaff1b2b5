import type { EventBatch } from './event-batch.ts';

/** Events that have gone may be so many times those that are left, before batches are let go of. */
const MAX_GONE_SHARE = 2;

/**
 * How much is left of each batch. A batch is in memory as a whole until the last of its events has gone: where each has
 * an event of a clock that runs ahead, which is the last to go, that would be without a bound.
 */
export class BatchRemains {
  /** The batches with anything left. */
  readonly #batches = new Map<EventBatch, Remains>();
  #left = 0;
  #gone = 0;

  /** Whether so much has gone of the batches that it is time for {@link takeSparse}. */
  get areSparse(): boolean {
    return this.#gone > MAX_GONE_SHARE * this.#left;
  }

  add(batch: EventBatch): void {
    if (batch.length === 0) return;
    this.#left += batch.length;
    const known = this.#batches.get(batch);
    if (known === undefined) this.#batches.set(batch, { left: batch.length, gone: 0 });
    else known.left += batch.length;
  }

  /** An event of the batch has gone. */
  drop(batch: EventBatch): void {
    const remains = this.#batches.get(batch)!;
    remains.left--;
    remains.gone++;
    this.#left--;
    this.#gone++;
    if (remains.left === 0) this.#remove(batch, remains);
  }

  /** The batches of which less than half is left. They are no longer counted: what is left of them is to be copied. */
  takeSparse(): Set<EventBatch> {
    const sparse = new Set<EventBatch>();
    for (const [batch, remains] of this.#batches) {
      if (remains.gone <= remains.left) continue;
      sparse.add(batch);
      this.#remove(batch, remains);
    }
    return sparse;
  }

  #remove(batch: EventBatch, { left, gone }: Remains): void {
    this.#batches.delete(batch);
    this.#left -= left;
    this.#gone -= gone;
  }
}

interface Remains {
  left: number;
  gone: number;
}
