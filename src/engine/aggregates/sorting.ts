import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { compareKeys, type SortKey, sortKey } from '../compare.ts';
import type { Fields } from '../event.ts';
import { finish, merge, mergeRuns, type SlicedWork } from '../run/sliced-sort.ts';

export type SortType = 'number' | 'string' | 'hex' | 'any';

export interface SortColumn {
  readonly field: string;
  readonly type: SortType;
  /** 1 is ascending, -1 descending. */
  readonly direction: 1 | -1;
}

/** Rows per initial run. */
const FRESH_ROWS = 512;

interface Entry {
  readonly row: Fields;
  readonly keys: readonly SortKey[];
}

/**
 * Keeps the first `limit` rows in sort order. The sort is stable.
 *
 * A merge sort in small steps: a few rows at a time become a sorted run, and runs of similar size are merged. No run is
 * longer than `limit`.
 */
export class SortedRows {
  readonly #columns: readonly SortColumn[];
  readonly #limit: number;
  readonly #inOrder = (a: Entry, b: Entry): number => this.#compare(a.keys, b.keys);
  #runs: Entry[][] = [];
  #fresh: Entry[] = [];
  /** The last row of the result so far, once there are `limit` rows. */
  #last: Entry | undefined;
  /** Number of rows added, including discarded ones. */
  seen = 0;

  constructor(columns: readonly SortColumn[], limit: number) {
    this.#columns = columns;
    this.#limit = limit;
  }

  /** Adds events. `onKept` receives each row that is kept, at least for now. */
  from(table: EventTable, onKept: (row: Fields) => void): TakeEvent {
    const keysOf = this.#columns.map((column) => columnKeys(column, table));
    return (index) => {
      this.seen += 1;
      const keys = keysOf.map((keyAt) => keyAt(index));
      // Sorts after the last row of a full result.
      if (this.#last !== undefined && this.#compare(keys, this.#last.keys) >= 0) return;
      const row = table.row(index);
      this.#fresh.push({ row, keys });
      if (this.#fresh.length >= FRESH_ROWS) this.#addRun();
      onKept(row);
    };
  }

  /** The rows in order. Runs in slices. */
  *sorted(): SlicedWork<Fields[]> {
    this.#addRun();
    const sorted = yield* mergeRuns(this.#runs, this.#inOrder, this.#limit);
    this.#runs = [sorted];
    return sorted.map(({ row }) => row);
  }

  #addRun(): void {
    if (this.#fresh.length === 0) return;
    let run = this.#fresh.sort(this.#inOrder).slice(0, this.#limit);
    this.#fresh = [];
    for (let before = this.#runs.at(-1); before && before.length <= run.length; before = this.#runs.at(-1)) {
      this.#runs.pop();
      run = finish(merge(before, run, this.#inOrder, this.#limit));
    }
    this.#runs.push(run);
    if (run.length >= this.#limit) this.#last = run.at(-1);
  }

  #compare(a: readonly SortKey[], b: readonly SortKey[]): number {
    for (let index = 0; index < a.length; index++) {
      const order = compareSortKeys(a[index], b[index], this.#columns[index]!.direction);
      if (order !== 0) return order;
    }
    return 0;
  }
}

/** Missing values sort first in ascending order and last in descending order. */
export function compareSortKeys(a: SortKey, b: SortKey, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -direction : direction;
  return compareKeys(a, b, direction);
}

/** Reads sort keys from a column. */
function columnKeys({ field, type }: SortColumn, table: EventTable): (index: number) => SortKey {
  const column = table.column(field);
  if (type !== 'number' && type !== 'any') return (index) => keyOf(column.at(index), type);
  const numberAt = column.numberReader();
  return (index) => {
    const number = numberAt(index);
    return Number.isNaN(number) ? column.at(index) : number;
  };
}

function keyOf(value: string | undefined, type: SortType): SortKey {
  if (value === undefined || type === 'string') return value;
  if (type !== 'hex') return sortKey(value);
  const [, digits] = /^(?:0x)?([\da-f]+)$/i.exec(value) ?? [];
  if (digits === undefined) return value;
  const number = Number.parseInt(digits, 16);
  // A number can't represent all 64-bit identifiers.
  return Number.isSafeInteger(number) ? number : BigInt(`0x${digits}`);
}
