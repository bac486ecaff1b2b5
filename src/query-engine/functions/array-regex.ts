import { arrayName } from '../arrays/array-arguments.ts';
import { regexFlags, regexSource } from '../signature/argument-types.ts';
import { defineFilter, optional, required } from '../signature/function-spec.ts';
import { compileRegexArgument } from './regex.ts';

/** Keeps events of whose array an element matches a regular expression. Its named groups make no fields. */
export const arrayRegex = defineFilter({
  name: 'array:regex',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    regex: required(regexSource),
    flags: optional(regexFlags),
  },
  compile({ array, regex, flags }, call) {
    const { test } = compileRegexArgument(regex, flags, call);
    return { test: (row) => array.some(row, test) };
  },
});
