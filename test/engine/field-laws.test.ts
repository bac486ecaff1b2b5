import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { describe, expect, test } from 'vitest';
import { editDistance } from '../../src/core/edit-distance.ts';
import type { Fields } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf } from './run-query.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 });
const texts = fc.array(anyText, { minLength: 1, maxLength: 8 });

function arrayOf(name: string, values: readonly string[]): Fields {
  return Object.fromEntries(values.map((value, index) => [`${name}[${index}]`, value]));
}

function valuesOf(row: Fields, name: string): string[] {
  const values: string[] = [];
  while (row[`${name}[${values.length}]`] !== undefined) values.push(row[`${name}[${values.length}]`]!);
  return values;
}

/** The only event in the result of a query on one event. */
function only(query: string, event: Fields): Fields {
  const rows = rowsOf(query, [event]);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

describe('Array functions', () => {
  test('array:sort() keeps all elements, and sorting again changes nothing', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom('string', 'number'),
        fc.constantFrom('asc', 'desc'),
        (values, type, order) => {
          const query = `array:sort("a[]", type=${type}, order=${order})`;
          const sorted = only(query, arrayOf('a', values));
          expect(valuesOf(sorted, 'a').sort()).toEqual([...values].sort());
          expect(only(query, sorted)).toEqual(sorted);
        },
      ),
      cases(),
    );
  });

  test('array:dedup(), array:union() and array:intersection() of one event return its distinct values', () => {
    fc.assert(
      fc.property(texts, (values) => {
        const distinct = [...new Set(values)];
        expect(only('array:dedup("a[]")', arrayOf('a', values))).toEqual(arrayOf('a', distinct));
        expect(only('array:union("a[]", as=a)', arrayOf('a', values))).toEqual(arrayOf('a', distinct));
        expect(only('array:intersection("a[]", as=a)', arrayOf('a', values))).toEqual(arrayOf('a', distinct));
      }),
      cases(),
    );
  });

  test('split(), array:length(), array:filter(), array:eval() and concatArray() keep every element', () => {
    fc.assert(
      fc.property(texts, (values) => {
        const event = arrayOf('a', values);
        expect(rowsOf('split(a)', [event]).map((row) => row.a)).toEqual([...values].reverse());
        expect(only('array:length(a, as=n)', event).n).toBe(String(values.length));
        expect(only('array:filter(a, function={ a=* })', event)).toEqual(event);
        expect(only('array:eval(a, var=x, function={ a := x })', event)).toEqual(event);
        expect(only('concatArray(a, separator=",", as=t)', event).t).toBe(values.join(','));
      }),
      cases(),
    );
  });

  // Quadratic work would take minutes, and the time limit of a test is 30 s.
  test('array functions process 20,000 elements in linear time', () => {
    const event = arrayOf(
      'a',
      Array.from({ length: 20_000 }, (_, index) => String(index)),
    );
    expect(valuesOf(only('array:eval("a[]", var=x, function={ a := x * 2 })', event), 'a')).toHaveLength(
      20_000,
    );
    expect(rowsOf('array:exists("a[]", var=x, condition={ x=none })', [event])).toEqual([]);
    expect(rowsOf('array:reduceAll("a[]", var=x, function=max(x))', [event])).toEqual([{ _max: '19999' }]);
    expect(rowsOf('split(a) | count()', [event])).toEqual([{ _count: '20000' }]);
  });
});

describe('editDistance()', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });

  test('equals the Levenshtein distance without transpositions', () => {
    fc.assert(
      fc.property(word, word, fc.nat(14), (a, b, maxDistance) => {
        const expected = distance(a, b);
        const found = editDistance(a, b, maxDistance, false);
        expect(found).toBe(expected <= maxDistance ? expected : undefined);
      }),
      cases(),
    );
  });

  test('is symmetric and equals the optimal alignment distance with transpositions', () => {
    fc.assert(
      fc.property(word, word, fc.nat(14), (a, b, maxDistance) => {
        const found = editDistance(a, b, maxDistance);
        expect(editDistance(b, a, maxDistance)).toBe(found);
        const exact = optimalAlignment(a, b);
        expect(found).toBe(exact <= maxDistance ? exact : undefined);
      }),
      cases(),
    );
  });

  /** The full matrix, by definition. */
  function optimalAlignment(a: string, b: string): number {
    const cells: number[][] = [];
    for (let i = 0; i <= a.length; i += 1) {
      cells.push([]);
      for (let j = 0; j <= b.length; j += 1) {
        const choices = i === 0 || j === 0 ? [i + j] : [];
        if (i > 0) choices.push(cells[i - 1]![j]! + 1);
        if (j > 0) choices.push(cells[i]![j - 1]! + 1);
        if (i > 0 && j > 0) choices.push(cells[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          choices.push(cells[i - 2]![j - 2]! + 1);
        cells[i]!.push(Math.min(...choices));
      }
    }
    return cells[a.length]![b.length]!;
  }

  // A full matrix would have 40 billion cells.
  test('compares two strings of 200,000 characters in linear time', () => {
    const long = 'ab'.repeat(100_000);
    expect(editDistance(long, `x${long}`, 3)).toBe(1);
  });
});

describe('Encoding and decoding', () => {
  test.each([
    ['base64', 'base64Encode(a, as=b) | base64Decode(b, as=c)'],
    ['a URL', 'urlEncode(a, as=b) | urlDecode(b, as=c)'],
  ])('text encoded as %s decodes to the same text', (_how, query) => {
    fc.assert(
      fc.property(anyText, (a) => {
        expect(only(query, { a }).c).toBe(a);
      }),
      cases(),
    );
  });

  test('json:prettyPrint() equals JSON.stringify() with an indent of 2', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const { p = '' } = only('json:prettyPrint(a, as=p)', { a: JSON.stringify(value) });
        expect(p).toBe(JSON.stringify(value, undefined, 2));
      }),
      cases(),
    );
  });

  test('writeJson() restores the JSON that parseJson() reads', () => {
    const key = fc.stringMatching(/^[a-z]{1,3}$/);
    const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.stringMatching(/^[x-z ]{1,5}$/));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, leaf, tie('array'), tie('tree')), {
        minKeys: 1,
        maxKeys: 5,
        noNullPrototype: true,
      }),
      array: fc.array(fc.oneof({ depthSize: 'small' }, leaf, tie('tree')), { minLength: 1, maxLength: 3 }),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const event = { '@rawstring': JSON.stringify(value) };
        const row = only('parseJson() | drop(@rawstring) | writeJson("", as=json)', event);
        expect(JSON.parse(row.json ?? '')).toEqual(value);
      }),
      cases(),
    );
  });
});
