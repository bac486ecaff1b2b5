import { expect, it } from 'vitest';
import { cut } from '../../src/core/cut-text.ts';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀', 4, 'ab😀'],
  ['ab😀c', 4, 'ab😀…'],
  ['ab😀c', 3, 'ab…'],
])('cut(%j, %i) is %j, and never half of a character', (text, maxLength, expected) => {
  expect(cut(text, maxLength)).toBe(expected);
});
