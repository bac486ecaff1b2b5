import { SecretFinder } from './secret-finder.ts';

const finder = new SecretFinder();

/** Text for people, such as names and messages of a log, without the secrets in it. Mask it before it is cut. */
export function maskSecrets(text: string): string {
  return finder.replaceInText(text, () => '[redacted]');
}
