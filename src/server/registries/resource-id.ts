const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An opaque ID like the service's: 24 letters and digits by default. */
export function resourceId(length = 24): string {
  let id = '';
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte: higher values would make some letters more likely.
      if (byte < 248 && id.length < length) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}

/** A new secret in the format of the service's tokens. */
export function newToken(): string {
  return `${resourceId(24)}~${resourceId(44)}`;
}
