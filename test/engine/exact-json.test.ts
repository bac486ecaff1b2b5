import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactText, finish, parseExactJson, parseLongJson, renderExactJson } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';

const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,24}$/)),
    fc.option(fc.stringMatching(/^\d{1,25}$/)),
    fc.option(
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.stringMatching(/^\d{1,3}$/)),
    ),
  )
  .map(([sign, integer, fraction, exponent]) => {
    return `${sign}${integer}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : exponent.join('')}`;
  });

it('parseExactJson() keeps the text of every number', () => {
  fc.assert(
    fc.property(fc.array(number), fc.string(), (numbers, text) => {
      const json = `{"numbers":[${numbers.join(', ')}],"text":${JSON.stringify(text)},"last": ${numbers[0] ?? 1}}`;
      const value = parseExactJson(json) as { numbers: (string | number)[]; text: string };
      expect(value.numbers.map(exactText)).toEqual(numbers);
      expect(value.text).toBe(text);
      expect(renderExactJson(value.numbers)).toBe(`[${numbers.join(',')}]`);
    }),
    cases(200),
  );
});

it.each([
  '7.0',
  '1e5',
  '12345678901234567890',
  '-0',
  '0.0000001',
  '1E+2',
  '0.10',
  '-0.0',
  '9007199254740993',
  '[1.0]',
])('renderExactJson() renders %s as it was written', (text) => {
  expect(renderExactJson(parseExactJson(text))).toBe(text);
});

it.each(['01.0', '1.0.5', '{1.0: 2}', '[1.0abc]', '--1.0', '[7.0', '1.', '.5', '+1.0', '[1.0e]'])(
  'parseExactJson() rejects %s, which is not JSON',
  (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

it('parseExactJson() keeps strings that look like numbers', () => {
  const value = parseExactJson('[1.0, "1.0", "a: 7.0, \\"8.0", "\\\\", 2.0]') as (string | number)[];
  expect(value.map(exactText)).toEqual(['1.0', '1.0', 'a: 7.0, "8.0', '\\', '2.0']);
  expect(renderExactJson(value)).toBe('[1.0,"1.0","a: 7.0, \\"8.0","\\\\",2.0]');
});

it('parseLongJson() returns the same value as parseExactJson()', () => {
  fc.assert(
    fc.property(fc.json(), number, (json, last) => {
      const text = `[${json},${last}]`;
      expect(finish(parseLongJson(text, 100))).toEqual(parseExactJson(text));
    }),
    cases(),
  );
});

it('parseLongJson() rejects objects of over 100,000 members, not counting array elements or strings', () => {
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, n) => `"k${n}":[1,",{",2]`).join()}}`;
  expect(() => finish(parseLongJson(`[{},${members(100_001)}]`, 10))).toThrow(
    'An object of the JSON has more than 100,000 members.',
  );
  expect(finish(parseLongJson(`[${members(100_000)}${',{"a":1,"b":2}'.repeat(100_000)}]`, 10))).toHaveLength(
    100_001,
  );
});

it('parseLongJson() rejects more than 1,000,000 objects and arrays', () => {
  const text = (count: number): string => `[${'{},'.repeat(count)}[]]`;
  expect(() => finish(parseLongJson(text(1_000_000), 10))).toThrow(
    'The JSON has more than 1,000,000 objects and arrays.',
  );
  expect(finish(parseLongJson(text(999_998), 10))).toHaveLength(999_999);
});

it('parseLongJson() rejects deep nesting, not counting brackets in strings', () => {
  expect(() => finish(parseLongJson('[[[]]]', 2))).toThrow('The JSON is nested deeper than 2 levels.');
  expect(finish(parseLongJson('[["[[[\\"[["]]', 2))).toEqual([['[[["[[']]);
});
