import type { Fields } from '../event.ts';

/** Keeps the rows that came last, at most `limit` of them. */
export class NewestRows {
  readonly #limit: number;
  readonly #rows: Fields[] = [];
  #seen = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many rows came, including those that were let go. */
  get seen(): number {
    return this.#seen;
  }

  push(row: Fields): void {
    this.#rows[this.#seen % this.#limit] = row;
    this.#seen += 1;
  }

  /** The newest first. */
  newestFirst(): Fields[] {
    const newest = this.#seen % this.#limit;
    const rows =
      this.#seen <= this.#limit ? this.#rows : [...this.#rows.slice(newest), ...this.#rows.slice(0, newest)];
    return rows.toReversed();
  }
}
