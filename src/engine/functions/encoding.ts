import { tryOr } from '../../core/try-or.ts';
import { converted } from '../columns/expression.ts';
import { fieldName, oneOf } from '../signature/argument-types.ts';
import { define, type FunctionSpec, required, withDefault } from '../signature/function-spec.ts';
import { defineTextFunction } from '../signature/text-function.ts';

const DECODERS = {
  'UTF-8': strictDecoder('utf-8'),
  'UTF-16LE': strictDecoder('utf-16le'),
  'UTF-16BE': strictDecoder('utf-16be'),
  // The web standard maps this name to Windows-1252.
  'ISO-8859-1': (bytes: Buffer): string => bytes.toString('latin1'),
} as const;

const charset = oneOf('UTF-8', 'UTF-16LE', 'UTF-16BE', 'ISO-8859-1');

function strictDecoder(label: string): (bytes: Buffer) => string | undefined {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => tryOr(undefined, () => decoder.decode(bytes));
}

interface Decoding {
  readonly name: string;
  /** Default output field. */
  readonly output: string;
  readonly uncertain?: readonly string[];
  /** The decoded bytes; `undefined` if the text is incomplete. */
  readonly bytesOf: (text: string) => Buffer | undefined;
}

/** A function that decodes a field to a string. Invalid bytes give no result. */
function defineDecoding({ name, output, uncertain = [], bytesOf }: Decoding): FunctionSpec {
  return define.value({
    name,
    output,
    uncertain,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      charset: withDefault(charset, 'UTF-8'),
    },
    compile: ({ field, charset: encoding }) =>
      converted(field, (value) => {
        const bytes = bytesOf(value);
        return bytes && DECODERS[encoding](bytes);
      }),
  });
}

/** Decodes Base64. Skips characters outside the alphabet. No result if the bytes are not text. */
export const base64Decode = defineDecoding({
  name: 'base64Decode',
  output: '_base64Decode',
  bytesOf(text) {
    const digits = text.replace(/[^A-Za-z0-9+/]+/g, '');
    // A single remaining digit is less than a byte.
    return digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
  },
});

export const base64Encode = defineTextFunction({
  name: 'base64Encode',
  output: '_base64Encode',
  convert: (text) => Buffer.from(text, 'utf8').toString('base64'),
});

/** Decodes hexadecimal digits as text. Skips a `0x` or `16#` prefix and other characters. */
export const parseHexString = defineDecoding({
  name: 'parseHexString',
  output: '_parsehexstring',
  uncertain: ['An odd number of digits produces no result.'],
  bytesOf(text) {
    const digits = text.replace(/^(?:0x|16#)/i, '').replace(/[^\da-f]+/gi, '');
    return digits.length % 2 === 1 ? undefined : Buffer.from(digits, 'hex');
  },
});

/** Decodes percent-encoding, with `+` as a space. No result if the encoding is invalid. */
export const urlDecode = defineTextFunction({
  name: 'urlDecode',
  output: '_urldecode',
  uncertain: ['A plus sign is decoded as a space.', 'An invalid escape produces no result.'],
  convert: (text) => tryOr(undefined, () => decodeURIComponent(text.replaceAll('+', ' '))),
});

/** Percent-encodes all characters except letters, digits and `.-*_`; a space becomes `+`. */
export const urlEncode = defineTextFunction({
  name: 'urlEncode',
  output: '_urlencode',
  hasType: true,
  uncertain: ['A space is encoded as a plus sign.'],
  convert: (text) =>
    // Lone surrogates can't be encoded; UTF-8 replaces them.
    encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
      .replaceAll('%20', '+')
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
});
