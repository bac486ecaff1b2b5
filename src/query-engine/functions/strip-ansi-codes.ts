import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, withDefault } from '../signature/function-spec.ts';

/** Commands with parameters (`ESC [ … m`), texts for the terminal (`ESC ] … BEL`), commands of two characters. */
const ANSI_CODE = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[@-Z\\\\^_]',
  ].join('|'),
  'g',
);

/** Removes the codes for colors and the like that programs write to terminals. */
export const stripAnsiCodes = defineValue({
  name: 'stripAnsiCodes',
  output: ({ field }) => field,
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    as: optional(fieldName),
  },
  compile:
    ({ field }) =>
    (row) =>
      readField(row, field)?.replace(ANSI_CODE, ''),
});
