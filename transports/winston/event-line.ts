import type { LineMapper } from '../../src/ingest/ingest-line-stream.ts';
import { createRecord } from '../../src/ingest/record.ts';
import type { TagWriter } from '../../src/ingest/tags.ts';

/** An event as a line; its tags only where they are not those that every event has. */
export function encodeLine(eventText: string, tagsText: string, baseTagsText: string): string {
  return tagsText === baseTagsText ? `${eventText}\n` : `${tagsText}\t${eventText}\n`;
}

/** Makes records of such lines. JSON text has no tabs. */
export function eventLineMapper({ baseText }: TagWriter): LineMapper {
  return (line) => {
    const tab = line.indexOf('\t');
    return tab === -1 ? createRecord(line, baseText) : createRecord(line.slice(tab + 1), line.slice(0, tab));
  };
}
