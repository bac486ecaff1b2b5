import { readField } from '../event.ts';
import { fieldName, flag, listOf, text } from '../signature/argument-types.ts';
import { defineFilter, required, withDefault } from '../signature/function-spec.ts';
import { compileGlob } from '../text/glob.ts';

/** Keeps events whose field is one of the values; `*` in a value stands for anything. */
export const inFunction = defineFilter({
  name: 'in',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    values: required(listOf(text, 'strings')),
    ignoreCase: withDefault(flag, false),
  },
  compile({ field, values, ignoreCase }) {
    const fold = (value: string): string => (ignoreCase ? value.toLowerCase() : value);
    const exact = new Set(values.filter((value) => !value.includes('*')).map(fold));
    const globs = values
      .filter((value) => value.includes('*'))
      .map((value) => compileGlob(value, { anchored: true, ignoreCase }));
    return {
      test(row) {
        const value = readField(row, field);
        if (value === undefined) return false;
        return exact.has(fold(value)) || globs.some((matches) => matches(value));
      },
    };
  },
});
