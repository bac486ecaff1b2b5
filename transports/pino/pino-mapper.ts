import type { LineMapper } from '../../src/ingest/line-stream.ts';
import { lineText } from '../../src/ingest/record/line-bytes.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { type PinoConfig, PinoEventMapper } from './pino-event.ts';

/** First character of a line with the logger's configuration. JSON contains no control characters. */
const CONFIG_MARK = 0x01;

/** Converts pino's lines to records, and sets the levels of the logger when a {@link configLine} arrives. */
export function pinoLineMapper(tags: TagWriter): LineMapper {
  const mapper = new PinoEventMapper(tags);
  return (line, nowMs) => {
    const config = line.bytes[line.start] === CONFIG_MARK ? configIn(lineText(line)) : undefined;
    if (config === undefined) return mapper.recordOf(line, nowMs);
    mapper.configure(config);
    return undefined;
  };
}

/** @returns `undefined` for text of the program that only starts like a {@link configLine}. */
function configIn(line: string): PinoConfig | undefined {
  try {
    const { levels } = JSON.parse(line.slice(1));
    return typeof levels === 'object' && levels !== null ? { levels } : undefined;
  } catch {
    return undefined;
  }
}

/** The logger's configuration as a line, so that it arrives before the records that need it, also in a worker. */
export function configLine(config: PinoConfig | undefined): string {
  return String.fromCharCode(CONFIG_MARK) + JSON.stringify({ levels: { labels: config?.levels?.labels } });
}

/** The configuration in a message that pino emits on the stream. */
export function configOf(message: unknown): { readonly config: PinoConfig | undefined } | undefined {
  const { code, config } = (message ?? {}) as { code?: unknown; config?: PinoConfig };
  return code === 'PINO_CONFIG' ? { config } : undefined;
}
