import type { EventTable } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';

/** Keeps the rows that came last, at most `limit` of them. A row of a table is not made before somebody asks for it. */
export class NewestRows {
  readonly #limit: number;
  /** Rows, and tables with the index of a row in them. */
  readonly #rows: (Fields | EventTable)[] = [];
  readonly #indexes: number[] = [];
  #seen = 0;

  /** @param limit may be 0. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many rows came, including those that were let go. */
  get seen(): number {
    return this.#seen;
  }

  push(row: Fields): void {
    this.#keep(row, IS_ROW);
  }

  /** Takes the row at an index of a table. */
  pushFrom(table: EventTable, index: number): void {
    this.#keep(table, index);
  }

  /** The newest first. */
  newestFirst(): Fields[] {
    const newest: Fields[] = [];
    const kept = Math.min(this.#seen, this.#limit);
    for (let age = 1; age <= kept; age++) newest.push(this.#rowAt((this.#seen - age) % this.#limit));
    return newest;
  }

  #keep(row: Fields | EventTable, index: number): void {
    if (this.#limit > 0) {
      const place = this.#seen % this.#limit;
      this.#rows[place] = row;
      this.#indexes[place] = index;
    }
    this.#seen += 1;
  }

  /** A row takes the place of its table, which nobody has to hold any longer. */
  #rowAt(place: number): Fields {
    const index = this.#indexes[place]!;
    if (index === IS_ROW) return this.#rows[place] as Fields;
    const row = (this.#rows[place] as EventTable).row(index);
    this.#rows[place] = row;
    this.#indexes[place] = IS_ROW;
    return row;
  }
}

const IS_ROW = -1;
