import { defineDecoding } from '../text/decoding.ts';

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
