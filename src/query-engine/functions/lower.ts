import { defineLetterCase } from '../text/letter-case.ts';

/** The value of a field in lower case. */
export const lower = defineLetterCase('lower', (text, language) =>
  language === undefined ? text.toLowerCase() : text.toLocaleLowerCase(language),
);
