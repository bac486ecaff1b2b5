/** Remembers which events were seen, up to a number of them; the oldest are forgotten first. */
export class SeenEvents {
  readonly #capacity: number;
  readonly #ids = new Set<string>();
  /** The same ids by age, in a ring: to find the oldest in a set from which many were deleted takes long. */
  readonly #ring: string[] = [];
  /** Where the next id goes: the place of the oldest, once the ring is full. */
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the event is new; it counts as seen from now on. An event without an id is always new. */
  add(id: unknown): boolean {
    if (typeof id !== 'string') return true;
    if (this.#ids.has(id)) return false;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#ids.delete(oldest);
    this.#ids.add(id);
    this.#ring[this.#next] = id;
    this.#next = (this.#next + 1) % this.#capacity;
    return true;
  }
}
