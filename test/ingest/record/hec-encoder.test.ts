import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HecEncoder } from '../../../src/ingest/record/hec-encoder.ts';
import { eventText } from '../../../src/ingest/record/ingest-event.ts';
import { createRecord, type IngestRecord } from '../../../src/ingest/record/record.ts';
import { jsonString } from '../../../src/ingest/record/safe-json.ts';
import { type HecObject, readHecBody } from '../../helpers/hec-body.ts';
import { cases } from '../../helpers/laws.ts';

const METADATA = { host: 'web-1', source: 'app "a"', sourcetype: '_json', index: 'main' };

/** What a strict collector reads from a record that was written among others. */
function read(record: IngestRecord): HecObject {
  const memory = Buffer.alloc(record.byteLength + 20, 'x');
  record.writeTo(memory, 10);
  const text = memory.toString('utf8', 10, 10 + record.byteLength);
  expect(text).toBe(record.eventText);
  expect(record.kept().eventText).toBe(text);
  expect(text).not.toContain('\n');
  const { objects, failure } = readHecBody(text);
  expect(failure).toBeUndefined();
  expect(objects).toHaveLength(1);
  return objects[0]!;
}

function encoded(text: string, tagsText = '{}', metadata = {}): HecObject {
  return read(new HecEncoder(metadata).encode(createRecord(text, tagsText)));
}

it('HecEncoder writes time, event, metadata and tags of each record', () => {
  const encoder = new HecEncoder(METADATA);
  const ms = fc.integer({ min: 200_000_000_000, max: 4_102_444_800_000 });
  const timestamp = fc.oneof(
    ms.map((value) => ({ timestamp: value, time: value / 1_000 })),
    ms.map((value) => ({ timestamp: new Date(value).toISOString(), time: value / 1_000 })),
  );
  const attributes = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
  const tags = fc.dictionary(fc.string(), fc.string());
  const padding = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 }));
  fc.assert(
    fc.property(timestamp, attributes, tags, padding, ({ timestamp, time }, fields, tags, size) => {
      const own = { ...fields, text: 'ü'.repeat(size) };
      const record = createRecord(eventText({ timestamp, attributes: own }, 0), JSON.stringify(tags));
      const object = read(encoder.encode(record));
      const expected = JSON.parse(record.eventText).attributes;
      const { fields: written = {}, ...rest } = object;
      expect(rest).toEqual({ ...METADATA, time, event: expected });
      expect(written).toEqual(tags);
    }),
    cases(),
  );
});

it.each<[string, string, object]>([
  [
    'an event with a text and no fields is the text',
    '{"timestamp":5,"attributes":{},"rawstring":"a}}"}',
    { time: 0.005, event: 'a}}' },
  ],
  ['a line of text is the event, without a time', '"a line"', { event: 'a line' }],
  [
    'a text beside fields is one of them',
    '{"timestamp":5,"attributes":{"a":1},"rawstring":"x"}',
    { time: 0.005, event: { a: 1, rawstring: 'x' } },
  ],
  [
    'members in another order and with spaces',
    ' {"attributes" : {"a":{"b":[1]}} , "timestamp" : 1700000000123 }'.trim(),
    { time: 1_700_000_000.123, event: { a: { b: [1] } } },
  ],
  [
    'a time zone is kept',
    '{"timestamp":5,"timezone":"UTC","attributes":{"a":1}}',
    { time: 0.005, event: { a: 1 }, timezone: 'UTC' },
  ],
  [
    'fields that are null are an empty event',
    '{"timestamp":5,"attributes":null}',
    { time: 0.005, event: {} },
  ],
  [
    'nanoseconds are cut to milliseconds',
    '{"timestamp":"2026-01-01T00:00:00.123456789Z","attributes":{"a":1}}',
    { time: 1_767_225_600.123, event: { a: 1 } },
  ],
  [
    'an offset counts',
    '{"timestamp":"2026-01-01T01:00:00+01:00","attributes":{"a":1}}',
    { time: 1_767_225_600, event: { a: 1 } },
  ],
])('HecEncoder output: %s', (_, text, object) => {
  expect(encoded(text)).toEqual(object);
});

it('HecEncoder keeps the digits of numbers', () => {
  const { eventText: text } = new HecEncoder({}).encode(
    createRecord('{"timestamp":1700000000000,"attributes":{"n":1.50,"big":12345678901234567890}}', '{}'),
  );
  expect(text).toBe('{"time":1700000000.000,"event":{"n":1.50,"big":12345678901234567890}}');
});

it.each([
  '{',
  '{"timestamp":5,"attributes":{"a":',
  '{"timestamp":5,"attributes":{"a"}}',
  '{"timestamp":"soon","attributes":{}}',
])('HecEncoder leaves the invalid event %s invalid, so that the receiver rejects it', (text) => {
  const { eventText: written } = new HecEncoder({}).encode(createRecord(text, '{}'));
  const { objects, failure } = readHecBody(`{"event":1}\n${written}\n{"event":2}`);
  expect(objects).toEqual([{ event: 1 }]);
  expect(failure).toMatchObject({ code: 6, 'invalid-event-number': 1 });
});

it('HecEncoder encodes small and large records in turn', () => {
  const encoder = new HecEncoder({});
  const lengths = [10, 3_000_000, 10, 5_000, 10];
  for (const length of lengths) {
    const text = 'x'.repeat(length);
    const record = createRecord(
      `{"timestamp":1700000000000,"attributes":{"text":${jsonString(text)}}}`,
      '{}',
    );
    expect(read(encoder.encode(record)).event).toEqual({ text });
  }
});
