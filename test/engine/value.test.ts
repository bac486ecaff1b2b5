import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNumber, parseNumber, toBoolean, toText } from '../../src/engine/value.ts';
import { cases } from '../helpers/laws.ts';

describe('parseNumber()', () => {
  test.each([
    ['42', 42],
    ['-1.5', -1.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1.74587E100', 1.74587e100],
    ['0e1', 0],
    ['007', 7],
  ])('parses %j', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });

  test('parses numbers of any number of digits as JavaScript does', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 });
    const numerals = fc.tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.'), digits);
    fc.assert(
      fc.property(numerals, (parts) => {
        const text = parts.join('');
        const number = text === '' ? Number.NaN : Number(text);
        expect(parseNumber(text)).toBe(Number.isNaN(number) ? undefined : number);
      }),
      cases(500),
    );
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1,000',
    'abc',
    '-',
    '.',
    '0x1F',
    '0b1',
    '0o7',
    'Infinity',
    'NaN',
    '1e999',
    '1_0',
    '1e',
  ])('returns no number for %j', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

describe('formatNumber()', () => {
  test.each([
    [3, '3'],
    [-0, '0'],
    [112 / 3, '37.333333333333336'],
    [16.666666666666664, '16.666666666666664'],
    [9.823069852941172e-5, '9.823069852941172E-5'],
    [1e-4, '1.0E-4'],
    [0.001, '0.001'],
    [1e15, '1000000000000000'],
    [1.74587e100, '1.74587E100'],
  ])('formats %d', (number, text) => {
    expect(formatNumber(number)).toBe(text);
  });

  test('writes numbers that parseNumber() reads back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(parseNumber(formatNumber(number))).toBe(number === 0 ? 0 : number);
      }),
      cases(),
    );
  });
});

test('only the strings true and false are booleans', () => {
  expect(['true', 'false', 'True', '1', ''].map(toBoolean)).toEqual([
    true,
    false,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a number that is not finite becomes no string', () => {
  expect([Number.NaN, Number.POSITIVE_INFINITY, undefined, true, 0.5].map(toText)).toEqual([
    undefined,
    undefined,
    undefined,
    'true',
    '0.5',
  ]);
});
