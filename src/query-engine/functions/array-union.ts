import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields, withoutBrackets } from '../arrays/array-fields.ts';
import { type Fields, writeField } from '../event.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { textBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** One array of all elements that occur in an array of any event, in the order in which they come. */
export const arrayUnion = defineAggregate({
  name: 'array:union',
  parameters: { array: required(arrayName, { unnamed: true }), as: withDefault(fieldName, '_union') },
  compile: ({ array, as }) =>
    rowAggregate({
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
              } else run.warn(`array:union() keeps at most ${MAX_ROWS} different elements.`);
              return false;
            });
          },
          rows: () => arrayRow(as, values),
        };
      },
    }),
});

/** A row that is nothing but an array; no row for an array without elements. */
export function* arrayRow(name: string, values: ReadonlySet<string>): SlicedWork<readonly Fields[]> {
  if (values.size === 0) return [];
  const row: Fields = {};
  const array = new ArrayFields(withoutBrackets(name));
  let index = 0;
  for (const value of values) {
    writeField(row, array.fieldAt(index), value);
    index += 1;
    if (index % ITEMS_PER_STEP === 0) yield;
  }
  return [row];
}
