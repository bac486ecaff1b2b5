import { defineTextFunction } from '../text/text-function.ts';
import { hashText } from '../text/text-hash.ts';

/** A hash in 8 hex digits that strings with the same words share, whatever their order. */
export const tokenHash = defineTextFunction({
  name: 'tokenHash',
  output: '_tokenHash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  convert(text) {
    let sum = 0;
    for (const token of text.split(' ')) if (token !== '') sum = (sum + hashText(token)) >>> 0;
    return sum.toString(16).padStart(8, '0');
  },
});
