import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { computed } from '../columns/expression.ts';
import { writeField } from '../event.ts';
import { type Edit, editStep, unknownColumns } from '../operators/row-code.ts';
import { expression, expressions, flag, integer } from '../signature/argument-types.ts';
import { type ArgumentsOf, define, required, withDefault } from '../signature/function-spec.ts';
import { editDistance } from '../text/text-distance.ts';
import { toText, type Value } from '../value.ts';

const editDistanceParameters = {
  target: required(expression),
  maxDistance: required(integer({ min: 0, max: 1000 })),
  ignoreCase: withDefault(flag, false, { aliases: ['caseInsensitive'] }),
  allowTranspositions: withDefault(flag, true),
};

/** The edit distance between two strings. No result above `maxDistance`. */
export const textEditDistance = define.value({
  name: 'text:editDistance',
  output: '_distance',
  uncertain: ['A distance above `maxDistance` sets no field.'],
  parameters: { ...editDistanceParameters, reference: required(expression) },
  compile: (args) => computed([args.target, args.reference], distanceFunction(args)),
});

/** The edit distances from one string to several: `_distance[0].reference` and `_distance[0].distance`, and so on. */
export const textEditDistanceAsArray = define.transform({
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
    const { target, references, asArray } = args;
    const distanceOf = distanceFunction(args);
    const edit: Edit = (row, _run, [text, ...others]) => {
      let count = 0;
      for (const reference of others) {
        const distance = distanceOf(text, reference);
        if (distance === undefined) continue;
        writeField(row, `${asArray.fieldAt(count)}.reference`, toText(reference)!);
        writeField(row, `${asArray.fieldAt(count)}.distance`, String(distance));
        count += 1;
      }
    };
    return editStep(edit, unknownColumns, [target, ...references]);
  },
});

type DistanceArguments = ArgumentsOf<typeof editDistanceParameters>;

/** Returns `undefined` above `maxDistance` and for null. */
function distanceFunction({
  maxDistance,
  ignoreCase,
  allowTranspositions: transpositions,
}: Omit<DistanceArguments, 'target'>) {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  return (left: Value, right: Value): number | undefined => {
    const [a, b] = [toText(left), toText(right)];
    if (a === undefined || b === undefined) return undefined;
    return editDistance(fold(a), fold(b), { maxDistance, transpositions });
  };
}
