import { type Fields, readField, writeField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber, toText } from '../value.ts';

const OUTPUTS = ['slope', 'intercept', 'r2', 'n'] as const;

/** The straight line that fits pairs of numbers best, and its adjusted R²; nothing when all x or all y are the same. */
export const linReg = defineAggregate({
  name: 'linReg',
  uncertain: ['Two points give an R² of 1.'],
  parameters: {
    x: required(fieldName),
    y: required(fieldName),
    prefix: withDefault(text, '_'),
  },
  compile: ({ x, y, prefix }) =>
    rowAggregate({
      columns: () => OUTPUTS.map((name) => prefix + name),
      reads: [x, y],
      open: () => new LinearRegression(x, y, prefix),
    }),
});

class LinearRegression implements RowAccumulator {
  readonly #x: string;
  readonly #y: string;
  readonly #prefix: string;
  #n = 0;
  #meanX = 0;
  #meanY = 0;
  // Sums of products of the distances from the means, which do not lose small differences between large numbers.
  #xx = 0;
  #yy = 0;
  #xy = 0;

  constructor(x: string, y: string, prefix: string) {
    this.#x = x;
    this.#y = y;
    this.#prefix = prefix;
  }

  push(row: Fields): void {
    const x = parseNumber(readField(row, this.#x) ?? '');
    const y = parseNumber(readField(row, this.#y) ?? '');
    if (x === undefined || y === undefined) return;
    this.#n += 1;
    const fromX = x - this.#meanX;
    const fromY = y - this.#meanY;
    this.#meanX += fromX / this.#n;
    this.#meanY += fromY / this.#n;
    this.#xx += fromX * (x - this.#meanX);
    this.#yy += fromY * (y - this.#meanY);
    this.#xy += fromX * (y - this.#meanY);
  }

  rows(): readonly Fields[] {
    if (this.#n < 2 || this.#xx === 0 || this.#yy === 0) return [];
    const slope = this.#xy / this.#xx;
    const results = [slope, this.#meanY - slope * this.#meanX, this.#adjustedR2(slope), this.#n];
    const row: Fields = {};
    for (const [index, name] of OUTPUTS.entries()) {
      const result = toText(results[index]);
      if (result === undefined) return [];
      writeField(row, this.#prefix + name, result);
    }
    return [row];
  }

  /** R², made smaller the fewer pairs there are: any two of them lie on a line. */
  #adjustedR2(slope: number): number {
    const unexplained = 1 - (slope * this.#xy) / this.#yy;
    return this.#n === 2 ? 1 : 1 - (unexplained * (this.#n - 1)) / (this.#n - 2);
  }
}
