import { expect, it } from 'vitest';
import { messageRedactor, secretsOfHeaders } from '../../../src/core/http/message-redactor.ts';

it('a redactor of messages leaves values of up to five characters, which are probably words', () => {
  const redactor = messageRedactor(['', 'token', 'secret']);
  expect(redactor('a token and a secret')).toBe('a token and a [redacted]');
});

it('the value of a secret header is a secret, with and without its scheme', () => {
  expect(secretsOfHeaders({ authorization: 'Bearer abcdef', accept: 'text/plain' })).toEqual([
    'Bearer abcdef',
    'abcdef',
  ]);
});
