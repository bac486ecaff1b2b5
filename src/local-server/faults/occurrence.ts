import type { Fault } from './fault.ts';

export class Occurrence {
  readonly #after: number;
  readonly #every: number;
  readonly #probability: number;
  readonly #random: () => number;
  #seen = 0;

  constructor({ after = 0, every = 1, probability = 1, seed = 1 }: Fault) {
    this.#after = after;
    this.#every = every;
    this.#probability = probability;
    this.#random = seededRandom(seed);
  }

  next(): boolean {
    const counted = ++this.#seen - this.#after;
    return counted > 0 && counted % this.#every === 0 && this.#random() < this.#probability;
  }
}

/** Numbers from 0 up to 1 that look random and are the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
