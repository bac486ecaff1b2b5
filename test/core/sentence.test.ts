import { expect, it } from 'vitest';
import { sentence } from '../../src/core/sentence.ts';

it.each([
  ['connect failed', 'connect failed.'],
  ['Use --allow-worker to manage permissions.', 'Use --allow-worker to manage permissions.'],
  ['really?', 'really?'],
])('sentence() ends %j with one period, unless it ends like a sentence', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
