import { expect, it } from 'vitest';
import { shortenText } from '../../src/core/shorten-text.ts';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀', 4, 'ab😀'],
  ['ab😀c', 4, 'ab😀…'],
  ['ab😀c', 3, 'ab…'],
])('shortenText(%j, %i) is %j, and never half of a character', (text, maxLength, expected) => {
  expect(shortenText(text, maxLength)).toBe(expected);
});
