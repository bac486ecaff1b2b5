import { generateKeyPairSync } from 'node:crypto';

/** A new private key in PEM, without the last newline: 28 lines, the last of which may be short. */
export function privateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().trimEnd();
}
