import { eventLineMapper } from '../../../src/ingest/kit/event-line.ts';
import type { LineMapper } from '../../../src/ingest/line-stream.ts';
import type { TagWriter } from '../../../src/ingest/record/tags.ts';
import { pinoLineMapper } from '../../pino/pino-mapper.ts';

/** First character of pino's lines, and of the lines that set its levels. Other lines are events. */
const PINO_MARK = '\u0002';
const PINO_CODE = 0x02;

/** @param text lines of pino, with or without a newline at the end. */
export function pinoLines(text: string): string {
  return `${PINO_MARK}${text.trimEnd().replaceAll('\n', `\n${PINO_MARK}`)}\n`;
}

/** Converts events and pino's lines to records, in one order and for one connection. */
export function autoLineMapper(tags: TagWriter): LineMapper {
  const eventRecord = eventLineMapper(tags);
  const pinoRecord = pinoLineMapper(tags);
  return (line, nowMs) => {
    const { bytes, start, end } = line;
    if (bytes[start] !== PINO_CODE) return eventRecord(line, nowMs);
    return pinoRecord({ bytes, start: start + 1, end }, nowMs);
  };
}
