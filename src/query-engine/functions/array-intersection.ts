import { arrayName } from '../arrays/array-arguments.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { arrayRow } from './array-union.ts';

/** One array of the elements that occur in an array of every event. Events without the array are ignored. */
export const arrayIntersection = defineAggregate({
  name: 'array:intersection',
  parameters: { array: required(arrayName, { unnamed: true }), as: withDefault(fieldName, '_intersection') },
  compile: ({ array, as }) =>
    rowAggregate({
      columns: () => undefined,
      open() {
        let common: Set<string> | undefined;
        return {
          push(row) {
            if (common?.size === 0) return;
            const values = array.valuesIn(row);
            if (values.length === 0) return;
            common = new Set(common === undefined ? values : values.filter((value) => common?.has(value)));
          },
          rows: () => arrayRow(as, common ?? new Set()),
        };
      },
    }),
});
