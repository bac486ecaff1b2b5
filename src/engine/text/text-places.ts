import { hashText } from './text-hash.ts';

/** With fewer strings, a `Map` is as fast. A power of 2. */
const MANY = 0x4000;

/**
 * A place for each distinct string, from 0 in order of appearance. `undefined` can have one, too.
 *
 * Many strings are in a hash table with linear probing, where each slot has the hash beside the place. A `Map` of 200,000
 * strings takes 1.7 times as long, because it reads several of them, all over the memory, to find one.
 */
export class TextPlaces {
  readonly #texts: (string | undefined)[] = [];
  /** The places of the first strings. */
  readonly #few = new Map<string | undefined, number>();
  /** Random, so that clients can't choose strings with equal hashes. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  /** Pairs of a hash and a place plus 1, which is 0 in free slots. At most half of the slots are used. */
  #slots: Int32Array | undefined;

  textAt(place: number): string | undefined {
    return this.#texts[place];
  }

  /** `undefined` if the string has no place. */
  find(text: string | undefined): number | undefined {
    const slots = this.#slots;
    if (slots === undefined) return this.#few.get(text);
    const hash = this.#hashOf(text);
    for (let slot = firstSlot(slots, hash); slots[slot + 1] !== 0; slot = nextSlot(slots, slot)) {
      const place = slots[slot + 1]! - 1;
      if (slots[slot] === hash && this.#texts[place] === text) return place;
    }
    return undefined;
  }

  /** Adds a string that has no place yet. */
  add(text: string | undefined): void {
    // A copy doesn't keep the longer string in memory that it is a part of, and is compared faster.
    const own = text === undefined ? undefined : [text.slice(0, 1), text.slice(1)].join('');
    const count = this.#texts.push(own);
    if (count <= MANY) this.#few.set(own, count - 1);
    else if (this.#slots === undefined || 4 * count > this.#slots.length) this.#grow();
    else fill(this.#slots, this.#hashOf(own), count);
  }

  #grow(): void {
    const slots = new Int32Array(2 * (this.#slots?.length ?? 4 * MANY));
    this.#few.clear();
    for (const [place, text] of this.#texts.entries()) fill(slots, this.#hashOf(text), place + 1);
    this.#slots = slots;
  }

  #hashOf(text: string | undefined): number {
    return text === undefined ? 0 : hashText(text, this.#seed) | 0;
  }
}

function firstSlot(slots: Int32Array, hash: number): number {
  return (2 * hash) & (slots.length - 1);
}

function nextSlot(slots: Int32Array, slot: number): number {
  return (slot + 2) & (slots.length - 1);
}

function fill(slots: Int32Array, hash: number, value: number): void {
  let slot = firstSlot(slots, hash);
  while (slots[slot + 1] !== 0) slot = nextSlot(slots, slot);
  slots[slot] = hash;
  slots[slot + 1] = value;
}
