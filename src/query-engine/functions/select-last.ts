import { keyRow } from '../aggregates/groups.ts';
import { type Fields, readField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, required } from '../signature/function-spec.ts';
import { timeOf } from '../time/event-time.ts';

/** For each field the value of the newest event that has it; of several with the same time, the last. */
export const selectLast = defineAggregate({
  name: 'selectLast',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) =>
    rowAggregate({
      columns: () => fields,
      reads: ['@timestamp', ...fields],
      open: () => new SelectLast(fields),
    }),
});

class SelectLast implements RowAccumulator {
  readonly #fields: readonly string[];
  readonly #values: (string | undefined)[];
  readonly #times: number[];
  #latest = Number.NEGATIVE_INFINITY;

  constructor(fields: readonly string[]) {
    this.#fields = fields;
    this.#values = fields.map(() => undefined);
    this.#times = fields.map(() => Number.NEGATIVE_INFINITY);
  }

  push(row: Fields): void {
    const time = timeOf(row) ?? this.#latest;
    this.#latest = time;
    for (let index = 0; index < this.#fields.length; index += 1) {
      const value = readField(row, this.#fields[index]!);
      if (value === undefined || time < this.#times[index]!) continue;
      this.#values[index] = value;
      this.#times[index] = time;
    }
  }

  rows(): readonly Fields[] {
    return this.#values.every((value) => value === undefined) ? [] : [keyRow(this.#fields, this.#values)];
  }
}
