import { compareKeys, type SortKey, sortKey } from './compare.ts';
import { type Fields, readField } from './event.ts';

export type SortType = 'number' | 'string' | 'hex' | 'any';

/** One field to sort by. */
export interface SortColumn {
  readonly field: string;
  readonly type: SortType;
  /** 1 is ascending, -1 descending. */
  readonly direction: 1 | -1;
}

interface Entry {
  readonly row: Fields;
  readonly keys: readonly SortKey[];
}

/**
 * Keeps the rows that come first in an order. Equal rows stay in the order in which they came.
 *
 * It holds at most twice `limit` rows: whenever it has that many, it sorts them and lets the rest go.
 */
export class SortedRows {
  readonly #columns: readonly SortColumn[];
  readonly #limit: number;
  #entries: Entry[] = [];
  #seen = 0;

  constructor(columns: readonly SortColumn[], limit: number) {
    this.#columns = columns;
    this.#limit = limit;
  }

  /** How many rows came, including those that were let go. */
  get seen(): number {
    return this.#seen;
  }

  push(row: Fields): void {
    this.#seen += 1;
    this.#entries.push({
      row,
      keys: this.#columns.map(({ field, type }) => keyOf(readField(row, field), type)),
    });
    if (this.#entries.length >= this.#limit * 2) this.#sort();
  }

  sorted(): Fields[] {
    this.#sort();
    return this.#entries.map(({ row }) => row);
  }

  #sort(): void {
    this.#entries.sort((a, b) => this.#compare(a, b));
    if (this.#entries.length > this.#limit) this.#entries.length = this.#limit;
  }

  #compare(a: Entry, b: Entry): number {
    for (const [index, { direction }] of this.#columns.entries()) {
      const order = compareKeys(a.keys[index], b.keys[index], direction);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function keyOf(value: string | undefined, type: SortType): SortKey {
  if (value === undefined || type === 'string') return value;
  if (type !== 'hex') return sortKey(value);
  const [, digits] = /^(?:0x)?([\da-f]+)$/i.exec(value) ?? [];
  return digits === undefined ? value : Number.parseInt(digits, 16);
}
