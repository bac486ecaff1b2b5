import { expect, it } from 'vitest';
import { Redactor, secretsOfHeaders } from '../../../src/core/http/redactor.ts';

it('a Redactor leaves values of up to five characters, which are probably words', () => {
  const redactor = new Redactor(['', 'token', 'secret']);
  expect(redactor.redact('a token and a secret')).toBe('a token and a [redacted]');
});

it('the value of a secret header is a secret, with and without its scheme', () => {
  expect(secretsOfHeaders({ authorization: 'Bearer abcdef', accept: 'text/plain' })).toEqual([
    'Bearer abcdef',
    'abcdef',
  ]);
});
