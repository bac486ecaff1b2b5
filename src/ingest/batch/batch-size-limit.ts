import type { BatchLimits } from './batch-builder.ts';

/** After this many deliveries at the limit, larger batches are tried. */
const DELIVERIES_UNTIL_GROWTH = 50;

/** No batch is packed smaller than this. */
export const MIN_BATCH_BYTES = 16 * 1024;

/**
 * Limits of batches: the configured ones, or a smaller size if the service rejects larger requests. The size grows back
 * slowly, because a proxy may have caused the rejection.
 *
 * If requests take too long, {@link sentBytes} limits what is sent, but not what is packed: it doubles with each fast
 * request, so that a backlog is sent in large requests again soon after the service has recovered.
 */
export class BatchSizeLimit implements BatchLimits {
  readonly maxRecords: number;
  readonly #configuredBytes: number;
  /** As far as is known, larger requests are rejected. */
  #allowedBytes: number;
  #timelyBytes = Number.POSITIVE_INFINITY;
  #deliveries = 0;
  /** Size of the largest accepted request, and of the smallest record that was rejected as too large since the last reset. */
  #acceptedBytes = 0;
  #aloneBytes = Number.POSITIVE_INFINITY;

  constructor({ maxRecords, maxBytes }: BatchLimits) {
    this.maxRecords = maxRecords;
    this.#configuredBytes = maxBytes;
    this.#allowedBytes = maxBytes;
  }

  get maxBytes(): number {
    return Math.max(this.#allowedBytes, Math.min(MIN_BATCH_BYTES, this.#configuredBytes));
  }

  /** Maximum size of the next request. */
  get sentBytes(): number {
    return Math.min(this.#allowedBytes, this.#timelyBytes);
  }

  /** Called when records of this size were rejected as too large. */
  rejected(eventBytes: number, records: number): void {
    if (records === 1) this.#aloneBytes = Math.min(this.#aloneBytes, eventBytes);
    else this.#allowedBytes = Math.max(1, Math.min(this.#allowedBytes, Math.floor(eventBytes / 2)));
    this.#deliveries = 0;
  }

  /** Called when a request of this size took too long. */
  timedOut(eventBytes: number): void {
    this.#timelyBytes = Math.max(1, Math.min(this.#timelyBytes, Math.floor(eventBytes / 2)));
  }

  delivered(eventBytes: number, isFast: boolean): void {
    this.#acceptedBytes = Math.max(this.#acceptedBytes, eventBytes);
    if (this.#aloneBytes <= this.#acceptedBytes) {
      // The record has another fault, and requests that contained it had no other.
      this.#allowedBytes = this.#configuredBytes;
      this.#aloneBytes = Number.POSITIVE_INFINITY;
    }
    if (isFast && eventBytes >= this.#timelyBytes / 4) this.#timelyBytes *= 2;
    if (this.#timelyBytes >= this.#configuredBytes) this.#timelyBytes = Number.POSITIVE_INFINITY;
    if (this.#allowedBytes >= this.#configuredBytes || eventBytes < this.#allowedBytes / 2) return;
    if (++this.#deliveries < DELIVERIES_UNTIL_GROWTH) return;
    this.#allowedBytes = Math.min(this.#configuredBytes, this.#allowedBytes * 2);
    this.#deliveries = 0;
  }
}
