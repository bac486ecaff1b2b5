import { defineTextFunction } from '../text/text-function.ts';

/** Encodes all but letters, digits and `.-*_` as `%2F` and the like, and a space as `+`. */
export const urlEncode = defineTextFunction({
  name: 'urlEncode',
  output: '_urlencode',
  uncertain: ['A space is encoded as a plus sign.'],
  convert: (text) =>
    // Half a character can't be encoded; UTF-8 has a sign for it.
    encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
      .replaceAll('%20', '+')
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
});
