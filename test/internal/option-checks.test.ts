import { describe, expect, it } from 'vitest';
import {
  describe as describeValue,
  nearestName,
  refuseUnknownOptions,
  requireInteger,
  requireToken,
} from '../../src/internal/option-checks.ts';

describe('unknown options', () => {
  const check = (options: object) => () =>
    refuseUnknownOptions('Ingester', options, ['baseUrl', 'maxBatchBytes']);

  it('are refused with the name that was meant', () => {
    expect(check({ maxBatchByte: 1 })).toThrow(
      'Ingester has no option "maxBatchByte". Did you mean "maxBatchBytes"?',
    );
  });

  it('are refused with the full name of a short one, such as ingestToken for token', () => {
    expect(check({ url: 'x' })).toThrow('Ingester has no option "url". Did you mean "baseUrl"?');
  });

  it('are refused with all names when none is near', () => {
    expect(check({ color: 'red' })).toThrow('Known options: baseUrl, maxBatchBytes.');
  });

  it('do not count when pino has left them in an object that its caller uses again', () => {
    expect(check({ baseUrl: 'http://localhost', pinoWillSendConfig: true })).not.toThrow();
  });
});

it.each([
  [null, 'null'],
  [5, '5'],
  [['baseUrl'], 'an array'],
  [new Map([['baseUrl', 'x']]), 'a Map'],
  [new Headers({ baseUrl: 'x' }), 'a Headers'],
])('options are no %s, whose members nobody would see', (options, name) => {
  expect(() => refuseUnknownOptions('X', options as object, ['baseUrl'])).toThrow(
    `X: the options must be an object (got ${name}).`,
  );
});

describe('the nearest name', () => {
  it.each([
    ['baseurl', 'baseUrl'],
    ['tokn', 'token'],
    ['unrelated', undefined],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, ['baseUrl', 'token', 'repository'])).toBe(nearest);
  });
});

describe('a whole number', () => {
  it.each([1, 10, Number.POSITIVE_INFINITY])('may be %s', (value) => {
    expect(requireInteger('X', 'n', value, { min: 1, max: 10, orInfinity: true })).toBe(value);
  });

  it.each([0, 11, 1.5, Number.NaN, '5', null, undefined])('may not be %s', (value) => {
    expect(() => requireInteger('X', 'n', value, { min: 1, max: 10 })).toThrow(
      'X: "n" must be a whole number of at least 1 and at most 10',
    );
  });
});

describe('a token', () => {
  it('is taken without the whitespace around it', () => {
    expect(requireToken('X', 'token', ' abc~def\n')).toBe('abc~def');
  });

  it.each(['', '  ', undefined, 7, 'abc def', 'abc\ndef', 'abcdéf'])(
    'is not shown when it is refused: %j',
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

describe('the description of a bad value', () => {
  it('never quotes a long text', () => {
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

describe('options that are no object', () => {
  it.each([null, 5, 'text', undefined])('are refused: %j', (options) => {
    expect(() => refuseUnknownOptions('Ingester', options as unknown as object, [])).toThrow(
      'Ingester: the options must be an object (got',
    );
  });
});
