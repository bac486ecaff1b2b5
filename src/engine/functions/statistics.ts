import { DistinctValues } from '../aggregates/distinct-values.ts';
import { defineNumericAggregate, numbersOf, takeNumbers } from '../aggregates/numeric-aggregate.ts';
import { Quantiles, SlidingQuantiles } from '../aggregates/quantiles.ts';
import { countStep, rowOfValues, singleField } from '../aggregates/result-rows.ts';
import { columnTest, takeWhere } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Expression } from '../columns/expression.ts';
import { type Fields, readNumber, writeField } from '../event.ts';
import type { Accumulator, WindowAccumulator } from '../operators/operator.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import type { RunScope } from '../run/run-context.ts';
import {
  aggregates,
  expression,
  fieldName,
  flag,
  listOf,
  number,
  text,
} from '../signature/argument-types.ts';
import {
  define,
  type FunctionSpec,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { formatNumber, toBoolean, toText } from '../value.ts';

/**
 * Distinct values are counted exactly up to this number; beyond it, the result is an estimate within about one percent.
 */
const MAX_EXACT = 100_000;

/** The number of events, of those that have a field, or of the field's distinct values. */
export const count = define.aggregate({
  name: 'count',
  partial: [
    `Up to ${MAX_EXACT / 1000},000 distinct values are counted exactly. Larger counts are estimates, accurate to about 1%.`,
  ],
  parameters: {
    field: optional(fieldName, { unnamed: true }),
    as: withDefault(fieldName, '_count'),
    distinct: withDefault(flag, false),
  },
  compile({ field, as, distinct }, call) {
    if (field === undefined) {
      return distinct ? call.fail('count(distinct=true) needs a field', 'distinct') : countStep(as);
    }
    const columns = () => [as];
    if (distinct) {
      return {
        columns,
        open: (run) => countDistinct(field, as, run),
        openWindow: () => countDistinctInWindow(field, as),
      };
    }
    const open = (run: RunScope): WindowAccumulator => countField(field, as, run);
    return { columns, open, openWindow: open };
  },
});

function countField(field: string, as: string, run: RunScope): WindowAccumulator {
  let found = 0;
  const add = (table: EventTable, change: number): TakeEvent | undefined => {
    const has = columnTest(table.column(field), (value) => value !== undefined, run);
    const count = (): void => {
      found += change;
    };
    return takeWhere(has, count, run);
  };
  return {
    from: (table) => add(table, 1),
    forget: (table) => add(table, -1),
    rows: () => singleField(as, formatNumber(found)),
  };
}

function countDistinct(field: string, as: string, run: RunScope): Accumulator {
  const values = new DistinctValues(MAX_EXACT, run);
  return {
    from: (table) => takeTexts(table, field, (value) => values.add(value)),
    rows: () => singleField(as, formatNumber(values.size)),
  };
}

function countDistinctInWindow(field: string, as: string): WindowAccumulator {
  const counts = new Map<string, number>();
  return {
    from: (table) => takeTexts(table, field, (value) => counts.set(value, (counts.get(value) ?? 0) + 1)),
    forget: (table) =>
      takeTexts(table, field, (value) => {
        const left = counts.get(value)! - 1;
        if (left === 0) counts.delete(value);
        else counts.set(value, left);
      }),
    rows: () => singleField(as, formatNumber(counts.size)),
  };
}

function takeTexts(table: EventTable, field: string, take: (value: string) => void): TakeEvent {
  const column = table.column(field);
  return (index) => {
    const value = column.at(index);
    if (value !== undefined) take(value);
  };
}

const asItIs = (number: number): number => number;

/** The sum of a field's numbers; 0 if there are none. */
export const sum = defineNumericAggregate('sum', '_sum', {
  of: asItIs,
  combine: (a, b) => a + b,
  result: asItIs,
  empty: 0,
});

export const avg = defineNumericAggregate('avg', '_avg', {
  of: asItIs,
  combine: (a, b) => a + b,
  result: (total, count) => total / count,
});

export const min = defineNumericAggregate(
  'min',
  '_min',
  { of: asItIs, combine: (a, b) => (b < a ? b : a), result: asItIs },
  { hasType: true },
);

export const max = defineNumericAggregate(
  'max',
  '_max',
  { of: asItIs, combine: (a, b) => (b > a ? b : a), result: asItIs },
  { hasType: true },
);

/** The difference between the largest and the smallest of a field's numbers. */
export const range = defineNumericAggregate('range', '_range', {
  of: (number) => ({ smallest: number, largest: number }),
  combine: (a, b) => ({
    smallest: Math.min(a.smallest, b.smallest),
    largest: Math.max(a.largest, b.largest),
  }),
  result: ({ smallest, largest }) => largest - smallest,
});

/** The population standard deviation of a field's numbers. */
export const stdDev = defineNumericAggregate(
  'stdDev',
  '_stddev',
  {
    // The method of Chan et al., which keeps small differences between large numbers.
    of: (number) => ({ count: 1, mean: number, squares: 0 }),
    combine(a, b) {
      const count = a.count + b.count;
      const distance = b.mean - a.mean;
      const mean = a.mean + (distance * b.count) / count;
      const squares = a.squares + b.squares + distance * (b.mean - mean) * b.count;
      return { count, mean, squares };
    },
    result: ({ count, squares }) => Math.sqrt(squares / count),
  },
  { uncertain: ['The result is the population standard deviation, not the sample standard deviation.'] },
);

/** The percentage of events that satisfy a condition; no result without events. A null condition is false. */
export const percentage = define.aggregate({
  name: 'percentage',
  parameters: { condition: unnamed(expression), as: withDefault(fieldName, '_percentage') },
  uncertain: ['Without events, there is no result row.'],
  compile: ({ condition, as }) => ({
    columns: () => [as],
    open: (run) => countMet(condition, as, run),
    openWindow: (run) => countMet(condition, as, run),
  }),
});

function countMet(condition: Expression, as: string, run: RunScope): WindowAccumulator {
  let all = 0;
  let met = 0;
  const add = (table: EventTable, change: number): TakeEvent => {
    const values = condition.over(table, run);
    return (index) => {
      all += change;
      if (toBoolean(values.at(index)) === true) met += change;
    };
  };
  return {
    from: (table) => add(table, 1),
    forget: (table) => add(table, -1),
    rows: () => singleField(as, all === 0 ? undefined : toText((met / all) * 100)),
  };
}

/** Percentiles of a field's numbers, exact for up to 10,000 numbers. A percentile is always one of the numbers. */
export const percentile = define.aggregate({
  name: 'percentile',
  uncertain: ['Of n sorted numbers, percentile p is the one at index ⌊(n-1)*p/100⌋, counted from 0.'],
  parameters: {
    field: unnamed(fieldName),
    percentiles: withDefault(listOf(number), [50, 75, 99]),
    as: optional(fieldName),
    accuracy: withDefault(number, 0.01),
  },
  compile({ field, percentiles, as = '', accuracy }, call) {
    if (percentiles.some((percentage) => percentage < 0 || percentage > 100)) {
      call.fail('Percentiles must be between 0 and 100', 'percentiles');
    }
    if (accuracy < 1e-6 || accuracy >= 1) {
      call.fail('The accuracy must be between 0.000001 and 1', 'accuracy');
    }
    const names = percentiles.map((percentage) => `${as}_${formatNumber(percentage)}`);
    const numbers = numbersOf(field, 'percentile');
    const opened = (quantiles: Quantiles | SlidingQuantiles, run: RunScope): Accumulator => ({
      from: (table) => takeNumbers(table, numbers, run, (read) => quantiles.add(read)),
      rows() {
        const values = quantiles.at(percentiles);
        return values === undefined ? [] : [rowOfValues(names, values.map(formatNumber))];
      },
    });
    return {
      columns: () => names,
      open: (run) => opened(new Quantiles(accuracy), run),
      openWindow(run) {
        const quantiles = new SlidingQuantiles();
        return {
          ...opened(quantiles, run),
          forget: (table) => takeNumbers(table, numbers, run, (read) => quantiles.forget(read)),
        };
      },
    };
  },
});

export const stats = define.aggregate({
  name: 'stats',
  partial: [
    'If two functions set a field to different values, the service returns an error. The local server warns and keeps the first value.',
  ],
  parameters: { function: withDefault(aggregates, countStep(), { unnamed: true }) },
  compile: (args) => args.function,
});

/** The functions that `callFunction()` can call. */
const CALLABLE: readonly FunctionSpec[] = [avg, count, max, min, range, sum];

/** An aggregate of one field; the function's name is a string or a query parameter. */
export const callFunction = define.aggregate({
  name: 'callFunction',
  parameters: {
    function: unnamed(text),
    field: required(fieldName),
    as: withDefault(fieldName, '_function'),
  },
  compile({ function: name, field, as }, call) {
    const called = CALLABLE.find((spec) => spec.name === name.toLowerCase());
    const compiled = called?.compile({ named: { field, as, distinct: false }, others: [] }, call);
    if (compiled?.kind === 'aggregate') return compiled.step;
    const names = CALLABLE.map((spec) => spec.name).join(', ');
    return call.fail(`callFunction() can call ${names}, but not ${name}`, 'function');
  },
});

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
  parameters: { field: unnamed(fieldName), as: withDefault(fieldName, '_rate') },
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
      const time = readNumber(row, '@timestamp');
      const value = readNumber(row, field);
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
  parameters: { x: required(fieldName), y: required(fieldName), prefix: withDefault(text, '_') },
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
      const x = readNumber(row, xField);
      const y = readNumber(row, yField);
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
