import { describe, expect, it } from 'vitest';
import { meantName, nearestName } from '../../src/core/nearest-name.ts';
import {
  describe as describeValue,
  refuseUnknownOptions,
  requireInteger,
  requireToken,
} from '../../src/core/option-checks.ts';

describe('refuseUnknownOptions()', () => {
  const check = (options: object) => () =>
    refuseUnknownOptions('Ingester', options, ['baseUrl', 'maxBatchBytes']);

  it('suggests the option with the nearest name', () => {
    expect(check({ maxBatchByte: 1 })).toThrow(
      'Ingester has no option "maxBatchByte". Did you mean "maxBatchBytes"?',
    );
  });

  it('suggests the full name of a short one, such as baseUrl for url', () => {
    expect(check({ url: 'x' })).toThrow('Ingester has no option "url". Did you mean "baseUrl"?');
  });

  it.each([
    ['verify', 'Pass the CA certificate to the client as "ca".'],
    ['proxies', 'Pass the address of the proxy to the client as "proxy".'],
  ])('says what replaces %s of Python', (name, advice) => {
    expect(check({ [name]: false })).toThrow(`Ingester has no option "${name}". ${advice}`);
  });

  it.each([
    ['params', 'query'],
    ['json', 'data'],
    ['body', 'data'],
  ])('suggests %s of other clients as %s', (name, option) => {
    const refuse = () => refuseUnknownOptions('callRest', { [name]: {} }, ['timeoutMs', 'data', 'query']);
    expect(refuse).toThrow(`callRest has no option "${name}". Did you mean "${option}"?`);
  });

  it('lists the known options if no name is near', () => {
    expect(check({ color: 'red' })).toThrow('Known options: baseUrl, maxBatchBytes.');
  });

  it('names the page with the known options if they are many', () => {
    const known = Array.from({ length: 21 }, (_, index) => `option${index}`);
    expect(() => refuseUnknownOptions('Ingester', { color: 'red' }, known)).toThrow(
      'Ingester has no option "color". All options are in docs/options.md of logclient.',
    );
  });

  it('ignores pinoWillSendConfig, which pino adds to the options', () => {
    expect(check({ baseUrl: 'http://localhost', pinoWillSendConfig: true })).not.toThrow();
  });
});

it.each([
  [null, 'null'],
  [5, '5'],
  [['baseUrl'], 'an array'],
  [new Map([['baseUrl', 'x']]), 'a Map'],
  [new Headers({ baseUrl: 'x' }), 'a Headers'],
])('refuseUnknownOptions() rejects %s in place of an options object', (options, name) => {
  expect(() => refuseUnknownOptions('X', options as object, ['baseUrl'])).toThrow(
    `X: the options must be an object (got ${name}).`,
  );
});

describe('nearestName()', () => {
  it.each([
    ['baseurl', 'baseUrl'],
    ['tokn', 'token'],
    ['unrelated', undefined],
  ])('maps %s to %s', (name, nearest) => {
    expect(nearestName(name, ['baseUrl', 'token', 'repository'])).toBe(nearest);
  });
});

describe('meantName()', () => {
  it.each([
    ['status', ['method', 'statuscode'], 'statuscode'],
    ['userId', ['user'], 'user'],
    ['statusCode', ['res.statusCode'], 'res.statusCode'],
    ['repo', ['ourRepo', 'repository'], 'ourRepo'],
    ['is', ['isLive'], undefined],
    ['other', ['name'], undefined],
  ])('suggests for %s, of %j, %s', (name, known, meant) => {
    expect(meantName(name, known, 'none')).toBe(meant === undefined ? 'none' : `Did you mean "${meant}"?`);
  });
});

describe('requireInteger()', () => {
  it.each([1, 10, Number.POSITIVE_INFINITY])('accepts %s', (value) => {
    expect(requireInteger('X', 'n', value, { min: 1, max: 10, orInfinity: true })).toBe(value);
  });

  it.each([0, 11, 1.5, Number.NaN, '5', null, undefined])('rejects %s', (value) => {
    expect(() => requireInteger('X', 'n', value, { min: 1, max: 10 })).toThrow(
      'X: "n" must be a whole number of at least 1 and at most 10',
    );
  });
});

describe('requireToken()', () => {
  it('trims surrounding whitespace', () => {
    expect(requireToken('X', 'token', ' abc~def\n')).toBe('abc~def');
  });

  it.each(['"abc"', " 'abc' "])('says that %s is in quotes', (token) => {
    expect(() => requireToken('X', 'token', token)).toThrow('X: "token" is in quotes. Remove them');
  });

  it('says that "Bearer" is omitted', () => {
    expect(() => requireToken('X', 'token', 'Bearer abc')).toThrow('X: omit "Bearer" from "token"');
  });

  it.each(['', '  ', undefined, 7, 'abc def', 'abc\ndef', 'abcdéf'])(
    'rejects %j without quoting it',
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

describe('describe()', () => {
  it('does not quote a string of more than 40 characters', () => {
    expect(describeValue('x'.repeat(41))).toBe('a longer string');
  });

  it.each([
    ['short', '"short"'],
    [null, 'null'],
    [[1], 'an array'],
    [{}, 'an object'],
    [() => 0, 'a function'],
  ])('describes %s as %s', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });
});

describe('refuseUnknownOptions() without an object', () => {
  it.each([null, 5, 'text', undefined])('rejects %j', (options) => {
    expect(() => refuseUnknownOptions('Ingester', options as unknown as object, [])).toThrow(
      'Ingester: the options must be an object (got',
    );
  });
});
