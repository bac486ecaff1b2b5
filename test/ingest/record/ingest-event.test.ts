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

  it('writes an event whose members throw', () => {
    const text = '[Throws: boom]';
    expect(event(oddValues['hostile proxy']!() as object)).toEqual({
      timestamp: NOW,
      timezone: text,
      attributes: { value: text },
      rawstring: text,
    });
  });
});
