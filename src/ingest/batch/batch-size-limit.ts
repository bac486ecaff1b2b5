/** After this many batches of the learned size, a larger one is tried. */
const DELIVERIES_UNTIL_GROWTH = 50;

/**
 * How large a batch may be, in bytes of its events: what the options say, or less where the service has refused that
 * much. Grows again slowly, for what refused it may have been a proxy that somebody mends.
 */
export class BatchSizeLimit {
  readonly #configuredBytes: number;
  #maxBytes: number;
  #deliveries = 0;

  constructor(configuredBytes: number) {
    this.#configuredBytes = configuredBytes;
    this.#maxBytes = configuredBytes;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** A batch of this size was too large. */
  refused(eventBytes: number): void {
    this.#maxBytes = Math.max(1, Math.min(this.#maxBytes, Math.floor(eventBytes / 2)));
    this.#deliveries = 0;
  }

  /** A batch of this size was delivered. */
  delivered(eventBytes: number): void {
    if (this.#maxBytes >= this.#configuredBytes || eventBytes < this.#maxBytes / 2) return;
    if (++this.#deliveries < DELIVERIES_UNTIL_GROWTH) return;
    this.#maxBytes = Math.min(this.#configuredBytes, this.#maxBytes * 2);
    this.#deliveries = 0;
  }
}
