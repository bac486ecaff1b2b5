import { ChangedTable, computedColumn } from '../columns/changed-table.ts';
import { takeWhere } from '../columns/column-test.ts';
import { overRows } from '../columns/row-view.ts';
import { copyFields } from '../event.ts';
import { type StreamStep, withColumns } from '../operators/operator.ts';
import { rowStep } from '../operators/row-code.ts';
import { type TableMatch, writeColumns } from './table-match.ts';

export interface MatchedRowsOptions {
  /** Whether to keep events without a match. */
  readonly keepOthers: boolean;
  /** Maximum number of rows that become an event each. */
  readonly maxRows: number;
  /** Whether the last matching row comes first. */
  readonly lastFirst: boolean;
}

/** Adds the columns of matching rows to events: one event per row. */
export function matchedRowsStep(match: TableMatch, options: MatchedRowsOptions): StreamStep {
  const { outputs } = match;
  const columns: StreamStep['columns'] = (before) => outputs && withColumns(before, outputs);
  if (options.maxRows === 1) return { ...lastRowStep(match, options.keepOthers), columns };
  return rowsStep(match, options, columns);
}

function lastRowStep(match: TableMatch, keepOthers: boolean): StreamStep {
  return {
    open(run, next) {
      const { index: tableIndex, rows, included } = match.open(run);
      return {
        from(table) {
          const found = overRows(table, match.fields, (row) => tableIndex.last(row));
          const columns = included.map(({ name, position }) => {
            const before = table.column(name);
            const at = (index: number): string | undefined =>
              rows[found(index)]?.[position] ?? before.at(index);
            return [name, computedColumn(at)] as const;
          });
          const take = next.from(new ChangedTable(table, new Map(columns)));
          return takeWhere(keepOthers || ((index) => found(index) !== -1), take);
        },
      };
    },
  };
}

function rowsStep(
  match: TableMatch,
  { keepOthers, maxRows, lastFirst }: MatchedRowsOptions,
  columns: StreamStep['columns'],
): StreamStep {
  return rowStep((run, emit) => {
    const table = match.open(run);
    return (row) => {
      const found = table.index.lastOnes(row, maxRows);
      if (found.length === 0 && keepOthers) emit(row);
      for (const number of lastFirst ? found : found.toReversed()) {
        const copy = copyFields(row);
        writeColumns(copy, table, number);
        emit(copy);
      }
    };
  }, columns);
}
