import { expect, it } from 'vitest';
import { MessageRedactor, secretsOfHeaders } from '../../../src/core/http/message-redactor.ts';

it('a MessageRedactor leaves values of up to five characters, which are probably words', () => {
  const redactor = new MessageRedactor(['', 'token', 'secret']);
  expect(redactor.redact('a token and a secret')).toBe('a token and a [redacted]');
});

it('the value of a secret header is a secret, with and without its scheme', () => {
  expect(secretsOfHeaders({ authorization: 'Bearer abcdef', accept: 'text/plain' })).toEqual([
    'Bearer abcdef',
    'abcdef',
  ]);
});
