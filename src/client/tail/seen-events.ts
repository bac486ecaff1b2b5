/** Remembers a limited number of seen events; forgets the oldest first. */
export class SeenEvents {
  readonly #capacity: number;
  readonly #ids = new Set<unknown>();
  /** The same IDs by age, as a ring buffer: finding the oldest entry of a set with many deletions is slow. */
  readonly #ring: string[] = [];
  /** The times at which they were seen. */
  readonly #times: number[] = [];
  /** Position of the next ID; the oldest one, once the buffer is full. */
  #next = 0;
  #hasForgotten = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The time span whose events are all remembered, in milliseconds; `Infinity` if none was forgotten. */
  get spanMs(): number {
    if (!this.#hasForgotten) return Number.POSITIVE_INFINITY;
    const newest = this.#times.at(this.#next - 1) ?? 0;
    return Math.max(0, newest - (this.#times[this.#next] ?? newest));
  }

  has(id: unknown): boolean {
    return this.#ids.has(id);
  }

  /**
   * Adds an event. Returns true if it is new; events without an ID are always new.
   *
   * @param now epoch milliseconds.
   */
  add(id: unknown, now: number): boolean {
    if (typeof id !== 'string') return true;
    if (this.#ids.has(id)) return false;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) {
      this.#ids.delete(oldest);
      this.#hasForgotten = true;
    }
    this.#ids.add(id);
    this.#ring[this.#next] = id;
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#capacity;
    return true;
  }
}
