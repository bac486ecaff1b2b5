import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An opaque id as the service gives them: letters and digits, 24 of them unless told otherwise. */
export function resourceId(length = 24): string {
  let id = '';
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the last multiple of 62 that fits a byte: beyond it some letters would be more likely than others.
      if (byte < 248 && id.length < length) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}

/** A fresh secret in the shape of the service's tokens. */
export function newToken(): string {
  return `${resourceId(24)}~${resourceId(44)}`;
}
