/** An algorithm whose hashes are hex or Base64. */
export type HashAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';

export interface Digest {
  /** Strings are hashed as UTF-8. */
  update(data: string | Uint8Array): this;
  digest(encoding: 'hex' | 'base64' | 'base64url'): string;
}

/** Hash functions with the interface of `node:crypto`. They are synchronous, unlike those of `crypto.subtle`. */
export interface Hashing {
  createHash(algorithm: HashAlgorithm): Digest;
  createHmac(algorithm: HashAlgorithm, key: string): Digest;
}

let functions: Hashing | undefined;

/** Replaces the hash functions of Node.js, for other runtimes. */
export function useHashing(replacement: Hashing): void {
  functions = replacement;
}

/** The hash functions of the runtime. */
export function hashing(): Hashing {
  // Not an import, which bundles for browsers could not resolve.
  functions ??= process.getBuiltinModule('node:crypto');
  return functions;
}
