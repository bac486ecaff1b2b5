import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenEvent } from '../../../src/ingest/record/shorten-event.ts';
import { anyCharacter, cases } from '../../helpers/laws.ts';

const MIB = 1024 * 1024;

interface Event {
  timestamp: number | string;
  timezone?: string;
  attributes: Record<string, unknown>;
  rawstring?: string;
}

function shorten(event: object, maxBytes: number): { text: string; event: Event } {
  const text = shortenEvent(JSON.stringify(event), maxBytes);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
  return { text, event: JSON.parse(text) };
}

describe('shortenEvent()', () => {
  it('does not change an event that fits', () => {
    const text = JSON.stringify({ timestamp: 1, attributes: { message: 'é'.repeat(500) } });
    expect(shortenEvent(text, Buffer.byteLength(text))).toBe(text);
  });

  it('truncates the longest strings at any depth and appends their original size', () => {
    const { text, event } = shorten(
      {
        timestamp: 1_700_000_000_000,
        attributes: {
          level: 'error',
          message: 'm'.repeat(3 * MIB),
          request: { id: 'r1', bodies: ['b'.repeat(2 * MIB), 'c'.repeat(1_000)] },
        },
        rawstring: 'r'.repeat(MIB),
      },
      MIB,
    );
    const request = event.attributes.request as { id: string; bodies: string[] };
    expect(event.attributes.message).toMatch(/^m{300000,}… \[cut, 3145728 bytes in all\]$/);
    expect(request.bodies[0]).toMatch(/^b{300000,}… \[cut, 2097152 bytes in all\]$/);
    expect(event.rawstring).toMatch(/^r{300000,}… \[cut, 1048576 bytes in all\]$/);
    expect(request.bodies[1]).toBe('c'.repeat(1_000));
    expect([event.timestamp, event.attributes.level, request.id]).toEqual([1_700_000_000_000, 'error', 'r1']);
    expect(text.length).toBeGreaterThan(MIB - 10); // No more is cut than necessary.
  });

  it.each([
    ['pairs of surrogates', '😀'],
    ['escapes', '\u0001\n"\\'],
    ['long characters', 'é€'],
  ])('does not cut %s in half', (_, unit) => {
    for (let shift = 0; shift < 13; shift++) {
      const { event } = shorten(
        { timestamp: 1, attributes: { message: '-'.repeat(shift) + unit.repeat(2_000) } },
        1_024,
      );
      const message = event.attributes.message as string;
      const shown = message.slice(shift, message.indexOf('…'));
      expect(shown.length).toBeGreaterThan(100);
      expect(unit.repeat(2_000).startsWith(shown)).toBe(true);
      expect(shown).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('does not cut escaped surrogate pairs in half', () => {
    for (let shift = 0; shift < 13; shift++) {
      const message = '-'.repeat(shift) + '\\ud83d\\ude00'.repeat(500);
      const event = JSON.parse(
        shortenEvent(`{"timestamp":1,"attributes":{"message":"${message}"}}`, 1_024),
      ) as Event;
      expect(event.attributes.message).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('keeps the original size of a string that is truncated twice', () => {
    const once = shorten({ timestamp: 1, attributes: { message: 'm'.repeat(5_000) } }, 3_000).text;
    const { event } = shorten(JSON.parse(once), 2_000);
    expect(event.attributes.message).toMatch(/^m+… \[cut, 5000 bytes in all\]$/);
  });

  it('makes large arrays and objects the text of one field and keeps the members after them', () => {
    const { event } = shorten(
      {
        timestamp: '2023-11-14T22:13:20.123456789Z',
        timezone: 'Europe/Copenhagen',
        attributes: {
          level: 'info',
          numbers: Array.from({ length: 50_000 }, (_, index) => index),
          counts: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`count${index}`, index])),
          small: { a: [1, { b: 'c' }] },
          msg: 'hello',
        },
        rawstring: 'raw',
      },
      100_000,
    );
    const { _more, ...rest } = event.attributes;
    expect(rest).toEqual({ level: 'info', small: { a: [1, { b: 'c' }] }, msg: 'hello' });
    expect(_more).toMatch(/^\{"numbers":\[0,1,2,.{90000,}… \[cut, \d+ bytes in all\]$/);
    expect([event.timestamp, event.timezone, event.rawstring]).toEqual([
      '2023-11-14T22:13:20.123456789Z',
      'Europe/Copenhagen',
      'raw',
    ]);
  });

  it('keeps level and msg after 50,000 small fields', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`field${index}`, `v${index}`]),
    );
    const { event } = shorten({ timestamp: 1, attributes: { ...fields, level: 'warn', msg: 'hi' } }, 10_000);
    expect(event.attributes).toMatchObject({ level: 'warn', msg: 'hi', field0: 'v0' });
    expect(event.attributes._more).toMatch(/^\{"field\d+":.*… \[cut, \d+ bytes in all\]$/);
  });

  it('keeps the digits of numbers', () => {
    const text = `{"timestamp":1,"attributes":{"n":12345678901234567890,"f":7.0,"m":"${'m'.repeat(2_000)}"}}`;
    expect(shortenEvent(text, 1_024)).toContain('"n":12345678901234567890,"f":7.0,');
  });

  // Quadratic work would take minutes, and the time limit of a test is 30 s.
  it('with many large and small values is truncated in linear time', () => {
    const size = 6_400;
    const big = {
      strings: Array.from({ length: size }, () => 'y'.repeat(500)),
      numbers: Array.from({ length: 25 * size }, (_, index) => index),
      rows: Array.from({ length: 3 * size }, (_, a) => ({ a, b: [`text ${a}`, { c: {} }] })),
      backslashes: '\\'.repeat(50 * size),
    };
    const { text } = shorten({ timestamp: 1, attributes: big }, 50 * size);
    expect(text.length).toBeGreaterThan(25 * size);
  });
});

describe('shortenEvent() with arbitrary events', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: anyCharacter }),
    fc.constant('\ud800"\\'),
  );
  const value = fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    fc.tuple(text, fc.integer({ min: 0, max: 600 })).map(([unit, count]) => unit.repeat(count)),
    fc
      .tuple(fc.jsonValue(), fc.integer({ min: 0, max: 400 }))
      .map(([item, count]) => Array(count).fill(item)),
  );
  const event = fc.record(
    {
      timestamp: fc.oneof(fc.constant(1_700_000_000_123), fc.constant('2023-11-14T22:13:20.123456789+01:00')),
      timezone: fc.oneof(fc.constant('Europe/Copenhagen'), text),
      attributes: fc.dictionary(
        fc.oneof(fc.constantFrom('level', 'message', 'msg', '__proto__'), text),
        value,
      ),
      rawstring: fc.tuple(text, fc.integer({ min: 0, max: 600 })).map(([unit, count]) => unit.repeat(count)),
    },
    { requiredKeys: ['timestamp', 'attributes'] },
  );

  it('returns valid JSON within maxBytes, with the same timestamp and short level', () => {
    fc.assert(
      fc.property(event, fc.integer({ min: 1_024, max: 20_000 }), (original, maxBytes) => {
        const whole = JSON.stringify(original);
        const result = shortenEvent(whole, maxBytes);
        expect(Buffer.byteLength(result)).toBeLessThanOrEqual(maxBytes);
        const parsed = JSON.parse(Buffer.from(result).toString()) as Event;
        expect(parsed.timestamp).toBe(original.timestamp);
        const { level } = original.attributes;
        if (typeof level === 'string' && JSON.stringify(level).length < 20)
          expect(parsed.attributes.level).toBe(level);
        expect(shortenEvent(result, maxBytes)).toBe(result);
        if (Buffer.byteLength(whole) <= maxBytes) expect(result).toBe(whole);
      }),
      cases(25),
    );
  });

  it('never throws and always returns, even for invalid JSON', () => {
    const broken = fc
      .tuple(event, fc.nat(), fc.string({ unit: fc.constantFrom(...'"{}[],:\\ 0'), maxLength: 4 }))
      .map(([original, position, insert]) => {
        const whole = JSON.stringify(original);
        const at = position % whole.length;
        return whole.slice(0, at) + insert + whole.slice(at + 1);
      });
    fc.assert(
      fc.property(
        fc.oneof(broken, fc.string({ minLength: 1_000 })),
        fc.integer({ min: 0, max: 2_000 }),
        (json, maxBytes) => {
          expect(() => shortenEvent(json, maxBytes)).not.toThrow();
        },
      ),
      cases(25),
    );
  });
});

it('shortenEvent() fills the space with the fields that are too many, even if the largest is the last one', () => {
  const large = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`n${index}`, 1]));
  for (let maxBytes = 2_000; maxBytes < 2_020; maxBytes++) {
    const attributes = { level: 'info', _more: 'before', message: 'm', large };
    const text = shortenEvent(JSON.stringify({ timestamp: 1, attributes }), maxBytes);
    expect(text.length).toBeLessThanOrEqual(maxBytes);
    expect(text.length).toBeGreaterThan(maxBytes - 10);
    expect(JSON.parse(text).attributes).toEqual({
      level: 'info',
      message: 'm',
      _more: expect.stringMatching(/^\{"_more":"before","large":\{"n0":1,.*… \[cut, \d+ bytes in all\]$/),
    });
  }
});
