import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Digest, Hashing } from '../../engine/index.ts';

interface NobleHash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class NobleDigest implements Digest {
  readonly #hash: NobleHash;

  constructor(hash: NobleHash) {
    this.#hash = hash;
  }

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === 'string' ? utf8ToBytes(data) : data);
    return this;
  }

  digest(encoding: 'hex' | 'base64' | 'base64url'): string {
    return Buffer.from(this.#hash.digest()).toString(encoding);
  }
}

const ALGORITHMS = { md5, sha1, sha256, sha512 };

/** Hash functions for browsers, whose own are asynchronous. */
export const nobleHashing: Hashing = {
  createHash: (algorithm) => new NobleDigest(ALGORITHMS[algorithm].create()),
  createHmac: (algorithm, key) => new NobleDigest(hmac.create(ALGORITHMS[algorithm], utf8ToBytes(key))),
};
