/**
 * The total of the items of a window, which leave in the order in which they came.
 *
 * It is only ever combined from items of the window (two stacks), so rounding errors don't add up.
 */
export class SlidingFold<Item> {
  readonly #combine: (older: Item, newer: Item) => Item;
  /** Totals from each older item to the last older one, the oldest at the end. */
  #older: Item[] = [];
  #newer: Item[] = [];
  #newerTotal: Item | undefined;

  constructor(combine: (older: Item, newer: Item) => Item) {
    this.#combine = combine;
  }

  get size(): number {
    return this.#older.length + this.#newer.length;
  }

  add(item: Item): void {
    this.#newer.push(item);
    this.#newerTotal = this.#join(this.#newerTotal, item);
  }

  /** The oldest item leaves. */
  forget(): void {
    if (this.#older.length === 0) {
      let total: Item | undefined;
      for (const item of this.#newer.reverse()) {
        total = this.#join(item, total);
        this.#older.push(total!);
      }
      this.#newer = [];
      this.#newerTotal = undefined;
    }
    this.#older.pop();
  }

  /** `undefined` when there are no items. */
  total(): Item | undefined {
    return this.#join(this.#older.at(-1), this.#newerTotal);
  }

  #join(older: Item | undefined, newer: Item | undefined): Item | undefined {
    if (older === undefined) return newer;
    return newer === undefined ? older : this.#combine(older, newer);
  }
}
