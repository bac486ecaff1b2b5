import { freeTextPattern } from '../columns/free-text.ts';
import { readField } from '../event.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { defineFilter, optional, required } from '../signature/function-spec.ts';
import { problemOfBits, saltedHash, saltedHashParameters } from '../text/salted-hash.ts';

/** Keeps events that hold the salted hash of a value, as `hashRewrite` wrote it. */
export const hashMatch = defineFilter({
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
    const wanted = saltedHash(input, { salt, hash, bits });
    if (field === undefined) return { test: freeTextPattern(wanted) };
    return { test: (row) => readField(row, field) === wanted };
  },
});
