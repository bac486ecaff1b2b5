import { defineDecoding } from '../text/decoding.ts';

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
