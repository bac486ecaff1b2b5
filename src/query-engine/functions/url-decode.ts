import { defineTextFunction } from '../text/text-function.ts';

/** Decodes `%2F` and the like; `+` is a space. A text that was not encoded so gives no result. */
export const urlDecode = defineTextFunction({
  name: 'urlDecode',
  output: '_urldecode',
  uncertain: ['A plus sign is decoded as a space.', 'An invalid escape produces no result.'],
  convert(text) {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      return undefined;
    }
  },
});
