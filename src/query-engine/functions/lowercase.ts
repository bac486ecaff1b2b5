import { readField, writeField } from '../event.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, locale, oneOf } from '../signature/argument-types.ts';
import { defineTransform, optional, required, withDefault } from '../signature/function-spec.ts';
import { inLowerCase } from '../text/letter-case.ts';

/** Writes the value of a field in lower case, its name, or both, in place. `*` stands for all fields. */
export const lowercase = defineTransform({
  name: 'lowercase',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    include: withDefault(oneOf('values', 'fields', 'both'), 'values'),
    locale: optional(locale),
  },
  compile({ field, include, locale: language }) {
    const lower = (text: string): string => inLowerCase(text, language);
    const newNameOf = (name: string): string =>
      include !== 'values' && (field === '*' || name === field) ? lower(name) : name;
    const newValueOf = (value: string): string => (include === 'fields' ? value : lower(value));
    return editStep(
      (row) => {
        for (const name of field === '*' ? Object.keys(row) : [field]) {
          const value = readField(row, name);
          if (value === undefined) continue;
          if (newNameOf(name) !== name) delete row[name];
          writeField(row, newNameOf(name), newValueOf(value));
        }
      },
      (before) => before && [...new Set(before.map(newNameOf))],
    );
  },
});
