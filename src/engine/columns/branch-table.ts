import type { Fields } from '../event.ts';
import { DerivedTable } from './changed-table.ts';
import type { Column, EventTable } from './event-table.ts';

/** Events as changed by branches: each event comes from the branch that matched it. */
export class BranchTable extends DerivedTable {
  readonly #branches: readonly EventTable[];
  /** The matching branch of each event. */
  readonly #winners: Uint8Array | Uint16Array;

  constructor(before: EventTable, branches: readonly EventTable[]) {
    super(before);
    this.#branches = branches;
    this.#winners = branches.length > 256 ? new Uint16Array(before.length) : new Uint8Array(before.length);
  }

  setWinner(index: number, branch: number): void {
    this.#winners[index] = branch;
  }

  column(name: string): Column {
    const columns = this.#branches.map((branch) => branch.column(name));
    const winners = this.#winners;
    const at = (index: number): string | undefined => columns[winners[index]!]!.at(index);
    const numberReader = (): ((index: number) => number) => {
      const readers = columns.map((column) => column.numberReader());
      return (index) => readers[winners[index]!]!(index);
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
