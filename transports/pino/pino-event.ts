import { isJsonObject } from '../../src/core/json-object.ts';
import { membersByName } from '../../src/core/json-text.ts';
import { timestampOf } from '../../src/core/records/timestamp.ts';
import { tryOr } from '../../src/core/try-or.ts';
import { type ByteLine, lineText } from '../../src/ingest/record/line-bytes.ts';
import { createRecord, type IngestRecord } from '../../src/ingest/record/record.ts';
import { jsonString } from '../../src/ingest/record/safe-json.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { PinoSplicer } from './pino-splicer.ts';
import { cleanJson } from './pino-text.ts';

/** The logger configuration that pino sends to its transports. */
export interface PinoConfig {
  readonly levels?: { readonly labels?: Readonly<Record<string, string>> } | undefined;
}

/**
 * Converts pino's lines to records. `time` becomes the timestamp of the event, and the number of the level its label.
 * Everything else is unchanged, including the digits of numbers.
 *
 * Lines that are verified to be JSON without special cases are spliced. All others are parsed, with the same result.
 */
export class PinoEventMapper {
  readonly #tags: TagWriter;
  readonly #splicer: PinoSplicer;

  constructor(tags: TagWriter) {
    this.#tags = tags;
    this.#splicer = new PinoSplicer(tags);
  }

  configure(config: PinoConfig | undefined): void {
    this.#splicer.configure(config?.levels?.labels);
  }

  /** @param nowMs timestamp of a line without `time`. @returns a record that is valid until the next call. */
  recordOf(line: ByteLine, nowMs: number): IngestRecord {
    return this.#splicer.splice(line, nowMs) ?? this.parse(lineText(line), nowMs);
  }

  /** Parses a line. {@link recordOf} only uses it for lines that can't be spliced. */
  parse(line: string, nowMs: number): IngestRecord {
    const parsed = parseObject(line);
    if (parsed === undefined) {
      const text = `{"timestamp":${nowMs},"attributes":{},"rawstring":${jsonString(line)}}`;
      return createRecord(text, this.#tags.baseText);
    }
    const members = membersByName(cleanJson(line));
    const timestamp = timestampOf(parsed.time);
    if (timestamp !== undefined) {
      members.delete('time');
      delete parsed.time;
    }
    const label = typeof parsed.level === 'number' ? this.#splicer.labelOf(parsed.level) : undefined;
    if (label !== undefined) {
      members.set('level', `"level":${jsonString(label)}`);
      parsed.level = label;
    }
    const text = `{"timestamp":${JSON.stringify(timestamp ?? nowMs)},"attributes":{${[...members.values()].join()}}}`;
    return createRecord(this.#tags.protect(text), this.#tags.textFor(parsed));
  }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  const parsed: unknown = tryOr(undefined, () => JSON.parse(line));
  return isJsonObject(parsed) ? (parsed as Record<string, unknown>) : undefined;
}
