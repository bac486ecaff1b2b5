import { describe, expect, it } from 'vitest';
import { mayWriteId } from '../../src/core/event-order.ts';

describe('mayWriteId()', () => {
  it.each([
    '@id := "x"',
    'rename(reqId, as=@id)',
    'regex("(?<@id>.)")',
    'drop(@id)',
    'eval(@id="x")',
    'eval(a=1, @id = "x")',
    'select([@id]) | @id := lower(a)',
  ])('is true for a query that writes the ID: %s', (query) => {
    expect(mayWriteId(query)).toBe(true);
  });

  it.each([
    '',
    'level=error',
    'select([@timestamp, @id])',
    '@id="a_1" | n > 1',
    'not @id != "a_1"',
    'n=1 @id=/a/',
  ])('is false for a query that only reads it: %s', (query) => {
    expect(mayWriteId(query)).toBe(false);
  });
});
