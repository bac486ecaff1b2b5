import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { readsOfAll } from '../columns/expression.ts';
import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import { openWindow } from './aggregate-window.ts';
import { type Accumulator, type AggregateStep, type Columns, slicedRows } from './operator.ts';

/**
 * Several aggregates over the same rows. The result is every combination of their rows; one that has no row takes
 * part with an empty one.
 */
export function aggregateList(members: readonly AggregateStep[]): AggregateStep {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return {
    open: (run) =>
      new AggregateList(
        members.map((member) => member.open(run)),
        run,
      ),
    openWindow(run) {
      const windows = members.map((member) => openWindow(member, run));
      const list = new AggregateList(windows, run);
      return {
        from: (table) => list.from(table),
        forget: (table) => joined(windows.map((window) => window.forget(table))),
        rows: () => list.rows(),
      };
    },
    members,
    reads: readsOfAll(members),
    columns(before): Columns {
      const columns = members.map((member) => member.columns(before));
      // One whose columns are not known beforehand leaves those of the whole unknown.
      return columns.includes(undefined) ? undefined : [...new Set(columns.flatMap((names) => names ?? []))];
    },
  };
}

function joined(members: readonly (TakeEvent | undefined)[]): TakeEvent {
  const takes = members.filter((take) => take !== undefined);
  return (index) => {
    for (const take of takes) take(index);
  };
}

class AggregateList implements Accumulator {
  readonly #members: readonly Accumulator[];
  readonly #run: RunScope;

  constructor(members: readonly Accumulator[], run: RunScope) {
    this.#members = members;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    return joined(this.#members.map((member) => member.from(table)));
  }

  *rows(): SlicedWork<readonly Fields[]> {
    let combined: Fields[] = [{}];
    for (const member of this.#members) {
      const rows = yield* slicedRows(member);
      if (rows.length === 0) continue;
      combined = yield* this.#product(combined, rows);
    }
    return combined;
  }

  /** Two results of moderate size can have more combinations than there is memory. */
  *#product(lefts: readonly Fields[], rights: readonly Fields[]): SlicedWork<Fields[]> {
    const { retain } = scopeOfRead(this.#run);
    const product: Fields[] = [];
    for (const left of lefts) {
      for (const right of rights) {
        if (product.length >= MAX_ROWS) {
          this.#run.warn(`The results of several functions have more than ${MAX_ROWS} combinations.`);
          return product;
        }
        const row = this.#combine(left, right);
        retain?.(rowBytes(row));
        product.push(row);
        if (product.length % ITEMS_PER_STEP === 0) yield;
      }
    }
    return product;
  }

  #combine(left: Fields, right: Fields): Fields {
    const row = copyFields(left);
    for (const name of Object.keys(right)) {
      const value = right[name]!;
      const earlier = readField(row, name);
      if (earlier === undefined) writeField(row, name, value);
      else if (earlier !== value) {
        this.#run.warn(
          `Two functions set the field "${name}" to different values. The first is kept; use "as" to rename one.`,
        );
      }
    }
    return row;
  }
}
