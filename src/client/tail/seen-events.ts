/** Remembers a limited number of seen events; forgets the oldest first. */
export class SeenEvents {
  readonly #capacity: number;
  /** The times at which they were seen, by ID. */
  readonly #times = new Map<unknown, number>();
  /** Goes on with each forgotten event: finding the oldest entry of a map with many deletions is slow. */
  readonly #entries = this.#times.entries();
  #oldest: [id: unknown, time: number] | undefined;
  #newestTime = 0;
  #hasForgotten = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The time span whose events are all remembered, in milliseconds; `Infinity` if none was forgotten. */
  get spanMs(): number {
    if (!this.#hasForgotten) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#newestTime - this.#oldest![1]);
  }

  has(id: unknown): boolean {
    return this.#times.has(id);
  }

  /** Adds an event. Returns true if it is new; events without an ID are always new. @param now epoch milliseconds. */
  add(id: unknown, now: number): boolean {
    if (typeof id !== 'string') return true;
    if (this.#times.has(id)) return false;
    this.#times.set(id, now);
    this.#newestTime = now;
    this.#oldest ??= this.#entries.next().value;
    if (this.#times.size <= this.#capacity) return true;
    this.#times.delete(this.#oldest![0]);
    this.#oldest = this.#entries.next().value;
    this.#hasForgotten = true;
    return true;
  }
}
