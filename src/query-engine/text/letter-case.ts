import { readField } from '../event.ts';
import { fieldName, locale } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from '../signature/function-spec.ts';

/** Writes a text in one case, by the rules of a language or, without one, those that most languages share. */
type CaseChange = (text: string, language: string | undefined) => string;

export const inLowerCase: CaseChange = (text, language) =>
  language === undefined ? text.toLowerCase() : text.toLocaleLowerCase(language);

/** A function that writes the value of a field in one case. */
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
