import { withoutBrackets } from '../arrays/array-fields.ts';
import { rowExpression } from '../columns/row-view.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { assignmentStep } from '../operators/field-steps.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName, integer, regexSource } from '../signature/argument-types.ts';
import { defineTransform, optional, required, withDefault } from '../signature/function-spec.ts';
import { compileRegexArgument } from './regex.ts';

const MAX_INDEX = 100_000;
const MAX_PARTS = 100_000;

/** Cuts a field's text at the matches of a regular expression, into an array or to one of the parts. */
export const splitString = defineTransform({
  name: 'splitString',
  uncertain: [
    'If the target array was longer, its remaining elements are kept after the result.',
    'A string is split into at most 100,000 parts; the last part holds the rest.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    by: required(regexSource),
    as: withDefault(fieldName, '_splitstring'),
    index: optional(integer({ min: -MAX_INDEX, max: MAX_INDEX })),
  },
  compile({ field, by, as, index }, call) {
    const regex = compileRegexArgument(by, undefined, call, 'by');
    const name = withoutBrackets(as);
    const partsIn = (row: Fields): Iterable<string> => {
      const value = readField(row, field);
      return value === undefined ? [] : partsOf(value, regex.matches(value, MAX_PARTS - 1));
    };
    if (index !== undefined) {
      const value = rowExpression((row) => partAt(partsIn(row), index), [field]);
      return assignmentStep([{ name: as, value }]);
    }
    return editStep((row) => {
      let position = 0;
      for (const part of partsIn(row)) writeField(row, `${name}[${position++}]`, part);
    }, unknownColumns);
  },
});

/** A match of nothing at the very start or end cuts nothing off. */
function* partsOf(value: string, matches: Iterable<RegExpExecArray>): Generator<string, void> {
  let start = 0;
  for (const { 0: separator, index } of matches) {
    if (separator === '' && (index === 0 || index === value.length)) continue;
    yield value.slice(start, index);
    start = index + separator.length;
  }
  yield value.slice(start);
}

/** A negative index counts from the end. What comes after the part is not looked for. */
function partAt(parts: Iterable<string>, index: number): string | undefined {
  if (index < 0) return [...parts].at(index);
  let position = 0;
  for (const part of parts) if (position++ === index) return part;
  return undefined;
}
