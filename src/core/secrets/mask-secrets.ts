import { SecretFinder } from './secret-finder.ts';
import { REDACTED } from './secret-kinds.ts';

let finder: SecretFinder | undefined;

/** Text for people, such as names and messages of a log, without the secrets in it. Mask it before it is cut. */
export function maskSecrets(text: string): string {
  finder ??= new SecretFinder();
  return finder.replaceInText(text, () => REDACTED);
}
