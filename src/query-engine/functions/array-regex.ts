import { regexFlags, regexSource } from '../argument-types.ts';
import { arrayName } from '../array-arguments.ts';
import { defineFilter, optional, required } from '../function-spec.ts';
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
