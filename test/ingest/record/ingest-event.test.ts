import { describe, expect, it } from 'vitest';
import { eventText, type IngestEvent } from '../../../src/ingest/record/ingest-event.ts';
import { oddValues } from '../../fixtures/odd-values.mjs';

const NOW = 1_800_000_000_000;

function event(value: object): unknown {
  return JSON.parse(eventText(value as IngestEvent, NOW));
}

/** Of those that are valid timestamps. */
const instants: Record<string, number> = { date: 1_700_000_000_000, bigint: 12_345_678_901_234 };

describe('eventText()', () => {
  it('writes the timestamp, timezone, attributes and rawstring', () => {
    const whole = {
      timestamp: 1_700_000_000_123,
      timezone: 'Europe/Copenhagen',
      attributes: { a: 1n },
      rawstring: 'raw\ud800',
    };
    expect(event(whole)).toEqual({ ...whole, attributes: { a: '1' }, rawstring: 'raw\ufffd' });
  });

  it.each(Object.keys(oddValues))('accepts "%s" in every field', (name) => {
    const value = oddValues[name]!();
    expect(event({ timestamp: value, timezone: value, attributes: value, rawstring: value })).toMatchObject({
      timestamp: instants[name.replace(' of another realm', '')] ?? NOW,
      attributes: {},
    });
  });

  it.each<[unknown, unknown]>([
    ['yesterday', 'yesterday'],
    ['2026-02-30T09:00:00Z', '2026-02-30T09:00:00Z'],
    [5, 5],
    [-1n, '-1'],
    [new Date(-1), '1969-12-31T23:59:59.999Z'],
    [{ seconds: 7 }, { seconds: 7 }],
    [null, null],
  ])('keeps the timestamp %o, which can not be read, as a field', (timestamp, field) => {
    expect(event({ timestamp, attributes: { a: 1 } })).toEqual({
      timestamp: NOW,
      attributes: { timestamp: field, a: 1 },
    });
    expect(event({ timestamp })).toEqual({ timestamp: NOW, attributes: { timestamp: field } });
    expect(event({ timestamp, attributes: 7 })).toEqual({
      timestamp: NOW,
      attributes: { timestamp: field, value: 7 },
    });
  });

  it.each<[object, string[]]>([
    [{ timestamp: '2026-11-30T02:20:00' }, ['timestamp: not epoch', 'Add its offset']],
    [{ timestamp: '2026-11-30 02:20:00.123456' }, ['timestamp: not epoch', 'Add its offset']],
    [{ timestamp: 'yesterday' }, ['timestamp: not epoch', '(got "yesterday").']],
    [{ timestamp: null }, ['timestamp: not epoch', '(got null).']],
    [{ tags: { a: 'b' }, events: [{ timestamp: NOW }] }, ['element: ', 'ingestJsonData()']],
    [{ timestamp: undefined }, []],
    [{ timestamp: NOW, message: 'x', events: [1] }, []],
    [{ attributes: { a: 1 }, events: [1] }, []],
  ])('reports mistakes in %j', (value, parts) => {
    const warned: string[] = [];
    eventText(value, NOW, (kind, message) => {
      warned.push(`${kind}: ${message.replace('The "timestamp" of an event is ', '')}`);
    });
    expect(warned).toEqual(parts.length === 0 ? [] : [expect.stringContaining(parts[0]!)]);
    for (const part of parts) expect(warned[0]).toContain(part);
  });

  it('adds members that no event has to the attributes', () => {
    expect(event({ level: 'error', message: 'x', order: 17 })).toEqual({
      timestamp: NOW,
      attributes: { level: 'error', message: 'x', order: 17 },
    });
    expect(event({ level: 'error', attribute: { b: 2 }, attributes: { level: 'warn' } })).toMatchObject({
      attributes: { level: 'warn', _level: 'error', attribute: { b: 2 } },
    });
    expect(event([{ attributes: { a: 1 } }])).toMatchObject({
      attributes: { 0: { attributes: { a: 1 } } },
    });
  });

  it('keeps an unreadable timestamp beside fields of the same name', () => {
    const attributes = { timestamp: 1, _timestamp: 2, nested: { timestamp: 3 } };
    expect(event({ timestamp: 'soon', attributes })).toEqual({
      timestamp: NOW,
      attributes: { ...attributes, __timestamp: 'soon' },
    });
  });

  it('writes the dates of 1970 and 1971 as they are', () => {
    for (const ms of [0, 5, Date.UTC(1971, 5, 1)]) {
      expect(event({ timestamp: new Date(ms) })).toEqual({ timestamp: ms, attributes: {} });
    }
    expect(event({ timestamp: Date.UTC(1971, 5, 1) })).toEqual({
      timestamp: Date.UTC(1971, 5, 1),
      attributes: {},
    });
  });

  it('writes an event whose members throw', () => {
    const text = '[Throws: boom]';
    expect(event(oddValues['hostile proxy']!() as object)).toEqual({
      timestamp: NOW,
      timezone: text,
      attributes: { timestamp: text, value: text },
      rawstring: text,
    });
  });
});
