import { computedValues } from '../columns/expression.ts';
import { readField } from '../event.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** The field whose name an expression gives. */
export const getField = defineValue({
  name: 'getField',
  output: '_getField',
  parameters: { source: required(expression, { unnamed: true }), as: optional(fieldName) },
  compile: ({ source }) => ({
    reads: source.reads,
    over(table, run) {
      const names = source.over(table, run);
      return computedValues((index) => {
        const name = toText(names.at(index));
        return name === undefined ? undefined : readField(table.row(index), name);
      });
    },
  }),
});
