import * as ascii from '../../core/ascii.ts';
import type { LineMapper } from '../line-stream.ts';
import { EncodedRecord } from '../record/record.ts';
import type { TagWriter } from '../record/tags.ts';

/** Encodes an event as a line. Tags are only included if they differ from the base tags. */
export function encodeLine(eventText: string, tagsText: string, baseTagsText: string): string {
  return tagsText === baseTagsText ? `${eventText}\n` : `\t${tagsText}\t${eventText}\n`;
}

/** Converts such lines to records. */
export function eventLineMapper({ baseText }: TagWriter): LineMapper {
  const record = new EncodedRecord();
  return ({ bytes, start, end }) => {
    if (bytes[start] !== ascii.TAB) return record.show(bytes, start, end, baseText);
    const tagsEnd = bytes.indexOf(ascii.TAB, start + 1);
    const tagsText = bytes.toString('utf8', start + 1, tagsEnd);
    return record.show(bytes, tagsEnd + 1, end, tagsText);
  };
}
