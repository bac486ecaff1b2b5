import { isJsonObject } from '../../src/core/json-object.ts';
import { memberName, membersOf } from '../../src/core/json-text.ts';
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
 * Converts pino's lines to records. pino's own `time`, directly behind the level, becomes the timestamp of the event, and the number of the level its label.
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
    const parsed = tryOr<Record<string, unknown> | undefined>(undefined, () => JSON.parse(line));
    if (!isJsonObject(parsed)) {
      const text = `{"timestamp":${nowMs},"attributes":{},"rawstring":${jsonString(line)}}`;
      return createRecord(text, this.#tags.baseText);
    }
    const all = membersOf(cleanJson(line));
    const names = all.map(memberName);
    const timeIndex = indexOfTime(names);
    const timestamp = timeIndex === -1 ? undefined : timestampOf(JSON.parse(all[timeIndex]!.value));
    if (timestamp !== undefined) {
      all.splice(timeIndex, 1);
      names.splice(timeIndex, 1);
      if (!names.includes('time')) delete parsed.time;
    }
    const members = new Map(all.map(({ name, value }, index) => [names[index], `${name}:${value}`]));
    const label = typeof parsed.level === 'number' ? this.#splicer.labelOf(parsed.level) : undefined;
    if (label !== undefined) {
      members.set('level', `"level":${jsonString(label)}`);
      parsed.level = label;
    }
    const text = `{"timestamp":${JSON.stringify(timestamp ?? nowMs)},"attributes":{${[...members.values()].join()}}}`;
    return createRecord(this.#tags.protect(text), this.#tags.textFor(parsed));
  }
}

/** The index of pino's own time: directly behind the level, or behind what a formatter has made of it. -1 if there is none. */
function indexOfTime(names: readonly string[]): number {
  const index = names.indexOf('time');
  return index <= 1 || index === names.indexOf('level') + 1 ? index : -1;
}
