import { tryOr } from '../../core/try-or.ts';
import { converted } from '../columns/expression.ts';
import { fieldFilter, freeTextPattern } from '../columns/predicate.ts';
import { readField, writeField } from '../event.ts';
import { hashing } from '../hashing.ts';
import { fieldStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, oneOf, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import {
  type ArgumentsOf,
  define,
  type FunctionSpec,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { defineTextFunction, type TextFunction } from '../signature/text-function.ts';
import { hashText } from '../text/text-hash.ts';

/** Decoders that write a placeholder character for invalid bytes, as the service does. */
const DECODERS = {
  'UTF-8': new TextDecoder('utf-8', { ignoreBOM: true }),
  'UTF-16LE': new TextDecoder('utf-16le', { ignoreBOM: true }),
  'UTF-16BE': new TextDecoder('utf-16be', { ignoreBOM: true }),
  // The web standard maps this name to Windows-1252.
  'ISO-8859-1': { decode: (bytes: Buffer): string => bytes.toString('latin1') },
} as const;

const charset = oneOf('UTF-8', 'UTF-16LE', 'UTF-16BE', 'ISO-8859-1');

interface Decoding extends Pick<TextFunction, 'name' | 'output' | 'uncertain'> {
  /** The decoded bytes; `undefined` if the text is incomplete. */
  readonly bytesOf: (text: string) => Buffer | undefined;
}

/** A function that decodes a field to a string. */
function defineDecoding({ bytesOf, ...spec }: Decoding): FunctionSpec {
  return define.value({
    ...spec,
    parameters: { field: unnamed(fieldName), charset: withDefault(charset, 'UTF-8') },
    compile: ({ field, charset: encoding }) =>
      converted(field, (value) => {
        const bytes = bytesOf(value);
        return bytes && DECODERS[encoding].decode(bytes);
      }),
  });
}

/** Decodes Base64. Skips characters outside the alphabet. */
export const base64Decode = defineDecoding({
  name: 'base64Decode',
  bytesOf(text) {
    const digits = text.replace(/[^A-Za-z0-9+/]+/g, '');
    // A single remaining digit is less than a byte.
    return digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
  },
});

export const base64Encode = defineTextFunction({
  name: 'base64Encode',
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

/** A function that hashes the concatenated values of fields. Skips missing fields. */
export const digests = (['md5', 'sha1', 'sha256'] as const).map((algorithm) =>
  define.value({
    name: `crypto:${algorithm}`,
    parameters: { field: unnamed(fieldNames) },
    compile:
      ({ field }) =>
      (row) => {
        const digest = hashing().createHash(algorithm);
        for (const name of field) digest.update(readField(row, name) ?? '');
        return digest.digest('hex');
      },
  }),
);

/** Parameters that `hashRewrite` and `hashMatch` share. */
const saltedHashParameters = {
  salt: required(text),
  hash: withDefault(oneOf('sha256', 'sha512'), 'sha256'),
  /** Number of bits to keep; a multiple of 8. */
  bits: withDefault(integer({ min: 8, max: 256 }), 256),
};

/** The salted hash that `hashRewrite` writes and `hashMatch` searches: the start of an HMAC, in hex. */
function saltedHash(
  { salt, hash, bits }: ArgumentsOf<typeof saltedHashParameters>,
  call: CallSite,
): (value: string) => string {
  if (bits % 8 !== 0) call.fail(`"bits" must be a multiple of 8 (got ${bits})`, 'bits');
  const digits = bits / 4;
  return (value) => hashing().createHmac(hash, salt).update(value).digest('hex').slice(0, digits);
}

const MAX_INTEGER = 2 ** 31 - 1;

/** A non-cryptographic hash of values as an integer, below `limit` if there is one. */
export const hash = define.value({
  name: 'hash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  parameters: {
    field: unnamed(fieldNames),
    limit: optional(integer({ min: 1, max: MAX_INTEGER })),
    seed: withDefault(integer({ min: -MAX_INTEGER, max: MAX_INTEGER }), 0),
  },
  compile:
    ({ field, limit, seed }) =>
    (row) => {
      let result = seed;
      for (const name of field) {
        const value = readField(row, name);
        // Distinguishes ("a", "bc") from ("ab", "c"), and missing values from empty ones.
        result = hashText(value === undefined ? '' : `=${value}`, result);
      }
      return limit === undefined ? result : result % limit;
    },
});

/** Keeps events that contain the salted hash of a value, as written by `hashRewrite`. */
export const hashMatch = define.filter({
  name: 'hashMatch',
  uncertain: ['Without `field`, the hash is searched for in all fields that free-text search covers.'],
  parameters: { input: unnamed(text), ...saltedHashParameters, field: optional(fieldName) },
  compile({ input, field, ...how }, call) {
    const hashed = saltedHash(how, call)(input);
    if (field === undefined) return { test: freeTextPattern(hashed) };
    return { test: fieldFilter(field, (value) => value === hashed) };
  },
});

/** Replaces the value of a field with its salted hash, also within `@rawstring`. */
export const hashRewrite = define.transform({
  name: 'hashRewrite',
  partial: ['The salt is used literally; there are no named secrets.'],
  uncertain: [
    'The hash is a truncated HMAC of the value, in hexadecimal. The service does not document its algorithm.',
  ],
  parameters: {
    field: unnamed(fieldName),
    ...saltedHashParameters,
    as: optional(fieldName),
    replaceInRawstring: withDefault(flag, true),
  },
  compile({ field, as = field, replaceInRawstring, ...how }, call) {
    const hashOf = saltedHash(how, call);
    return fieldStep(field, [as], (value, row) => {
      const hashed = hashOf(value);
      const rawstring = readField(row, '@rawstring');
      if (replaceInRawstring && rawstring !== undefined && value !== '') {
        row['@rawstring'] = rawstring.replaceAll(value, hashed);
      }
      writeField(row, as, hashed);
    });
  },
});

/** An 8-digit hex hash that is the same for strings with the same words in any order. */
export const tokenHash = defineTextFunction({
  name: 'tokenHash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  convert(text) {
    let sum = 0;
    for (const token of text.split(' ')) if (token !== '') sum = (sum + hashText(token)) >>> 0;
    return sum.toString(16).padStart(8, '0');
  },
});

/** Far more digits than real numbers have; parsing very long ones is slow. */
const MAX_DIGITS = 1000;

/** Digits per byte, for number systems in which a byte has a whole number of digits. */
const DIGITS_PER_BYTE: Readonly<Record<number, number>> = { 2: 8, 16: 2 };

/** Parses an unsigned integer. With `endian=little`, its lowest byte comes first. */
export const parseIntFunction = define.value({
  name: 'parseInt',
  output: ({ field }) => field,
  uncertain: ['`endian=little` requires radix 2 or 16.'],
  parameters: {
    field: unnamed(fieldName),
    radix: withDefault(integer({ min: 2, max: 36 }), 16),
    endian: withDefault(oneOf('big', 'little'), 'big'),
  },
  compile({ field, radix, endian }, call) {
    const digitsPerByte = DIGITS_PER_BYTE[radix];
    if (endian === 'little' && digitsPerByte === undefined) {
      call.fail('parseInt() supports endian=little only with radix 2 or 16', 'endian');
    }
    const prefix = new RegExp(radix === 16 ? '^(?:0x|16#)' : `^${radix}#`, 'i');
    return converted(field, (value) => {
      const digits = value.replace(prefix, '');
      const ordered =
        endian === 'little' && digitsPerByte !== undefined ? reverseBytes(digits, digitsPerByte) : digits;
      return readDigits(ordered, radix);
    });
  },
});

function reverseBytes(digits: string, digitsPerByte: number): string {
  const missing = (digitsPerByte - (digits.length % digitsPerByte)) % digitsPerByte;
  const padded = '0'.repeat(missing) + digits;
  let reversed = '';
  for (let end = padded.length; end > 0; end -= digitsPerByte)
    reversed += padded.slice(end - digitsPerByte, end);
  return reversed;
}

function readDigits(digits: string, radix: number): string | undefined {
  const number = Number.parseInt(digits, radix);
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  if ([...digits].some((digit) => Number.isNaN(Number.parseInt(digit, radix)))) return undefined;
  if (Number.isSafeInteger(number)) return String(number);
  return String(
    [...digits].reduce((sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, radix)), 0n),
  );
}
