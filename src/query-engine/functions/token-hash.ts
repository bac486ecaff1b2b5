import { defineTextFunction } from '../text/text-function.ts';
import { hashText } from '../text/text-hash.ts';

/** A whole number that texts of the same words share, whatever their order. */
export const tokenHash = defineTextFunction({
  name: 'tokenHash',
  output: '_tokenHash',
  uncertain: [
    'The service does not document its algorithm, so the values differ.',
    'A token is a run of letters and digits.',
  ],
  convert(text) {
    let sum = 0;
    for (const [token] of text.matchAll(/[\p{L}\p{N}]+/gu)) sum = (sum + hashText(token)) >>> 0;
    return sum;
  },
});
