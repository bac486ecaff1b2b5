import { type Fields, readField, writeField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, limit } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

const DEFAULT_ROWS = 5;
const MAX_ROWS = 1000;

/** Makes rows of columns: one for each field, with what the first rows have in it beside each other. */
export const transpose = defineAggregate({
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
    const options = {
      header: pivot ?? header,
      column: pivot ?? column ?? 'column',
      limit: maxRows,
      isOwnLimit: call.has('limit'),
    };
    // What the rows hold decides about the columns.
    return rowAggregate({ columns: () => undefined, open: (run) => new Transpose(options, run) });
  },
});

interface TransposeOptions {
  /** The field whose values name the columns. */
  readonly header: string | undefined;
  /** The column with the names of the fields. */
  readonly column: string;
  readonly limit: number;
  readonly isOwnLimit: boolean;
}

class Transpose implements RowAccumulator {
  readonly #options: TransposeOptions;
  readonly #run: RunScope;
  readonly #rows: Fields[] = [];

  constructor(options: TransposeOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
  }

  push(row: Fields): void {
    const { limit, isOwnLimit } = this.#options;
    if (this.#rows.length < limit) this.#rows.push(row);
    else if (!isOwnLimit) this.#run.warn(`transpose() uses at most ${limit} rows. Set "limit" for more.`);
  }

  rows(): readonly Fields[] {
    const { header, column } = this.#options;
    const names = new Set(this.#rows.flatMap((row) => Object.keys(row)));
    if (header !== undefined) names.delete(header);
    return [...names].sort().map((name) => {
      const transposed: Fields = {};
      writeField(transposed, column, name);
      for (const [index, row] of this.#rows.entries()) {
        const value = readField(row, name);
        const title = header === undefined ? undefined : readField(row, header);
        if (value !== undefined) writeField(transposed, title ?? `row[${index + 1}]`, value);
      }
      return transposed;
    });
  }
}
