import { type Fields, readField, writeField } from '../event.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { fieldName, limit } from '../signature/argument-types.ts';
import { define, optional, withDefault } from '../signature/function-spec.ts';

const DEFAULT_ROWS = 5;
const MAX_ROWS = 1000;

/** Swaps rows and columns: one row per field, with its values in the first rows as columns. */
export const transpose = define.aggregate({
  name: 'transpose',
  parameters: {
    pivot: optional(fieldName, { unnamed: true }),
    header: optional(fieldName),
    column: optional(fieldName),
    limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS),
  },
  uncertain: ['If several rows have the same header value, the last one wins.'],
  compile({ pivot, header, column, limit: maxRows }, call) {
    if (pivot !== undefined && (header !== undefined || column !== undefined)) {
      call.fail('transpose() accepts either "pivot", or "header" and "column"', 'pivot');
    }
    const title = pivot ?? header;
    const nameColumn = pivot ?? column ?? 'column';
    const isOwnLimit = call.has('limit');
    return rowAggregate({
      // The columns depend on the rows.
      columns: () => undefined,
      open(run) {
        const rows: Fields[] = [];
        return {
          push(row) {
            if (rows.length < maxRows) rows.push(row);
            else if (!isOwnLimit) {
              run.warn(`transpose() uses at most ${maxRows} rows. Set "limit" for more.`);
            }
          },
          rows: () => transposed(rows, title, nameColumn),
        };
      },
    });
  },
});

/**
 * @param header field whose values name the columns
 * @param nameColumn column with the names of the fields
 */
function transposed(
  rows: readonly Fields[],
  header: string | undefined,
  nameColumn: string,
): readonly Fields[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  if (header !== undefined) names.delete(header);
  return [...names].sort().map((name) => {
    const result: Fields = {};
    writeField(result, nameColumn, name);
    for (const [index, row] of rows.entries()) {
      const value = readField(row, name);
      const title = header === undefined ? undefined : readField(row, header);
      if (value !== undefined) writeField(result, title ?? `row[${index + 1}]`, value);
    }
    return result;
  });
}
