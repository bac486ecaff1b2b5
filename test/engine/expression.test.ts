import { describe, expect, test } from 'vitest';
import { rowsOf } from './run-query.ts';

/** The result of `r := expression` for an event; `undefined` if it sets no field. */
function evaluate(expression: string, event: Record<string, string> = {}): string | undefined {
  return rowsOf(`r := ${expression}`, [event])[0]?.r;
}

const EVENT = {
  two: '2',
  half: '0.5',
  seven: '7.0',
  word: 'abc',
  empty: '',
  yes: 'true',
  no: 'false',
  padded: ' 1',
};

describe('Expressions', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 2 - 3', '5'],
    ['7 / 2', '3.5'],
    ['12 / 2 / 3', '2'],
    ['7 % 4', '3'],
    ['-two + 1', '-1'],
    ['2 - -two', '4'],
    ['two + half', '2.5'],
    ['"2" + 1', '3'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['112 / 3', '37.333333333333336'],
    ['1e3 * 1', '1000'],
    ['1 / 100000', '1.0E-5'],
    ['4 / lower(two)', '2'],
    ['two * 1000', '2000'],
  ])('%s evaluates to %s', (expression, result) => {
    expect(evaluate(expression, EVENT)).toBe(result);
  });

  test.each([
    ['seven', '7.0'],
    ['7.0', '7.0'],
    ['"a b"', 'a b'],
    ['yes', 'true'],
    ['empty', ''],
    ['true', 'true'],
  ])('%s is copied as %j', (expression, result) => {
    expect(evaluate(expression, EVENT)).toBe(result);
  });

  test.each([
    ['two == 2', 'true'],
    ['seven == 7', 'true'],
    ['"1.0" == 1', 'true'],
    ['"a" == 2', 'false'],
    ['word == "abc"', 'true'],
    ['word != "abc"', 'false'],
    ['word != 2', 'true'],
    ['yes == true', 'true'],
    ['empty == ""', 'true'],
    ['two < 10', 'true'],
    ['two >= 10', 'false'],
    ['1 + 1 == two', 'true'],
    ['!yes', 'false'],
    ['!no', 'true'],
    ['!two', 'false'],
    ['!0', 'true'],
    ['!(two > 3)', 'true'],
    ['in(word, values=["a*"])', 'true'],
    ['!in(word, values=["a*"])', 'false'],
  ])('%s evaluates to %s', (expression, result) => {
    expect(evaluate(expression, EVENT)).toBe(result);
  });

  test.each([
    'nope',
    'nope + 1',
    '1 - nope',
    'word * 2',
    'empty + 1',
    'padded + 1',
    '-word',
    '!word',
    '!nope',
    'nope == 1',
    'nope != 1',
    'nope > 3',
    'word > 3',
    'two < word',
    '1 / 0',
    '1 % 0',
    '1e308 * 10',
    'lower(nope)',
    'if(true, then=nope, else=1)',
  ])('%s evaluates to null', (expression) => {
    expect(evaluate(expression, EVENT)).toBeUndefined();
  });

  test('an assignment of null leaves its target unchanged', () => {
    expect(rowsOf('x := missing + 1', [{ x: '5' }])).toEqual([{ x: '5' }]);
    expect(rowsOf('r := field > 3', [{}])).toEqual([{}]);
  });

  test('a sum of 1,000 terms is evaluated from left to right', () => {
    const terms = Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? ' - a * 2' : ' + b'));
    expect(evaluate(`100${terms.join('')}`, { a: '1', b: '3' })).toBe(String(100 - 334 * 2 + 666 * 3));
    expect(evaluate(`100${terms.join('')}`, { a: '1', b: 'x' })).toBeUndefined();
  });

  test('a call in an expression does not write the field of its "as" parameter', () => {
    expect(rowsOf('r := lower(a, as=x) + 1', [{ a: '2' }])).toEqual([{ a: '2', r: '3' }]);
  });

  test('a filter function evaluates to true or false', () => {
    expect(rowsOf('r := in(a, values=[x])', [{ a: 'x' }, { a: 'y' }])).toEqual([
      { a: 'y', r: 'false' },
      { a: 'x', r: 'true' },
    ]);
  });

  test('a quoted assignment target can have any name', () => {
    expect(rowsOf('"Some Name" := a', [{ a: '1' }])).toEqual([{ a: '1', 'Some Name': '1' }]);
  });
});
