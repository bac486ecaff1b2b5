import { createHash } from 'node:crypto';
import { readField } from '../event.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from '../signature/function-spec.ts';

/** A function for the digest of the values of fields, one after the other. Missing fields are skipped. */
export function defineDigest(algorithm: 'md5' | 'sha1' | 'sha256'): FunctionSpec {
  return defineValue({
    name: `crypto:${algorithm}`,
    output: `_${algorithm}`,
    parameters: { field: required(fieldNames, { unnamed: true }), as: optional(fieldName) },
    compile:
      ({ field }) =>
      (row) => {
        const digest = createHash(algorithm);
        for (const name of field) digest.update(readField(row, name) ?? '', 'utf8');
        return digest.digest('hex');
      },
  });
}
