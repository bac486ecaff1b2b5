import { createHmac } from 'node:crypto';
import { integer, oneOf, text } from '../signature/argument-types.ts';
import { required, withDefault } from '../signature/function-spec.ts';

const BITS = integer({ min: 8, max: 256 });

/** The parameters of the functions that write and look for hashes of values. */
export const saltedHashParameters = {
  salt: required(text),
  hash: withDefault(oneOf('sha256', 'sha512'), 'sha256'),
  bits: withDefault(BITS, 256),
};

export interface SaltedHashOptions {
  readonly salt: string;
  readonly hash: 'sha256' | 'sha512';
  /** How much of the hash is kept; a multiple of 8. */
  readonly bits: number;
}

/** What `hashRewrite` puts in place of a value, and `hashMatch` looks for: the start of a keyed hash, in hex digits. */
export function saltedHash(value: string, { salt, hash, bits }: SaltedHashOptions): string {
  return createHmac(hash, salt)
    .update(value, 'utf8')
    .digest('hex')
    .slice(0, bits / 4);
}

/** What is wrong with the number of bits that a call asks for. */
export function problemOfBits(bits: number): string | undefined {
  return bits % 8 === 0 ? undefined : `"bits" must be a multiple of 8 (got ${bits})`;
}
