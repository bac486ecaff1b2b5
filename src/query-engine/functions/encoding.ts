import { defineDecoding } from '../text/decoding.ts';
import { defineTextFunction } from '../text/text-function.ts';

/** Decodes Base64. Characters outside its alphabet are skipped; what gives no text gives no result. */
export const base64Decode = defineDecoding({
  name: 'base64Decode',
  output: '_base64Decode',
  bytesOf(text) {
    const digits = text.replace(/[^A-Za-z0-9+/]+/g, '');
    // One digit that is left over is less than a byte.
    return digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
  },
});

/** Encodes the UTF-8 bytes of a text as Base64. */
export const base64Encode = defineTextFunction({
  name: 'base64Encode',
  output: '_base64Encode',
  convert: (text) => Buffer.from(text, 'utf8').toString('base64'),
});

/** The text whose bytes are written as hexadecimal digits. `0x` or `16#` in front and other characters are skipped. */
export const parseHexString = defineDecoding({
  name: 'parseHexString',
  output: '_parsehexstring',
  uncertain: ['An odd number of digits produces no result.'],
  bytesOf(text) {
    const digits = text.replace(/^(?:0x|16#)/i, '').replace(/[^\da-f]+/gi, '');
    return digits.length % 2 === 1 ? undefined : Buffer.from(digits, 'hex');
  },
});

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
