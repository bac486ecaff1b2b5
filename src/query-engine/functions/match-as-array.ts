import { withoutBrackets } from '../arrays/array-fields.ts';
import { writeField } from '../event.ts';
import { rowStep, unknownColumns } from '../operators/row-code.ts';
import { limit, text } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';
import {
  MAX_MATCHED_ROWS,
  requireTableMatch,
  tableMatchParameters,
} from '../tables/table-match-arguments.ts';

/**
 * Gives events the rows of a table that match them as an array of objects: `rows[0].column`, `rows[1].column`. Of
 * more than `nrows` rows the last ones count; they come in the order of the table.
 */
export const matchAsArray = defineTransform({
  name: 'matchAsArray',
  parameters: {
    ...tableMatchParameters,
    nrows: required(limit({ max: MAX_MATCHED_ROWS })),
    asArray: withDefault(text, '_matchAsArray', { aliases: ['as'] }),
  },
  uncertain: ['Without `asArray`, the array is named `_matchAsArray`.'],
  compile({ nrows, asArray, strict, ...args }, call) {
    const match = requireTableMatch(args, 'string', call);
    const array = withoutBrackets(asArray);
    const keepOthers = !strict || match.isMissing;
    return rowStep((run, emit) => {
      const { index, included, rows } = match.open(run);
      return (row) => {
        const found = index.lastOnes(row, nrows).toReversed();
        if (found.length === 0 && !keepOthers) return;
        for (const [element, number] of found.entries()) {
          for (const { name, position } of included) {
            const value = rows[number]![position];
            if (value !== undefined) writeField(row, `${array}[${element}].${name}`, value);
          }
        }
        emit(row);
      };
    }, unknownColumns);
  },
});
