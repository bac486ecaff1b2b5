import { membersOf } from '../../src/ingest/json-text.ts';
import { createRecord, type IngestRecord } from '../../src/ingest/record.ts';
import { jsonString } from '../../src/ingest/safe-json.ts';
import type { TagWriter } from '../../src/ingest/tags.ts';
import { timestampOf } from '../../src/ingest/timestamp.ts';
import { dissectPinoLine } from './pino-line.ts';
import { cleanJson } from './pino-text.ts';

/** What pino tells its transports about the logger, as far as it matters here. */
export interface PinoConfig {
  readonly levels?: { readonly labels?: Readonly<Record<string, string>> } | undefined;
}

/** pino's own labels, for lines that come before or without a configuration. */
const DEFAULT_LABELS: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Programs have few levels; what passes this many is not remembered. */
const MAX_KNOWN_LEVELS = 64;

const EPOCH_MILLISECONDS = /^[1-9]\d{12}$/;

/**
 * Turns pino's lines into records: `time` becomes the event's timestamp, the number of a level its label, and
 * everything else stays as it is.
 *
 * A line is JSON already. Once it is proved that it can stand in a request, it is spliced. Lines for which that
 * can't be proved are parsed, with the same result. All numbers keep their digits.
 */
export class PinoEventMapper {
  readonly #tags: TagWriter;
  #labels = DEFAULT_LABELS;
  /** The JSON text that takes the place of a level's. */
  readonly #levelTexts = new Map<string, string>();

  constructor(tags: TagWriter) {
    this.#tags = tags;
  }

  /** Takes the levels of the logger. */
  configure(config: PinoConfig | undefined): void {
    this.#labels = config?.levels?.labels ?? DEFAULT_LABELS;
    this.#levelTexts.clear();
  }

  /** @param nowMs the timestamp of a line that has none. */
  recordOf(line: string, nowMs: number): IngestRecord {
    return this.#splice(line, nowMs) ?? this.parse(line, nowMs);
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
    const label = typeof parsed.level === 'number' ? this.#label(parsed.level) : undefined;
    if (label !== undefined) {
      members.set('level', `"level":${jsonString(label)}`);
      parsed.level = label;
    }
    const text = `{"timestamp":${JSON.stringify(timestamp ?? nowMs)},"attributes":{${[...members.values()].join()}}}`;
    return createRecord(text, this.#tags.textFor(parsed));
  }

  /** @returns `undefined` for a line that has to be parsed. */
  #splice(line: string, nowMs: number): IngestRecord | undefined {
    const parts = dissectPinoLine(line);
    if (parts === undefined) return undefined;
    const timestamp = parts.time === undefined ? nowMs : timestampText(parts.time);
    if (timestamp === undefined) return undefined; // Stays where it is; a rare case, left to the exact way.
    const first = parts.level === undefined ? parts.firstMember : `"level":${this.#levelText(parts.level)}`;
    const attributes = `{${first}${parts.rest}}`;
    const tags =
      this.#tags.fieldNames.length === 0 ? this.#tags.baseText : this.#tags.textFor(JSON.parse(attributes));
    return createRecord(`{"timestamp":${timestamp},"attributes":${attributes}}`, tags);
  }

  #levelText(json: string): string {
    const known = this.#levelTexts.get(json);
    if (known !== undefined) return known;
    const label = /^[-\d]/.test(json) ? this.#label(Number(json)) : undefined;
    const text = label === undefined ? json : jsonString(label);
    if (this.#levelTexts.size < MAX_KNOWN_LEVELS) this.#levelTexts.set(json, text);
    return text;
  }

  #label(level: number): string | undefined {
    const label = Object.hasOwn(this.#labels, String(level)) ? this.#labels[String(level)] : undefined;
    return typeof label === 'string' ? label : undefined;
  }
}

/** The timestamp as JSON text; `undefined` when the member holds none. */
function timestampText(json: string): string | undefined {
  if (EPOCH_MILLISECONDS.test(json)) return json;
  const timestamp = /^["\d-]/.test(json) ? timestampOf(JSON.parse(json)) : undefined;
  return timestamp === undefined ? undefined : JSON.stringify(timestamp);
}

/** The members as JSON text. Of those that have the same name the last one counts, as when JSON is parsed. */
function membersByName(text: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const { name, value } of membersOf(text)) members.set(JSON.parse(name), `${name}:${value}`);
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
