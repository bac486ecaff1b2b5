// cspell:disable: parts of tokens.
import { expect, it } from 'vitest';
import { cutAtWord } from '../../src/core/cut-at-word.ts';
import { SecretFinder } from '../../src/core/secrets/secret-finder.ts';

const finder = new SecretFinder();
const LIMIT = 60;

/** Secrets, and the shortest part of each that no output may contain. */
const SECRETS: readonly (readonly [secret: string, part: string])[] = [
  ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'ghp_'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', 'eyJh'],
  ['4111 1111 1111 1111', '4111'],
  ['4012-8888-8888-1881', '4012'],
  ['postgres://app:hunter2hunter2@db.example/shop', 'hunt'],
  ['password=hunter2hunter2', 'hunt'],
  ['{"password":"hunter2 hunter2"}', 'hunt'],
  ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B', 'MIIE'],
];

it.each(SECRETS)(
  'a cut at any offset leaves no part of a secret that cannot be found: %j',
  (secret, part) => {
    for (let length = 0; length <= LIMIT + 1; length++) {
      const text =
        `${'a b '.repeat(LIMIT)}`.slice(0, length).replace(/\S$/, ' ') + secret.padEnd(LIMIT + 2, ' ');
      const cut = cutAtWord(text, LIMIT);
      expect(cut.length).toBeLessThanOrEqual(LIMIT + 1);
      expect(
        finder.replaceInText(cut, () => '[redacted]'),
        text,
      ).not.toContain(part);
    }
  },
);

it('a cut keeps words that are whole, and marks the end', () => {
  expect(cutAtWord('one two three', 13)).toBe('one two three');
  expect(cutAtWord('one two three', 9)).toBe('one two …');
  expect(cutAtWord('one two three', 7)).toBe('one two…');
  expect(cutAtWord('x'.repeat(10_000), 1_000)).toBe(`${'x'.repeat(488)}…`);
});
