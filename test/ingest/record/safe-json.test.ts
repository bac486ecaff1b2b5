import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJsonObject } from '../../../src/ingest/record/safe-json.ts';
import { oddValues } from '../../fixtures/odd-values.mjs';
import { anyCharacter, cases } from '../../helpers/laws.ts';

/** `toJSON` as in a class. */
const named = { toJSON: (key: string) => `key ${key}` };

function throwBoom(): never {
  throw new Error('boom');
}

/** The JSON of a field with this value; `null` if it is omitted. */
function safeJson(value: unknown): string {
  return /^\{"value":(.*)\}$/s.exec(safeJsonObject({ value }))?.[1] ?? 'null';
}

function roundTrip(value: unknown): unknown {
  return JSON.parse(safeJson(value));
}

/** Values around two others. */
const wrappers: readonly ((a: unknown, b: unknown, key: string) => unknown)[] = [
  (a, b, key) => ({ [key]: a, b }),
  (a, b) => [b, a],
  (a, b) => new Map([[a, b]]).set(b, a),
  (a, b) => new Set([b, a]),
  (a, b, key) => Object.assign(new Error(key, { cause: a }), { b }),
  (a, b, key) => new AggregateError([a, b], key),
  (a, b, key) => Object.defineProperty({ b }, key, { enumerable: true, get: () => a }),
  (a, b, key) => ({ toJSON: () => ({ [key]: a }), b }),
  (a, b, key) => new Proxy({ [key]: a, b }, {}),
  (a, b) => Object.assign(Object.create({ a }), { b }),
  (a, b) => ({
    toJSON() {
      throw a;
    },
    b,
  }),
];

describe('safeJsonObject()', () => {
  it('writes JSON values like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(safeJson(value)).toBe(JSON.stringify(value));
      }),
      cases(),
    );
  });

  it('writes the same JSON for plain objects as for objects with another prototype', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', 'b'), maxLength: 5 });
    const rare = fc.constantFrom<unknown[]>('\ud83d', Number.NaN, new Set([1]), { toJSON: () => Number.NaN });
    const common = fc.oneof(text, fc.double(), fc.integer(), fc.constantFrom(true, null, undefined));
    const values = [fc.oneof({ arbitrary: common, weight: 15 }, { arbitrary: rare, weight: 1 })];
    const value = fc.anything({
      key: text,
      values,
      withNullPrototype: true,
      withSparseArray: true,
      maxDepth: 2,
    });
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (fields) => {
        const ofClass = Object.create({}, Object.getOwnPropertyDescriptors(fields));
        expect(safeJsonObject(fields)).toBe(safeJsonObject(ofClass));
      }),
      cases(),
    );
  });

  it('writes well-formed JSON for any value and never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          expect(() => roundTrip(value)).not.toThrow();
          expect(safeJson(value)).not.toMatch(/\p{Surrogate}/u);
        },
      ),
      cases(),
    );
  });

  it('writes well-formed JSON for any nesting of hostile values', () => {
    const name = fc.constantFrom(...Object.keys(oddValues));
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('\ud800', '__proto__', 'toJSON', 'message', ''),
    );
    const layers = fc.array(fc.tuple(fc.constantFrom(...wrappers), name, text), { maxLength: 12 });
    fc.assert(
      fc.property(name, layers, (innermost, around) => {
        const value = around.reduce<unknown>(
          (inner, [wrap, beside, key]) => wrap(inner, oddValues[beside]!(), key),
          oddValues[innermost]!(),
        );
        const json = safeJsonObject(value);
        expect(() => JSON.parse(json)).not.toThrow();
        expect(json.startsWith('{')).toBe(true);
        expect(json).not.toMatch(/\p{Surrogate}/u);
        expect(json.replaceAll('\\\\', '')).not.toMatch(/\\ud[89a-f]/);
      }),
      cases(15),
    );
  });

  it.each(Object.keys(oddValues))('keeps the fields before and after the value "%s"', (name) => {
    const json = safeJsonObject({ before: 1, value: oddValues[name]!(), after: 'text' });
    expect(JSON.parse(json)).toMatchObject({ before: 1, after: 'text' });
    expect(json.length).toBeLessThan(500_000);
  });

  it.each(Object.keys(oddValues).filter((name) => !name.endsWith('of another realm')))(
    'writes "%s" of another realm like one of this realm',
    (name) => {
      const [here, there] = [name, `${name} of another realm`].map((each) => safeJson(oddValues[each]!()));
      const withoutFrames = (json?: string): string | undefined =>
        json?.replace(/(\\n {4}at [^"]*)+/g, '<frames>');
      expect(withoutFrames(there)).toBe(withoutFrames(here));
    },
  );

  it('keeps the name, message, stack, fields and cause of errors', () => {
    const cause = new TypeError('deep');
    const error = Object.assign(new Error('top', { cause }), { code: 'E_TOP' });
    expect(roundTrip({ error })).toEqual({
      error: {
        name: 'Error',
        message: 'top',
        stack: error.stack,
        code: 'E_TOP',
        cause: { name: 'TypeError', message: 'deep', stack: cause.stack },
      },
    });
    const all = roundTrip(new AggregateError([cause], 'many')) as { errors: unknown[] };
    expect(all).toMatchObject({ name: 'AggregateError', message: 'many', errors: [{ message: 'deep' }] });
  });

  it.each<[string, unknown, unknown]>([
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, 'b'],
      ]),
      { a: 1, 2: 'b' },
    ],
    ['a set', new Set([1, 'a']), [1, 'a']],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), null],
    ['boxed values', [new Number(3), new String('x'), new Boolean(false), Object(1n)], [3, 'x', false, '1']],
    [
      'what toJSON makes of a value, given its key',
      { a: named, list: [named] },
      { a: 'key a', list: ['key 0'] },
    ],
    ['a URL', new URL('http://a/b'), 'http://a/b'],
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['NaN', Number.NaN, 'NaN'],
    ['infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['a small buffer', Buffer.from('hi'), '[2 bytes] aGk='],
    ['a typed array', new Uint16Array([1]), '[2 bytes] AQA='],
    [
      'what JSON leaves out',
      { a: undefined, f: () => 1, s: Symbol('s'), list: [undefined, () => 1] },
      { list: [null, null] },
    ],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a pair', '😀', '😀'],
    ['a regular expression', /a"b/gi, '/a"b/gi'],
    ['an element that throws', Object.defineProperty([1, 2], 0, { get: throwBoom }), ['[Throws: boom]', 2]],
    ['a NUL', 'a\u0000b', 'a\u0000b'],
  ])('writes %s', (_, value, expected) => {
    expect(roundTrip(value)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{ a: 1 }, '{"a":1}'],
    [[1], '{"value":[1]}'],
    ['text', '{"value":"text"}'],
    [null, '{"value":null}'],
    [undefined, '{}'],
    [() => 1, '{}'],
  ])('writes an object for %o', (value, text) => {
    expect(safeJsonObject(value)).toBe(text);
  });

  it('truncates a large buffer', () => {
    expect(safeJson(Buffer.alloc(1_000_000)).length).toBeLessThan(200);
  });

  it('marks circular references, but not repeated ones', () => {
    const shared = { a: 1 };
    const circular: Record<string, unknown> = { shared, again: shared };
    circular.self = circular;
    expect(roundTrip(circular)).toEqual({ shared: { a: 1 }, again: { a: 1 }, self: '[Circular]' });
  });

  it('limits the output for objects with many references to each other', () => {
    const objects = Array.from({ length: 40 }, () => ({}) as Record<string, unknown>);
    for (const [index, object] of objects.entries()) {
      Object.assign(object, { a: objects[index + 1], b: objects[index + 1] });
    }
    const text = safeJson(objects[0]);
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain('[Cut]');
    expect(() => JSON.parse(text)).not.toThrow();
    expect(safeJson(new Array(1_000_000)).length).toBeLessThan(1_000_000);
  });

  it('limits endless iterators and arrays, and huge strings and numbers', () => {
    class EndlessSet extends Set {
      override *[Symbol.iterator](): SetIterator<undefined> {
        for (;;) yield undefined;
      }
    }
    class EndlessMap extends Map {
      override *[Symbol.iterator](): MapIterator<[string, undefined]> {
        for (;;) yield ['a', undefined];
      }
    }
    const endlessArray = new Proxy([], {
      get: (_, name) => (name === 'length' ? Number.POSITIVE_INFINITY : 1),
    });
    const endlessArrays: unknown = new Proxy([], {
      get: (_, name) => (name === 'length' ? 9 : endlessArrays),
    });
    const long = 'x'.repeat(10_000_000);
    const values = {
      set: new EndlessSet(),
      map: new EndlessMap(),
      array: endlessArray,
      arrays: endlessArrays,
      sparse: Object.assign([], { length: 2 ** 32 - 1 }),
      many: Array.from({ length: 100_000 }, () => long),
      bigint: 1n << 100_000_000n,
      after: 'text',
    };
    const json = safeJsonObject(values);
    expect(json.length).toBeLessThan(40_000_000);
    expect(JSON.parse(json)).toMatchObject({ bigint: '[Cut]', after: 'text' });
  });

  it('keeps the fields after very large ones', () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    const fields = JSON.parse(
      safeJsonObject({ rows, more: rows, text: 'x'.repeat(40_000_000), message: 'hello' }),
    );
    expect(fields.rows.at(-1)).toBe('[Cut]');
    expect(fields.rows.length).toBeGreaterThan(10_000);
    expect(fields.more.length).toBeGreaterThan(5_000);
    expect(fields.text.length).toBeGreaterThan(10_000_000);
    expect(fields.text.slice(-33)).toMatch(/x… \[cut, 40000000 bytes in all\]$/);
    expect(fields.message).toBe('hello');
  });

  it('writes valid JSON when the stack is almost exhausted', () => {
    const texts = new Set<string>();
    const descend = (): void => {
      texts.add(safeJsonObject({ a: { b: 1 } }));
      descend();
    };
    expect(descend).toThrow(RangeError);
    for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
  });

  it('makes deep values text, and truncates much deeper ones', () => {
    let deep: object = {};
    for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? { deep } : [deep];
    expect(safeJson(deep).length).toBeLessThan(1_000);
    const secret = { password: 'x', when: new Date(0) };
    const level = Array.from({ length: 23 }).reduce<object>((inner) => ({ inner }), secret);
    expect(safeJson(level)).toContain(JSON.stringify(JSON.stringify(secret)));
  });

  it('replaces only the getters, toJSON methods and proxies that throw', () => {
    const fail = (): never => {
      throw new Error('boom');
    };
    const value = {
      before: 1,
      get getter(): never {
        return fail();
      },
      method: { toJSON: fail },
      proxy: new Proxy({}, { ownKeys: fail, get: fail, getPrototypeOf: fail, has: fail }),
      after: 2,
    };
    expect(roundTrip(value)).toEqual({
      before: 1,
      getter: '[Throws: boom]',
      method: '[Throws: boom]',
      proxy: '[Throws: boom]',
      after: 2,
    });
  });

  it('writes thrown errors whose message is not a string', () => {
    const error = Object.assign(new Error('x'), { message: Symbol('s') });
    const fail = (): never => {
      throw error;
    };
    expect(roundTrip({ toJSON: fail })).toBe('[Throws: Symbol(s)]');
  });

  it('keeps __proto__ as an ordinary field', () => {
    expect(safeJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});
