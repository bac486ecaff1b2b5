const FIRST_ROOM = 64;

/** The different values of a field, each with a number. A value in a longer text is only cut out when it is new. */
export class ValueDictionary {
  /** By their numbers; `undefined` stands for a missing field. */
  readonly values: (string | undefined)[] = [];
  /** For each hash the number of a value, and one more; 0 where there is none. */
  #slots = new Int32Array(FIRST_ROOM);
  readonly #hashes: number[] = [];
  /** How often another value had the same hash. */
  collisions = 0;
  #missing = -1;
  #lastValue: string | undefined;
  #lastId = -1;

  idOf(value: string | undefined): number {
    // Events that have a value in common that the server gave them have the very same one.
    if (value === this.#lastValue && this.#lastId !== -1) return this.#lastId;
    const id = value === undefined ? this.#idOfMissing() : this.idAt(value, 0, value.length);
    this.#lastValue = value;
    this.#lastId = id;
    return id;
  }

  /** The number of the value that stands at a place, which may be a new one. */
  idAt(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number === -1) return this.#add(text.slice(start, end), hash, slot);
      if (this.#hashes[number] !== hash) continue;
      if (isAt(this.values[number]!, text, start, end)) return number;
      this.collisions++;
    }
  }

  #idOfMissing(): number {
    if (this.#missing === -1) {
      this.#missing = this.values.push(undefined) - 1;
      this.#hashes.push(0);
    }
    return this.#missing;
  }

  #add(value: string, hash: number, slot: number): number {
    const number = this.values.push(value) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    if (this.values.length * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      if (number === this.#missing) continue;
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** Looks at no more than about sixteen characters: a longer value is compared as a whole anyway. */
function hashOf(text: string, start: number, end: number): number {
  const step = 1 + ((end - start) >>> 4);
  let hash = end - start;
  for (let at = start; at < end; at += step) hash = Math.imul(hash, 31) + text.charCodeAt(at);
  return hash ^ (hash >>> 15);
}

function isAt(value: string, text: string, start: number, end: number): boolean {
  if (value.length !== end - start) return false;
  for (let at = 0; at < value.length; at++) {
    if (value.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
