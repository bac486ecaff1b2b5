import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The part of `node:crypto` that the query engine uses, for browsers: `crypto.subtle` is asynchronous. */

const ALGORITHMS = { md5, sha1, sha256, sha512 };

type Algorithm = keyof typeof ALGORITHMS;

interface Updated {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Hash {
  readonly #hash: Updated;

  constructor(hash: Updated) {
    this.#hash = hash;
  }

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === 'string' ? utf8ToBytes(data) : data);
    return this;
  }

  digest(encoding: 'hex' | 'base64'): string {
    const bytes = this.#hash.digest();
    return encoding === 'hex' ? bytesToHex(bytes) : btoa(String.fromCharCode(...bytes));
  }
}

export function createHash(algorithm: Algorithm): Hash {
  return new Hash(ALGORITHMS[algorithm].create());
}

export function createHmac(algorithm: Algorithm, key: string): Hash {
  return new Hash(hmac.create(ALGORITHMS[algorithm], utf8ToBytes(key)));
}

export function randomBytes(size: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
}
