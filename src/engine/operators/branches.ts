import { BranchTable } from '../columns/branch-table.ts';
import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { RowTable } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { columnsAfter, openSteps, type StreamStep } from './operator.ts';

/**
 * `case` and `match`: passes an event to the branches in order, until one of them emits something. If none does, the
 * event is dropped. A branch that discards the event also ends the search.
 */
export function branchesStep(clauses: readonly (readonly StreamStep[])[]): StreamStep {
  return {
    open: (run, next) => ({
      from(table) {
        const { discards } = run;
        const merge = new Merge();
        const inputs = clauses.map((steps) => openSteps(steps, run, merge.branch()).from(table));
        if (!merge.open(table, next)) return undefined;
        return (index) => {
          merge.hasHandedOn = false;
          const discarded = discards.count;
          for (const input of inputs) {
            input?.(index);
            if (merge.hasHandedOn || discards.count !== discarded) return;
          }
        };
      },
    }),
    columns(before) {
      const all = clauses.map((steps) => columnsAfter(steps, before));
      return before && [...new Set(all.flatMap((columns) => columns ?? []))];
    },
  };
}

/** Merges the output of the branches into one table. Otherwise, each `case` would multiply the tables after it. */
class Merge {
  hasHandedOn = false;
  readonly #tables: EventTable[] = [];
  #handOn: (branch: number, index: number) => void = () => {};

  /** The sink of one branch. */
  branch(): Sink {
    return {
      from: (table) => {
        const branch = this.#tables.push(table) - 1;
        return (index) => {
          this.hasHandedOn = true;
          this.#handOn(branch, index);
        };
      },
    };
  }

  /** Call it when all branches are open. @returns true if `next` needs any events. */
  open(before: EventTable, next: Sink): boolean {
    if (this.#tables.every(({ isStable }) => isStable)) {
      const merged = new BranchTable(before, this.#tables);
      const take = next.from(merged);
      this.#handOn = (branch, index) => {
        merged.setWinner(index, branch);
        take?.(index);
      };
      return take !== undefined;
    }
    return this.#openRows(next);
  }

  /** If events can't be read later, passes on rows instead. */
  #openRows(next: Sink): boolean {
    let row: Fields = {};
    let stored = (): Fields => row;
    let count = 0;
    const passing = RowTable.passing(
      () => row,
      RowTable.passing(() => stored()),
    );
    const take: TakeEvent | undefined = next.from(passing);
    this.#handOn = (branch, index) => {
      const table = this.#tables[branch]!;
      row = table.row(index);
      stored = () => table.stored.row(index);
      take?.(count++);
    };
    return take !== undefined;
  }
}
