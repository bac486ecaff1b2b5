import type { BatchLimits } from './batch-builder.ts';

/** After this many deliveries at the limit, larger batches are tried. */
const DELIVERIES_UNTIL_GROWTH = 50;

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
  maxBytes: number;
  #timelyBytes = Number.POSITIVE_INFINITY;
  #deliveries = 0;
  /** Size of the largest accepted request. */
  #acceptedBytes = 0;

  constructor({ maxRecords, maxBytes }: BatchLimits) {
    this.maxRecords = maxRecords;
    this.#configuredBytes = maxBytes;
    this.maxBytes = maxBytes;
  }

  /** Maximum size of the next request. */
  get sentBytes(): number {
    return Math.min(this.maxBytes, this.#timelyBytes);
  }

  /** Called when records of this size were rejected as too large. */
  rejected(eventBytes: number, records: number): void {
    // Larger requests were accepted, so the record has another fault, and requests that contained it had no other.
    if (records === 1 && eventBytes <= this.#acceptedBytes) this.maxBytes = this.#configuredBytes;
    // While the service accepts nothing, its answers say little.
    if (records === 1 || this.#acceptedBytes === 0) return;
    this.maxBytes = Math.max(1, Math.min(this.maxBytes, Math.floor(eventBytes / 2)));
    this.#deliveries = 0;
  }

  /** Called when a request of this size took too long. */
  timedOut(eventBytes: number): void {
    this.#timelyBytes = Math.max(1, Math.min(this.#timelyBytes, Math.floor(eventBytes / 2)));
  }

  delivered(eventBytes: number, isFast: boolean): void {
    this.#acceptedBytes = Math.max(this.#acceptedBytes, eventBytes);
    if (isFast && eventBytes >= this.#timelyBytes / 4) this.#timelyBytes *= 2;
    if (this.#timelyBytes >= this.#configuredBytes) this.#timelyBytes = Number.POSITIVE_INFINITY;
    if (this.maxBytes >= this.#configuredBytes || eventBytes < this.maxBytes / 2) return;
    if (++this.#deliveries < DELIVERIES_UNTIL_GROWTH) return;
    this.maxBytes = Math.min(this.#configuredBytes, this.maxBytes * 2);
    this.#deliveries = 0;
  }
}
