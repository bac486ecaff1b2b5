import { hashText } from './text-hash.ts';

/** A power of 2. More would cost memory in groups of groups. */
const MIN_SLOTS = 8;

/** A copy that doesn't keep the longer string in memory that it is a part of, and is compared faster. */
function ownCopy(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

/**
 * A place for each distinct string, from 0 in order of appearance. `undefined` can have one, too.
 *
 * A hash table with linear probing. A `Map` of 200,000 strings takes twice as long, because it reads several of them,
 * all over the memory, to find one. Here, each slot has the hash beside the place.
 */
export class TextPlaces {
  readonly #texts: (string | undefined)[] = [];
  /** Random, so that clients can't choose strings with equal hashes. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  /** Pairs of a hash and a place plus 1, which is 0 in free slots. At most half of the slots are used. */
  #slots = new Int32Array(2 * MIN_SLOTS);

  textAt(place: number): string | undefined {
    return this.#texts[place];
  }

  /** `undefined` if the string has no place. */
  find(text: string | undefined): number | undefined {
    const hash = this.#hashOf(text);
    const slots = this.#slots;
    for (let slot = firstSlot(slots, hash); slots[slot + 1] !== 0; slot = nextSlot(slots, slot)) {
      const place = slots[slot + 1]! - 1;
      if (slots[slot] === hash && this.#texts[place] === text) return place;
    }
    return undefined;
  }

  /** Adds a string that has no place yet. */
  add(text: string | undefined): void {
    const place = this.#texts.push(text === undefined ? undefined : ownCopy(text));
    if (4 * place > this.#slots.length) this.#grow();
    fill(this.#slots, this.#hashOf(text), place);
  }

  #hashOf(text: string | undefined): number {
    return text === undefined ? 0 : hashText(text, this.#seed) | 0;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1] !== 0) fill(this.#slots, before[slot]!, before[slot + 1]!);
    }
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
