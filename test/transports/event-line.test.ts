import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeLine, eventLineMapper } from '../../src/ingest/kit/event-line.ts';
import { eventText } from '../../src/ingest/record/ingest-event.ts';
import { byteLine } from '../../src/ingest/record/line-bytes.ts';
import { TagWriter } from '../../src/ingest/record/tags.ts';
import { cases } from '../helpers/laws.ts';

const NOW = 1_800_000_000_000;
const writer = new TagWriter({ service: 'shop' }, []);
const anyText = fc.string({ unit: fc.constantFrom('a', '\t', '\n', '"', '\\', 'é', '🎉') });

function decode(line: string) {
  expect(line.indexOf('\n')).toBe(line.length - 1);
  const record = eventLineMapper(writer)(byteLine(line.slice(0, -1)), NOW)!;
  return { event: record.eventText, tags: record.tagsText };
}

it('eventLineMapper() restores the event and tags of any line that encodeLine() has written', () => {
  fc.assert(
    fc.property(anyText, fc.dictionary(anyText, anyText), (message, tags) => {
      const event = eventText({ attributes: { message } }, NOW);
      const tagsText = writer.textFor({}, tags);
      expect(decode(encodeLine(event, tagsText, writer.baseText))).toEqual({ event, tags: tagsText });
    }),
    cases(),
  );
});

it('encodeLine() writes tags only if they differ from the base tags', () => {
  expect(encodeLine('{}', writer.baseText, writer.baseText)).toBe('{}\n');
  expect(encodeLine('{}', '{"a":"b"}', writer.baseText)).toBe('\t{"a":"b"}\t{}\n');
  expect(decode('{}\n')).toEqual({ event: '{}', tags: writer.baseText });
});
