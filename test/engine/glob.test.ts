import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../src/engine/text/glob.ts';
import { cases } from '../helpers/laws.ts';

const anchored = (pattern: string, text: string, ignoreCase = false): boolean =>
  compileGlob(pattern, { anchored: true, ignoreCase })(text);
const unanchored = (pattern: string, text: string): boolean =>
  compileGlob(pattern, { anchored: false })(text);

describe('compileGlob()', () => {
  test('matches the whole string if anchored', () => {
    expect(['a', 'ab', 'ba', 'A', ''].filter((text) => anchored('a', text))).toEqual(['a']);
    expect(['ab', 'a', 'ba'].filter((text) => anchored('a*', text))).toEqual(['ab', 'a']);
    expect(['ab', 'b', 'ba'].filter((text) => anchored('*b', text))).toEqual(['ab', 'b']);
    expect(['ab', 'a', 'axb', 'aba'].filter((text) => anchored('a*b', text))).toEqual(['ab', 'axb']);
    expect(['xabx', 'ab', 'axb'].filter((text) => anchored('*ab*', text))).toEqual(['xabx', 'ab']);
    expect(['abcabc', 'abc', 'aXbYc', 'acb'].filter((text) => anchored('a*b*c', text))).toEqual([
      'abcabc',
      'abc',
      'aXbYc',
    ]);
  });

  test('does not let the start and the end share characters', () => {
    expect(anchored('aba*ba', 'aba')).toBe(false);
    expect(anchored('ab*b*b', 'abb')).toBe(false);
    expect(anchored('ab*b*b', 'abbb')).toBe(true);
  });

  test('matches a part of the string if not anchored', () => {
    expect(unanchored('b', 'abc')).toBe(true);
    expect(unanchored('a*c', 'xabcx')).toBe(true);
    expect(unanchored('c*a', 'abc')).toBe(false);
    expect(unanchored('', '')).toBe(true);
  });

  test('treats every character except the star literally', () => {
    expect(anchored('a.b', 'axb')).toBe(false);
    expect(anchored('(a|b)?[c]\\', '(a|b)?[c]\\')).toBe(true);
    expect(anchored('a**b', 'axyb')).toBe(true);
  });

  test('ignores case only if requested', () => {
    expect(anchored('aB*', 'AbC', true)).toBe(true);
    expect(anchored('aB*', 'AbC')).toBe(false);
  });

  test('matches the same strings as the equivalent regular expression', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(piece, text, (pattern, subject) => {
        const source = pattern.replaceAll('*', '.*');
        expect(anchored(pattern, subject)).toBe(new RegExp(`^${source}$`).test(subject));
        expect(unanchored(pattern, subject)).toBe(new RegExp(source).test(subject));
      }),
      cases(),
    );
  });

  test('does not backtrack', () => {
    expect(anchored(`${'a*'.repeat(50)}b`, 'a'.repeat(100_000))).toBe(false);
  });
});
