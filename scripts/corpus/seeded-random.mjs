/** A small pseudorandom number generator (mulberry32): the same seed gives the same numbers on every machine. */
export class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, limit). */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  pick(items) {
    return items[this.below(items.length)];
  }
}
