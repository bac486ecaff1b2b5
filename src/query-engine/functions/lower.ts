import { defineLetterCase, inLowerCase } from '../text/letter-case.ts';

/** The value of a field in lower case. */
export const lower = defineLetterCase('lower', inLowerCase);
