import { defineLetterCase } from '../text/letter-case.ts';

/** The value of a field in upper case. */
export const upper = defineLetterCase('upper', (text, language) =>
  language === undefined ? text.toUpperCase() : text.toLocaleUpperCase(language),
);
