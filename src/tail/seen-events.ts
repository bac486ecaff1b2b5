/** Remembers which events were seen, up to a number of them; the oldest are forgotten first. */
export class SeenEvents {
  readonly #capacity: number;
  readonly #ids = new Set<string>();
  /** The same ids by age, in a ring: to find the oldest in a set from which many were deleted takes long. */
  readonly #ring: string[] = [];
  /** When those in the ring were seen. */
  readonly #times: number[] = [];
  /** Where the next id goes: the place of the oldest, once the ring is full. */
  #next = 0;
  #hasForgotten = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether nothing was seen yet. */
  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** The length of time whose events are remembered, in milliseconds; `Infinity` while that is all of them. */
  get spanMs(): number {
    if (!this.#hasForgotten) return Number.POSITIVE_INFINITY;
    const newest = this.#times.at(this.#next - 1) ?? 0;
    return Math.max(0, newest - (this.#times[this.#next] ?? newest));
  }

  has(id: unknown): boolean {
    return typeof id === 'string' && this.#ids.has(id);
  }

  /**
   * Whether the event is new; it counts as seen from now on. An event without an id is always new.
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
