import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import type { Fields } from '../event.ts';
import { textBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** One array of all elements that occur in an array of any event, in the order in which they come. */
export const arrayUnion = defineAggregate({
  name: 'array:union',
  parameters: { array: required(arrayName, { unnamed: true }), as: withDefault(fieldName, '_union') },
  compile: ({ array, as }) => ({
    columns: () => undefined,
    open(run) {
      const values = new Set<string>();
      return {
        push(row) {
          array.some(row, (value) => {
            if (values.has(value)) return false;
            if (values.size < MAX_ROWS) {
              values.add(value);
              run.retain?.(textBytes(value));
            } else run.warn(`array:union() keeps ${MAX_ROWS} different elements.`);
            return false;
          });
        },
        rows: () => arrayRow(as, values),
      };
    },
  }),
});

/** A row that is nothing but an array; no row for an array without elements. */
export function arrayRow(name: string, values: ReadonlySet<string>): readonly Fields[] {
  if (values.size === 0) return [];
  const row: Fields = {};
  new ArrayFields(name.replace(/\[\]$/, '')).write(row, [...values]);
  return [row];
}
