import { memberName, membersOf } from '../../src/ingest/record/json-text.ts';
import { type ByteLine, lineText } from '../../src/ingest/record/line-bytes.ts';
import { createRecord, type IngestRecord } from '../../src/ingest/record/record.ts';
import { jsonString } from '../../src/ingest/record/safe-json.ts';
import type { TagWriter } from '../../src/ingest/record/tags.ts';
import { timestampOf } from '../../src/ingest/record/timestamp.ts';
import { PinoLevels } from './pino-levels.ts';
import { PinoSplicer } from './pino-splicer.ts';
import { cleanJson } from './pino-text.ts';

/** The logger configuration that pino sends to its transports. */
export interface PinoConfig {
  readonly levels?: { readonly labels?: Readonly<Record<string, string>> } | undefined;
}

/**
 * Turns pino's lines into records: `time` becomes the event's timestamp, the number of a level its label, and
 * everything else stays as it is.
 *
 * A line is JSON already. Once it is proved that it can stand in a request, it is spliced. Lines for which that
 * can't be proved are parsed, with the same result. All numbers keep their digits.
 */
export class PinoEventMapper {
  readonly #tags: TagWriter;
  readonly #levels = new PinoLevels();
  readonly #splicer: PinoSplicer;

  constructor(tags: TagWriter) {
    this.#tags = tags;
    this.#splicer = new PinoSplicer(tags, this.#levels);
  }

  /** Sets the levels of the logger. */
  configure(config: PinoConfig | undefined): void {
    this.#levels.configure(config?.levels?.labels);
    this.#splicer.forgetLevels();
  }

  /**
   * @param nowMs the timestamp of a line that has none.
   * @returns a record that holds until the next call.
   */
  recordOf(line: ByteLine, nowMs: number): IngestRecord {
    return this.#splicer.splice(line, nowMs) ?? this.parse(lineText(line), nowMs);
  }

  /** The exact way, which {@link recordOf} only takes for lines that it can't splice. */
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
    const label = typeof parsed.level === 'number' ? this.#levels.labelOf(parsed.level) : undefined;
    if (label !== undefined) {
      members.set('level', `"level":${jsonString(label)}`);
      parsed.level = label;
    }
    const text = `{"timestamp":${JSON.stringify(timestamp ?? nowMs)},"attributes":{${[...members.values()].join()}}}`;
    return createRecord(this.#tags.protect(text), this.#tags.textFor(parsed));
  }
}

/** The members as JSON text. Of those that have the same name the last one counts, as when JSON is parsed. */
function membersByName(text: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const member of membersOf(text)) {
    members.set(memberName(member), `${member.name}:${member.value}`);
  }
  return members;
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
