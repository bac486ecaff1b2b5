import { type Fields, readField, writeField } from '../event.ts';
import { editStep } from '../operators/edit.ts';
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
    const changeField = (row: Fields, name: string): void => {
      const value = readField(row, name);
      if (value === undefined) return;
      const newName = include === 'values' ? name : lower(name);
      if (newName !== name) delete row[name];
      writeField(row, newName, include === 'fields' ? value : lower(value));
    };
    const newNameOf = (name: string): string =>
      include !== 'values' && (field === '*' || name === field) ? lower(name) : name;
    return editStep(
      field === '*'
        ? (row) => {
            for (const name of Object.keys(row)) changeField(row, name);
          }
        : (row) => changeField(row, field),
      (before) => before && [...new Set(before.map(newNameOf))],
      field === '*' ? undefined : { reads: [field], rewrites: [...new Set([field, newNameOf(field)])] },
    );
  },
});
