import { takeNumbers } from '../aggregates/numeric-aggregate.ts';
import { Quantiles, SlidingQuantiles } from '../aggregates/quantiles.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { fieldName, listOf, number } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

/** Percentiles of a field's numbers: values that occur, exact for up to 10,000 numbers. */
export const percentile = defineAggregate({
  name: 'percentile',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    percentiles: withDefault(listOf(number, 'numbers'), [50, 75, 99]),
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
    const opened = (quantiles: Quantiles | SlidingQuantiles): Accumulator => ({
      from: (table) => takeNumbers(table, field, (read) => quantiles.add(read)),
      rows() {
        const values = quantiles.at(percentiles);
        if (values === undefined) return [];
        const row: Fields = {};
        for (const [index, name] of names.entries()) writeField(row, name, formatNumber(values[index] ?? 0));
        return [row];
      },
    });
    return {
      columns: () => names,
      reads: [field],
      open: () => opened(new Quantiles(accuracy)),
      openWindow() {
        const quantiles = new SlidingQuantiles();
        return {
          ...opened(quantiles),
          forget: (table) => takeNumbers(table, field, (read) => quantiles.forget(read)),
        };
      },
    };
  },
});
