import { expect, it } from 'vitest';
import { Redactor } from '../../src/web/redactor.ts';

it('a Redactor leaves values of up to five characters, which are probably words', () => {
  const redactor = new Redactor(['', 'token', 'secret']);
  expect(redactor.redact('a token and a secret')).toBe('a token and a [redacted]');
});
