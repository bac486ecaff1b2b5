import type { Fields } from '../event.ts';
import { DerivedTable } from './changed-table.ts';
import type { Column, EventTable } from './event-table.ts';

/** Events as changed by branches: each event comes from the branch that matched it. */
export class BranchTable extends DerivedTable {
  readonly #branches: readonly EventTable[];
  /** The matching branch of each event. */
  readonly #winners: Uint8Array | Uint16Array;
  /** Kept: otherwise each `case` would double the work of those after it. */
  readonly #columns = new Map<string, Column>();

  constructor(before: EventTable, branches: readonly EventTable[]) {
    super(before);
    this.#branches = branches;
    this.#winners = branches.length > 256 ? new Uint16Array(before.length) : new Uint8Array(before.length);
  }

  setWinner(index: number, branch: number): void {
    this.#winners[index] = branch;
  }

  column(name: string): Column {
    const known =
      this.#columns.get(name) ?? this.#merged(this.#branches.map((branch) => branch.column(name)));
    this.#columns.set(name, known);
    return known;
  }

  #merged(columns: readonly Column[]): Column {
    const distinct = new Set(columns);
    if (distinct.size === 1) return columns[0]!;
    const winners = this.#winners;
    const at = (index: number): string | undefined => columns[winners[index]!]!.at(index);
    const numberReader = (): ((index: number) => number) => {
      const readers = new Map([...distinct].map((column) => [column, column.numberReader()]));
      const byBranch = columns.map((column) => readers.get(column)!);
      return (index) => byBranch[winners[index]!]!(index);
    };
    return { at, numberReader };
  }

  timeAt(index: number): number {
    return this.#branchOf(index).timeAt(index);
  }

  row(index: number): Fields {
    return this.#branchOf(index).row(index);
  }

  #branchOf(index: number): EventTable {
    return this.#branches[this.#winners[index]!]!;
  }
}
