import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { plainNumberAt } from '../../src/local-server/store/field-reader.ts';
import { ValueDictionary } from '../../src/local-server/store/value-dictionary.ts';
import { parseNumber } from '../../src/query-engine/index.ts';

const around = fc.constantFrom('', '"', '12', 'a.', '-');

describe('a dictionary of values', () => {
  it('takes a value for no other when it was stopped while it looked for it', () => {
    const dictionary = new ValueDictionary();
    dictionary.idOf('a');
    vi.spyOn(dictionary, 'idAt').mockImplementationOnce(() => {
      throw new Error('stopped');
    });
    expect(() => dictionary.idOf('b')).toThrow('stopped');
    expect(dictionary.values[dictionary.idOf('b')]).toBe('b');
  });

  it('has one number for equal values, wherever they stand, and another for each other value', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('', 'a', 'ab'),
      fc.constant(undefined),
    );
    const placed = fc.record({ value, before: around, after: around, isPlaced: fc.boolean() });
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 300 }), (all) => {
        const dictionary = new ValueDictionary();
        for (const { value, before, after, isPlaced } of all) {
          const id =
            isPlaced && value !== undefined
              ? dictionary.idAt(before + value + after, before.length, before.length + value.length)
              : dictionary.idOf(value);
          expect(dictionary.values[id]).toBe(value);
        }
        expect(new Set(dictionary.values).size).toBe(dictionary.values.length);
        expect(new Set(dictionary.values)).toEqual(new Set(all.map(({ value }) => value)));
      }),
    );
  });
});

describe('a number that is read where it stands', () => {
  it('is what parseNumber makes of its text, or left to it', () => {
    const digits = fc.stringMatching(/^[-+]?\d{0,17}\.?\d{0,9}$/);
    const text = fc.oneof(
      digits,
      fc.double().map(String),
      fc.constantFrom('-', '.', '', '1.', '-.5', '0x1', '-0'),
    );
    fc.assert(
      fc.property(text, around, around, (number, before, after) => {
        const found = plainNumberAt(before + number + after, before.length, before.length + number.length);
        if (found !== undefined) expect(found).toBe(parseNumber(number));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['0', '7', '-12', '123456789012345', '0.5', '-0.25', '999.99', '007'])(
    '%s is read at once',
    (number) => {
      expect(plainNumberAt(`x${number}y`, 1, 1 + number.length)).toBe(Number(number));
    },
  );
});
