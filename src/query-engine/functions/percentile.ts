import { Quantiles } from '../aggregates/quantiles.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { fieldName, listOf, number } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber, parseNumber } from '../value.ts';

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
    return {
      columns: () => names,
      reads: [field],
      open: () => new PercentileAccumulator(field, { percentiles, names, accuracy }),
    };
  },
});

interface Wanted {
  readonly percentiles: readonly number[];
  readonly names: readonly string[];
  readonly accuracy: number;
}

class PercentileAccumulator implements Accumulator {
  readonly #field: string;
  readonly #wanted: Wanted;
  readonly #quantiles: Quantiles;

  constructor(field: string, wanted: Wanted) {
    this.#field = field;
    this.#wanted = wanted;
    this.#quantiles = new Quantiles(wanted.accuracy);
  }

  push(row: Fields): void {
    const value = readField(row, this.#field);
    const read = value === undefined ? undefined : parseNumber(value);
    if (read !== undefined) this.#quantiles.add(read);
  }

  from(table: EventTable): TakeEvent {
    const numberAt = table.column(this.#field).numberReader();
    return (index) => {
      const number = numberAt(index);
      if (!Number.isNaN(number)) this.#quantiles.add(number);
    };
  }

  rows(): readonly Fields[] {
    const values = this.#quantiles.at(this.#wanted.percentiles);
    if (values === undefined) return [];
    const row: Fields = {};
    for (const [index, name] of this.#wanted.names.entries()) {
      writeField(row, name, formatNumber(values[index] ?? 0));
    }
    return [row];
  }
}
