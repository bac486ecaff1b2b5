import type { BatchLimits } from './batch-builder.ts';

/** After this many deliveries at the reduced limit, larger batches are tried. */
const DELIVERIES_UNTIL_GROWTH = 50;

/**
 * Limits of a batch: the configured ones, or a smaller size if the service has rejected a batch as too large. The size
 * grows back slowly, because a proxy may have caused the rejection.
 */
export class BatchSizeLimit implements BatchLimits {
  readonly maxRecords: number;
  readonly #configuredBytes: number;
  maxBytes: number;
  #deliveries = 0;

  constructor({ maxRecords, maxBytes }: BatchLimits) {
    this.maxRecords = maxRecords;
    this.#configuredBytes = maxBytes;
    this.maxBytes = maxBytes;
  }

  /** Called when a batch of this size was rejected as too large. */
  rejected(eventBytes: number): void {
    this.maxBytes = Math.max(1, Math.min(this.maxBytes, Math.floor(eventBytes / 2)));
    this.#deliveries = 0;
  }

  delivered(eventBytes: number): void {
    if (this.maxBytes >= this.#configuredBytes || eventBytes < this.maxBytes / 2) return;
    if (++this.#deliveries < DELIVERIES_UNTIL_GROWTH) return;
    this.maxBytes = Math.min(this.#configuredBytes, this.maxBytes * 2);
    this.#deliveries = 0;
  }
}
