import { singleField } from '../aggregates/result-rows.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';
import { timeOf } from '../time/epoch.ts';
import { parseNumber, toText } from '../value.ts';

interface Point {
  readonly time: number;
  readonly value: number;
}

/**
 * The growth of a counter per second, from its first to its last value. No result if it ever decreases (a reset), or if
 * all values have the same time.
 */
export const counterAsRate = define.aggregate({
  name: 'counterAsRate',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    as: withDefault(fieldName, '_rate'),
  },
  uncertain: ['The rate is computed from the first and last value by time.'],
  compile: ({ field, as }) =>
    rowAggregate({
      columns: () => [as],
      open: () => counterRate(field, as),
    }),
});

function counterRate(field: string, as: string): RowAccumulator {
  let first: Point | undefined;
  let last: Point | undefined;
  let wasReset = false;
  return {
    push(row) {
      const time = timeOf(row);
      const value = parseNumber(readField(row, field) ?? '');
      if (time === undefined || value === undefined) return;
      const point = { time, value };
      first ??= point;
      if (last !== undefined && value < last.value) wasReset = true;
      last = point;
    },
    rows() {
      if (first === undefined || last === undefined || wasReset) return [];
      const seconds = (last.time - first.time) / 1000;
      return seconds <= 0 ? [] : singleField(as, toText((last.value - first.value) / seconds));
    },
  };
}

const OUTPUTS = ['slope', 'intercept', 'r2', 'n'] as const;

/** Simple linear regression with adjusted R². No result if all x or all y are equal. */
export const linReg = define.aggregate({
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
      open: () => linearRegression(x, y, prefix),
    }),
});

function linearRegression(xField: string, yField: string, prefix: string): RowAccumulator {
  let n = 0;
  let [meanX, meanY] = [0, 0];
  // Sums of deviations from the means, which keep small differences between large numbers.
  let [xx, yy, xy] = [0, 0, 0];
  return {
    push(row) {
      const x = parseNumber(readField(row, xField) ?? '');
      const y = parseNumber(readField(row, yField) ?? '');
      if (x === undefined || y === undefined) return;
      n += 1;
      const fromX = x - meanX;
      const fromY = y - meanY;
      meanX += fromX / n;
      meanY += fromY / n;
      xx += fromX * (x - meanX);
      yy += fromY * (y - meanY);
      xy += fromX * (y - meanY);
    },
    rows() {
      if (n < 2 || xx === 0 || yy === 0) return [];
      const slope = xy / xx;
      // Adjusted R²: with few pairs, a good fit means little.
      const unexplained = 1 - (slope * xy) / yy;
      const adjustedR2 = n === 2 ? 1 : 1 - (unexplained * (n - 1)) / (n - 2);
      const row: Fields = {};
      for (const [index, value] of [slope, meanY - slope * meanX, adjustedR2, n].entries()) {
        const result = toText(value);
        if (result === undefined) return [];
        writeField(row, prefix + OUTPUTS[index]!, result);
      }
      return [row];
    },
  };
}
