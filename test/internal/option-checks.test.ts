import { describe, expect, it } from 'vitest';
import {
  describe as describeValue,
  nearestName,
  refuseUnknownOptions,
  requireInteger,
  requireToken,
} from '../../src/internal/option-checks.ts';

describe('Unknown options', () => {
  const check = (options: object) => () =>
    refuseUnknownOptions('Ingester', options, ['baseUrl', 'maxBatchBytes']);

  it('are rejected with the name that was probably meant', () => {
    expect(check({ maxBatchByte: 1 })).toThrow(
      'Ingester has no option "maxBatchByte". Did you mean "maxBatchBytes"?',
    );
  });

  it('are rejected with the full name of a short one, such as ingestToken for token', () => {
    expect(check({ url: 'x' })).toThrow('Ingester has no option "url". Did you mean "baseUrl"?');
  });

  it('are rejected with all names if none is similar', () => {
    expect(check({ color: 'red' })).toThrow('Known options: baseUrl, maxBatchBytes.');
  });

  it('are ignored in an object that pino returned to its caller', () => {
    expect(check({ baseUrl: 'http://localhost', pinoWillSendConfig: true })).not.toThrow();
  });
});

it.each([
  [null, 'null'],
  [5, '5'],
  [['baseUrl'], 'an array'],
  [new Map([['baseUrl', 'x']]), 'a Map'],
  [new Headers({ baseUrl: 'x' }), 'a Headers'],
])('options cannot be a %s, whose members would be ignored', (options, name) => {
  expect(() => refuseUnknownOptions('X', options as object, ['baseUrl'])).toThrow(
    `X: the options must be an object (got ${name}).`,
  );
});

describe('The nearest name', () => {
  it.each([
    ['baseurl', 'baseUrl'],
    ['tokn', 'token'],
    ['unrelated', undefined],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, ['baseUrl', 'token', 'repository'])).toBe(nearest);
  });
});

describe('A whole number', () => {
  it.each([1, 10, Number.POSITIVE_INFINITY])('can be %s', (value) => {
    expect(requireInteger('X', 'n', value, { min: 1, max: 10, orInfinity: true })).toBe(value);
  });

  it.each([0, 11, 1.5, Number.NaN, '5', null, undefined])('cannot be %s', (value) => {
    expect(() => requireInteger('X', 'n', value, { min: 1, max: 10 })).toThrow(
      'X: "n" must be a whole number of at least 1 and at most 10',
    );
  });
});

describe('A token', () => {
  it('is trimmed', () => {
    expect(requireToken('X', 'token', ' abc~def\n')).toBe('abc~def');
  });

  it.each(['', '  ', undefined, 7, 'abc def', 'abc\ndef', 'abcdéf'])(
    'is not shown when it is rejected: %j',
    (value) => {
      let message = '';
      try {
        requireToken('X', 'token', value);
      } catch (error) {
        message = String(error);
      }
      expect(message).toMatch(/^LogOptionsException: X: "token"/);
      if (typeof value === 'string' && value.trim() !== '') expect(message).not.toContain(value);
    },
  );
});

describe('The description of an invalid value', () => {
  it('never quotes a long string', () => {
    expect(describeValue('x'.repeat(41))).toBe('a longer string');
  });

  it.each([
    ['short', '"short"'],
    [null, 'null'],
    [[1], 'an array'],
    [{}, 'an object'],
    [() => 0, 'a function'],
  ])('of %s is %s', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });
});

describe('Options that are not an object', () => {
  it.each([null, 5, 'text', undefined])('are rejected: %j', (options) => {
    expect(() => refuseUnknownOptions('Ingester', options as unknown as object, [])).toThrow(
      'Ingester: the options must be an object (got',
    );
  });
});
