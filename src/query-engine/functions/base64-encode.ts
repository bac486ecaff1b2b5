import { defineTextFunction } from '../text/text-function.ts';

/** Encodes the UTF-8 bytes of a text as Base64. */
export const base64Encode = defineTextFunction({
  name: 'base64Encode',
  output: '_base64Encode',
  convert: (text) => Buffer.from(text, 'utf8').toString('base64'),
});
