import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson } from '../../src/ingest/safe-json.ts';

function roundTrip(value: unknown): unknown {
  return JSON.parse(safeJson(value));
}

describe('safe JSON', () => {
  it('is JSON.stringify for JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(safeJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('is well-formed for anything, and never throws', () => {
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
    );
  });

  it('keeps the texts and the fields of errors, with their causes', () => {
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
    ['a URL', new URL('http://a/b'), 'http://a/b'],
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['NaN', Number.NaN, 'NaN'],
    ['infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['a small buffer', Buffer.from('hi'), '[2 bytes] aGk='],
    ['a typed array', new Uint16Array([1]), '[2 bytes] AQA='],
    ['nothing', undefined, null],
    [
      'what JSON leaves out',
      { a: undefined, f: () => 1, s: Symbol('s'), list: [undefined, () => 1] },
      { list: [null, null] },
    ],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a pair', '😀', '😀'],
    ['a NUL', 'a\u0000b', 'a\u0000b'],
  ])('shows %s', (_, value, expected) => {
    expect(roundTrip(value)).toEqual(expected);
  });

  it('shortens a large buffer', () => {
    expect(safeJson(Buffer.alloc(1_000_000)).length).toBeLessThan(200);
  });

  it('marks a value inside itself, but not one that is there twice', () => {
    const shared = { a: 1 };
    const circular: Record<string, unknown> = { shared, again: shared };
    circular.self = circular;
    expect(roundTrip(circular)).toEqual({ shared: { a: 1 }, again: { a: 1 }, self: '[Circular]' });
  });

  it('cuts very deep values', () => {
    let deep: object = {};
    for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? { deep } : [deep];
    expect(safeJson(deep).length).toBeLessThan(1_000);
  });

  it('confines the damage of getters, toJSON methods and proxies that throw', () => {
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

  it('keeps __proto__ as a field like any other', () => {
    expect(safeJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});
