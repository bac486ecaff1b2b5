/**
 * The total of the numbers of a window, which leave in the order in which they came.
 *
 * It is only ever combined from numbers of the window (two stacks), so rounding errors don't add up.
 */
export class SlidingFold {
  readonly #combine: (a: number, b: number) => number;
  /** Totals from each older number to the last older one, the oldest at the end. */
  #older: number[] = [];
  #newer: number[] = [];
  #newerTotal: number | undefined;

  readonly #finish: (total: number | undefined, size: number) => number | undefined;

  /** @param finish gets no total when there are no numbers. */
  constructor(
    combine: (a: number, b: number) => number,
    finish: (total: number | undefined, size: number) => number | undefined = (total) => total,
  ) {
    this.#combine = combine;
    this.#finish = finish;
  }

  add(number: number): void {
    this.#newer.push(number);
    this.#newerTotal = this.#join(this.#newerTotal, number);
  }

  /** The oldest number leaves. */
  forget(): void {
    if (this.#older.length === 0) {
      let total: number | undefined;
      for (const number of this.#newer.reverse()) {
        total = this.#join(number, total);
        this.#older.push(total!);
      }
      this.#newer = [];
      this.#newerTotal = undefined;
    }
    this.#older.pop();
  }

  result(): number | undefined {
    const total = this.#join(this.#older.at(-1), this.#newerTotal);
    return this.#finish(total, this.#older.length + this.#newer.length);
  }

  #join(a: number | undefined, b: number | undefined): number | undefined {
    if (a === undefined) return b;
    return b === undefined ? a : this.#combine(a, b);
  }
}
