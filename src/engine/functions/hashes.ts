import { freeTextPattern } from '../columns/free-text.ts';
import { readField, writeField } from '../event.ts';
import { hashing } from '../hashing.ts';
import { fieldStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, oneOf, text } from '../signature/argument-types.ts';
import { type ArgumentsOf, define, optional, required, withDefault } from '../signature/function-spec.ts';
import { defineTextFunction } from '../signature/text-function.ts';
import { hashText } from '../text/text-hash.ts';

/** A function that hashes the concatenated values of fields. Skips missing fields. */
export const digests = (['md5', 'sha1', 'sha256'] as const).map((algorithm) =>
  define.value({
    name: `crypto:${algorithm}`,
    output: `_${algorithm}`,
    parameters: { field: required(fieldNames, { unnamed: true }) },
    compile:
      ({ field }) =>
      (row) => {
        const digest = hashing().createHash(algorithm);
        for (const name of field) digest.update(readField(row, name) ?? '');
        return digest.digest('hex');
      },
  }),
);

const BITS = integer({ min: 8, max: 256 });

/** Parameters that `hashRewrite` and `hashMatch` share. */
const saltedHashParameters = {
  salt: required(text),
  hash: withDefault(oneOf('sha256', 'sha512'), 'sha256'),
  /** Number of bits to keep; a multiple of 8. */
  bits: withDefault(BITS, 256),
};

type SaltedHashOptions = ArgumentsOf<typeof saltedHashParameters>;

/** The salted hash that `hashRewrite` writes and `hashMatch` searches: the start of an HMAC, in hex. */
function saltedHash(value: string, { salt, hash, bits }: SaltedHashOptions): string {
  return hashing()
    .createHmac(hash, salt)
    .update(value)
    .digest('hex')
    .slice(0, bits / 4);
}

/** An error message for an invalid number of bits. */
function problemOfBits(bits: number): string | undefined {
  return bits % 8 === 0 ? undefined : `"bits" must be a multiple of 8 (got ${bits})`;
}

const MAX_INTEGER = 2 ** 31 - 1;

/** A non-cryptographic hash of values as an integer, below `limit` if there is one. */
export const hash = define.value({
  name: 'hash',
  output: '_hash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  parameters: {
    field: required(fieldNames, { unnamed: true }),
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
  parameters: {
    input: required(text, { unnamed: true }),
    ...saltedHashParameters,
    field: optional(fieldName),
  },
  compile({ input, salt, hash, bits, field }, call) {
    const problem = problemOfBits(bits);
    if (problem !== undefined) call.fail(problem, 'bits');
    const hashed = saltedHash(input, { salt, hash, bits });
    if (field === undefined) return { test: freeTextPattern(hashed) };
    return { test: (row) => readField(row, field) === hashed };
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
    field: required(fieldName, { unnamed: true }),
    ...saltedHashParameters,
    as: optional(fieldName),
    replaceInRawstring: withDefault(flag, true),
  },
  compile({ field, salt, hash, bits, as = field, replaceInRawstring }, call) {
    const problem = problemOfBits(bits);
    if (problem !== undefined) call.fail(problem, 'bits');
    return fieldStep(field, [as], (value, row) => {
      const hashed = saltedHash(value, { salt, hash, bits });
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
  output: '_tokenHash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  convert(text) {
    let sum = 0;
    for (const token of text.split(' ')) if (token !== '') sum = (sum + hashText(token)) >>> 0;
    return sum.toString(16).padStart(8, '0');
  },
});
