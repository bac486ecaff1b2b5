import { ChangedTable } from '../columns/changed-table.ts';
import type { EventTable, Sink } from '../columns/event-table.ts';
import type { Expression } from '../columns/expression.ts';
import { RowTable } from '../columns/row-table.ts';
import { copyFields, type Fields, readField } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Value } from '../value.ts';
import {
  type Accumulator,
  type AggregateStep,
  type Columns,
  type StreamStep,
  withColumns,
} from './operator.ts';

/** Processes a row, which it may modify, and emits its own rows. */
type RowStep = (
  run: RunScope,
  emit: (row: Fields) => void,
) => (row: Fields, values: readonly Value[]) => void;

/** The fields that a step adds, or those after it. */
type ColumnsAfter = readonly string[] | ((before: Columns) => Columns);

/**
 * A step that is written for single rows.
 *
 * @param inputs expressions whose values it receives with each row.
 */
export function rowStep(
  open: RowStep,
  columns?: ColumnsAfter,
  inputs: readonly Expression[] = [],
): StreamStep {
  return {
    open(run, next) {
      let emit: (row: Fields) => void = () => {};
      const push = open(run, (row) => emit(row));
      return {
        from(table) {
          const handOn = passingRows(table, next);
          if (handOn === undefined) return undefined;
          const values = inputs.map((input) => input.over(table, run));
          return (index) => {
            emit = (row) => handOn(row, index);
            push(
              copyFields(table.row(index)),
              values.map((each) => each.at(index)),
            );
          };
        },
      };
    },
    ...(columns && {
      columns: typeof columns === 'function' ? columns : (before: Columns) => withColumns(before, columns),
    }),
  };
}

/** Passes on rows that were created from the events of a table. */
export function passingRows(
  table: EventTable,
  next: Sink,
): ((row: Fields, index: number) => void) | undefined {
  let current: Fields = {};
  let source = 0;
  let count = 0;
  const stored = RowTable.passing(() => table.stored.row(source));
  const take = next.from(RowTable.passing(() => current, stored));
  if (take === undefined) return undefined;
  return (row, index) => {
    current = row;
    source = index;
    take(count++);
  };
}

/** Changes a row in place. `values` are those of the step's inputs. */
export type Edit = (row: Fields, run: RunScope, values: readonly Value[]) => void;

/** A step that changes each row in place. */
export function editStep(edit: Edit, columns?: ColumnsAfter, inputs: readonly Expression[] = []): StreamStep {
  const open: RowStep = (run, emit) => (row, values) => {
    edit(row, run, values);
    emit(row);
  };
  return rowStep(open, columns, inputs);
}

/** A step that changes each row with a field, by the value of that field. */
export function fieldStep(
  field: string,
  columns: ColumnsAfter,
  edit: (value: string, row: Fields, run: RunScope) => void,
): StreamStep {
  return editStep((row, run) => {
    const value = readField(row, field);
    if (value !== undefined) edit(value, row, run);
  }, columns);
}

/** For steps whose output fields are not known in advance. */
export const unknownColumns = (): Columns => undefined;

/** The state of an aggregate that is written for single rows. */
export interface RowAccumulator extends Pick<Accumulator, 'rows'> {
  /** Adds a row. May keep it, but must not modify it. */
  push(row: Fields): void;
}

/** An aggregate that is written for single rows. */
export interface RowAggregate extends Omit<AggregateStep, 'open'> {
  /** The fields of its input rows. Default: all. */
  readonly reads?: readonly string[];
  open(run: RunScope): RowAccumulator;
}

export function rowAggregate({ open, ...facts }: RowAggregate): AggregateStep {
  const { reads } = facts;
  return {
    ...facts,
    open(run) {
      const accumulator = open(run);
      return {
        from(table) {
          const rows = reads === undefined ? table : ChangedTable.picked(table, reads);
          return (index) => accumulator.push(rows.row(index));
        },
        rows: () => accumulator.rows(),
      };
    },
  };
}
