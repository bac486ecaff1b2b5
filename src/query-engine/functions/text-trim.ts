import { readField } from '../event.ts';
import { fieldName, oneOf } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';

const TRIM = {
  both: (text: string): string => text.trim(),
  start: (text: string): string => text.trimStart(),
  end: (text: string): string => text.trimEnd(),
};

/** The value of a field without whitespace around it. */
export const textTrim = defineValue({
  name: 'text:trim',
  output: '_trim',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    mode: withDefault(oneOf('both', 'start', 'end'), 'both'),
    as: optional(fieldName),
  },
  compile({ field, mode }) {
    const trim = TRIM[mode];
    return (row) => {
      const value = readField(row, field);
      return value === undefined ? undefined : trim(value);
    };
  },
});
