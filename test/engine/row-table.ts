import { type Column, type EventTable, type Fields, parseNumber, readField } from '../../src/engine/index.ts';

/** Rows as a table. Its columns have `distinct` if there are few values. */
export class RowTable implements EventTable {
  readonly #rows: readonly Fields[];

  constructor(rows: readonly Fields[]) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  get isStable(): true {
    return true;
  }

  get stored(): this {
    return this;
  }

  column(name: string): Column {
    const values = this.#rows.map((row) => readField(row, name));
    const different = [...new Set(values)];
    return {
      at: (index) => values[index],
      numberReader: () => (index) => parseNumber(values[index] ?? '') ?? Number.NaN,
      distinct:
        different.length > Math.max(1, values.length * 0.75)
          ? undefined
          : {
              count: different.length,
              idAt: (index) => different.indexOf(values[index]),
              values: different,
            },
    };
  }

  timeAt(index: number): number {
    return parseNumber(this.#rows[index]!['@timestamp'] ?? '') ?? Number.NaN;
  }

  row(index: number): Fields {
    return this.#rows[index]!;
  }

  isInText(): boolean {
    return false;
  }
}
