import { expect, it } from 'vitest';
import { sizeOfResult } from '../../src/server/queries/result-collector.ts';

it.each([2, 999, 3_000])('the size of a result with %i equal rows is that of its rows', (count) => {
  const sizeOf = (rows: readonly object[]) => sizeOfResult({ rows } as never);
  const row = { text: 'x'.repeat(100) };
  expect(sizeOf(Array.from({ length: count }, () => row))).toBe(count * sizeOf([row]));
});
