import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchMarker } from '../../../src/ingest/batch/batch-ids.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';
import { cases } from '../../helpers/laws.ts';

const name = fc.oneof(
  fc.constantFrom('batchId', 'seq', 'attributes', 'timestamp', 'a"b'),
  fc.string({ unit: 'grapheme' }).filter((text) => text !== '__proto__'),
);
const fields = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
const attributes = fc.oneof(fields, fc.constantFrom(null, undefined));
const event = fc
  .tuple(fields, attributes, fc.shuffledSubarray(['before', 'behind'], { minLength: 1, maxLength: 1 }))
  .map(([{ attributes: _, ...rest }, given, [place]]) =>
    place === 'before' ? { attributes: given, ...rest } : { ...rest, attributes: given },
  );
const text = fc
  .tuple(event, fc.constantFrom(0, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent).replaceAll('\n', ' '));

const BATCH_ID = 'abc123';
const add = batchMarker('attributes', BATCH_ID);

function mark(eventText: string): string {
  return add(createRecord(eventText, '{}'), 7).eventText;
}

it('a batch marker adds batchId and seq to the attributes of any event and changes nothing else', () => {
  fc.assert(
    fc.property(text, (eventText) => {
      const before = JSON.parse(eventText);
      expect(JSON.parse(mark(eventText))).toEqual({
        ...before,
        attributes: { ...before.attributes, batchId: BATCH_ID, seq: 7 },
      });
    }),
    cases(),
  );
});

it('a batch marker never turns truncated JSON into valid JSON', () => {
  fc.assert(
    fc.property(text, fc.nat(), (eventText, length) => {
      const cut = eventText.slice(0, 1 + (length % (eventText.length - 1)));
      expect(() => JSON.parse(mark(cut))).toThrow();
    }),
    cases(),
  );
});

it('a batch marker does not change an event whose attributes are not an object', () => {
  for (const eventText of ['{"attributes":5}', '{"attributes":["a"]}', '{"attributes":"text"}']) {
    expect(mark(eventText)).toBe(eventText);
  }
});
