import { tryOr } from '../../src/core/try-or.ts';
import type { LineMapper } from '../../src/ingest/line-stream.ts';
import { lineText } from '../../src/ingest/record/line-bytes.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { type PinoConfig, PinoEventMapper } from './pino-event.ts';

/** First character of a line with the logger's levels. JSON contains no control characters. */
const CONFIG_MARK = 0x01;

/** A line that sets the labels of levels, by number. */
export function configLine(labels: Readonly<Record<string, string>> | undefined): string {
  return String.fromCharCode(CONFIG_MARK) + JSON.stringify({ levels: { labels } });
}

interface MessageSource {
  on(event: 'message', listener: (message?: { code?: unknown; config?: PinoConfig }) => void): unknown;
}

/** Converts pino's lines to records, and sets the levels of the logger when a line of {@link onPinoConfig} arrives. */
export function pinoLineMapper(tags: TagWriter): LineMapper {
  const mapper = new PinoEventMapper(tags);
  return (line, nowMs) => {
    const config = line.bytes[line.start] === CONFIG_MARK ? configIn(lineText(line)) : undefined;
    if (config === undefined) return mapper.recordOf(line, nowMs);
    mapper.configure(config);
    return undefined;
  };
}

/** @returns `undefined` for text of the program that only starts like such a line. */
function configIn(line: string): PinoConfig | undefined {
  const levels: unknown = tryOr(undefined, () => JSON.parse(line.slice(1)).levels);
  return typeof levels === 'object' && levels !== null ? { levels } : undefined;
}

/** Writes the logger's configuration as a line, so that it arrives before the records that need it. */
export function onPinoConfig(source: MessageSource, write: (line: string) => void): void {
  source.on('message', (message) => {
    if (message?.code !== 'PINO_CONFIG') return;
    const { labels } = message.config?.levels ?? {};
    write(configLine(labels));
  });
}
