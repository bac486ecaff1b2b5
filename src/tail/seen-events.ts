/** Remembers which events were seen, up to a number of them; the oldest are forgotten first. */
export class SeenEvents {
  readonly #capacity: number;
  /** A set iterates in the order of insertion. */
  readonly #ids = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the event is new; it counts as seen from now on. An event without an id is always new. */
  add(id: unknown): boolean {
    if (typeof id !== 'string') return true;
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.#capacity) this.#forgetOldest();
    return true;
  }

  get size(): number {
    return this.#ids.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }
}
