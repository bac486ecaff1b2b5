import { readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, flag } from '../signature/argument-types.ts';
import { defineTransform, optional, required, withDefault } from '../signature/function-spec.ts';
import { problemOfBits, saltedHash, saltedHashParameters } from '../text/salted-hash.ts';

/** Puts a salted hash in place of a field's value, and of every place where `@rawstring` has that value. */
export const hashRewrite = defineTransform({
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
    return editStep(
      (row) => {
        const value = readField(row, field);
        if (value === undefined) return;
        const hashed = saltedHash(value, { salt, hash, bits });
        const rawstring = readField(row, '@rawstring');
        if (replaceInRawstring && rawstring !== undefined && value !== '') {
          row['@rawstring'] = rawstring.replaceAll(value, hashed);
        }
        writeField(row, as, hashed);
      },
      (before) => withColumns(before, [as]),
    );
  },
});
