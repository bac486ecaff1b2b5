import { copyFields } from '../event.ts';
import { type TableMatch, writeColumns } from '../tables/table-match.ts';
import { type StreamStep, withColumns } from './operator.ts';

export interface MatchedRowsOptions {
  /** Hand on events without a match as they are. */
  readonly keepOthers: boolean;
  /** How many rows of the table make an event each. */
  readonly maxRows: number;
  /** Whether the events of several rows come with that of the last row first. */
  readonly lastFirst: boolean;
}

/** Gives events the columns of the rows that match them: one event for each row. */
export function matchedRowsStep(match: TableMatch, options: MatchedRowsOptions): StreamStep {
  const { keepOthers, maxRows, lastFirst } = options;
  return {
    effect: keepOthers ? 'reads' : 'renews',
    reads: match.fields,
    open(run, emit, owned) {
      const table = match.open(run);
      if (maxRows === 1) {
        return (row, stored) => {
          const found = table.index.last(row);
          if (found !== -1) {
            const target = owned ? row : copyFields(row);
            writeColumns(target, table, found);
            emit(target, stored);
          } else if (keepOthers) emit(row, stored);
        };
      }
      return (row, stored) => {
        const found = table.index.lastOnes(row, maxRows);
        if (found.length === 0 && keepOthers) emit(row, stored);
        for (const number of lastFirst ? found : found.toReversed()) {
          const copy = copyFields(row);
          writeColumns(copy, table, number);
          emit(copy, stored);
        }
      };
    },
    columns: (before) => (match.outputs === undefined ? undefined : withColumns(before, match.outputs)),
  };
}
