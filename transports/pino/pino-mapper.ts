import type { LineMapper } from '../../src/ingest/line-stream.ts';
import { lineText } from '../../src/ingest/record/line-bytes.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { type PinoConfig, PinoEventMapper } from './pino-event.ts';

/** Stands before a line that holds the logger's configuration. JSON text has no control characters. */
const CONFIG_MARK = 0x01;

/** Makes records of pino's lines, and learns the logger's levels from a {@link configLine} among them. */
export function pinoLineMapper(tags: TagWriter): LineMapper {
  const mapper = new PinoEventMapper(tags);
  return (line, nowMs) => {
    const config = line.bytes[line.start] === CONFIG_MARK ? configIn(lineText(line)) : undefined;
    if (config === undefined) return mapper.recordOf(line, nowMs);
    mapper.configure(config);
    return undefined;
  };
}

/** @returns `undefined` for a text of the program that only begins like a {@link configLine}. */
function configIn(line: string): PinoConfig | undefined {
  try {
    const { levels } = JSON.parse(line.slice(1));
    return typeof levels === 'object' && levels !== null ? { levels } : undefined;
  } catch {
    return undefined;
  }
}

/** What pino tells about the logger, as a line, so that it comes before the records that need it, in any thread. */
export function configLine(config: PinoConfig | undefined): string {
  return String.fromCharCode(CONFIG_MARK) + JSON.stringify({ levels: { labels: config?.levels?.labels } });
}

/** The configuration in a message that pino emits on its stream. */
export function configOf(message: unknown): { readonly config: PinoConfig | undefined } | undefined {
  const { code, config } = (message ?? {}) as { code?: unknown; config?: PinoConfig };
  return code === 'PINO_CONFIG' ? { config } : undefined;
}
