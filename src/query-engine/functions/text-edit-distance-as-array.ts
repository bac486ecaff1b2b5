import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { writeField } from '../event.ts';
import { type Edit, editStep, unknownColumns } from '../operators/row-code.ts';
import { expressions } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';
import { editDistance } from '../text/edit-distance.ts';
import { toText } from '../value.ts';
import { editDistanceParameters } from './text-edit-distance.ts';

/** The distances of a text from several others: `_distance[0].reference` and `_distance[0].distance`, and so on. */
export const textEditDistanceAsArray = defineTransform({
  name: 'text:editDistanceAsArray',
  uncertain: [
    'Elements have the members "reference" and "distance".',
    'References with a distance above `maxDistance` are omitted.',
  ],
  parameters: {
    ...editDistanceParameters,
    references: required(expressions),
    asArray: withDefault(arrayName, new ArrayFields('_distance')),
  },
  compile(args) {
    const {
      target,
      references,
      maxDistance,
      ignoreCase,
      allowTranspositions: transpositions,
      asArray,
    } = args;
    const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
    const edit: Edit = (row, _run, [compared, ...others]) => {
      const text = toText(compared);
      if (text === undefined) return;
      let count = 0;
      for (const other of others) {
        const reference = toText(other);
        if (reference === undefined) continue;
        const distance = editDistance(fold(text), fold(reference), { maxDistance, transpositions });
        if (distance === undefined) continue;
        writeField(row, `${asArray.fieldAt(count)}.reference`, reference);
        writeField(row, `${asArray.fieldAt(count)}.distance`, String(distance));
        count += 1;
      }
    };
    return editStep(edit, unknownColumns, [target, ...references]);
  },
});
