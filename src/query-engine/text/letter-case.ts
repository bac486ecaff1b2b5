import { readField } from '../event.ts';
import { fieldName, locale } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from '../signature/function-spec.ts';

/** Changes the case of a text by the rules of a language; by default, by those common to most languages. */
type CaseChange = (text: string, language: string | undefined) => string;

export const inLowerCase: CaseChange = (text, language) =>
  language === undefined ? text.toLowerCase() : text.toLocaleLowerCase(language);

export function defineLetterCase(name: string, change: CaseChange): FunctionSpec {
  return defineValue({
    name,
    output: `_${name}`,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      as: optional(fieldName),
      locale: optional(locale),
    },
    compile:
      ({ field, locale: language }) =>
      (row) => {
        const value = readField(row, field);
        return value === undefined ? undefined : change(value, language);
      },
  });
}
