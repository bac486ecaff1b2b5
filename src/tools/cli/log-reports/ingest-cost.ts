import { patternKey } from '../../../core/records/log-profile.ts';
import { type LoggedLine, loggedLine } from '../../../core/records/logged-line.ts';
import { patternOf, readPattern, templateOf } from '../../../core/records/message-pattern.ts';
import { memberName, membersOf } from '../../../ingest/record/json-text.ts';

/** What counts as the dimension of a cost. */
export type CostDimension = 'service' | 'level' | 'pattern' | 'field';

/** The bytes of some records, or of a field of all records. */
export interface CostShare {
  readonly by: CostDimension;
  readonly name: string;
  readonly bytes: number;
  /** Of all bytes, from 0 to 1. */
  readonly share: number;
}

/** A change that would save bytes. */
export interface CostSaving {
  readonly advice: string;
  readonly bytes: number;
  readonly share: number;
}

export interface IngestCost {
  readonly records: number;
  readonly bytes: number;
  /** At the rate of the records; `NaN` if they have no times. */
  readonly bytesPerDay: number;
  readonly shares: readonly CostShare[];
  readonly savings: readonly CostSaving[];
}

/** Name and value of the field with the time, in milliseconds. */
const TIMESTAMP_BYTES = '@timestamp'.length + 13;
const DAY_MS = 86_400_000;
const MAX_SHARES = 20;
const MIN_SAVING = 0.05;
const MIN_FIELD_SAVING = 0.1;
const NONE = '(none)';

/** What the formula of the service leaves open, for people. */
export const OPEN_QUESTIONS = [
  'The service documents: raw string + explicit fields + explicit tags − removed fields, each with names and values.',
  'Fields of structured events are counted once, as the JSON that becomes the raw string. If the service also counts them as explicit fields, the volume is up to twice as large.',
  'The time is counted as the field @timestamp with 13 digits. The service may count another size.',
  'Fields that a parser removes before parsing are not known here, and would be subtracted.',
  '"logclient ingest" also sends each JSON line as raw string, in addition to its fields.',
] as const;

/** Adds up what the service bills for records that a transport sends. */
export class CostCollector {
  readonly #tagBytes: number;
  readonly #bytes: Record<CostDimension, Map<string, number>> = {
    service: new Map(),
    level: new Map(),
    pattern: new Map(),
    field: new Map(),
  };
  readonly #byLevelAndService = new Map<string, number>();
  readonly #templates = new Map<string, string>();
  #records = 0;
  #total = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param tags tags of all records. */
  constructor(tags: Readonly<Record<string, string>> = {}) {
    this.#tagBytes = Object.entries(tags).reduce(
      (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
      0,
    );
  }

  add(line: string): void {
    const record = loggedLine(line);
    const json = record.members === undefined ? undefined : sentJson(record);
    const bytes = Buffer.byteLength(json ?? record.text) + TIMESTAMP_BYTES + this.#tagBytes;
    this.#records++;
    this.#total += bytes;
    if (record.time < this.#first) this.#first = record.time;
    if (record.time > this.#last) this.#last = record.time;
    const [level, service] = [record.level || NONE, record.service || NONE];
    count(this.#bytes.level, level, bytes);
    count(this.#bytes.service, service, bytes);
    count(this.#byLevelAndService, JSON.stringify([level, service]), bytes);
    this.#countPattern(record, bytes);
    if (json !== undefined) this.#countFields(json, '');
  }

  result(): IngestCost {
    const shares = Object.entries(this.#bytes).flatMap(([by, counts]) => {
      const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_SHARES);
      return sorted.map(([name, bytes]): CostShare => {
        const shown = by === 'pattern' ? this.#templates.get(name)! : name;
        return { by: by as CostDimension, name: shown, bytes, share: bytes / this.#total };
      });
    });
    const bytesPerDay =
      this.#last > this.#first ? (DAY_MS * this.#total) / (this.#last - this.#first) : Number.NaN;
    return { records: this.#records, bytes: this.#total, bytesPerDay, shares, savings: this.#savings() };
  }

  #countPattern({ field, message }: LoggedLine, bytes: number): void {
    const { key, kinds } = patternOf(message);
    const pattern = readPattern(key, kinds);
    const name = patternKey({ ...pattern, field });
    if (!this.#templates.has(name)) this.#templates.set(name, templateOf(pattern));
    count(this.#bytes.pattern, name, bytes);
  }

  /** The bytes of each field, with its name, colon and comma. Those of an object include its members. */
  #countFields(json: string, path: string): void {
    for (const member of membersOf(json)) {
      const name = memberName(member);
      const at = path === '' ? name : `${path}.${name}`;
      count(this.#bytes.field, at, Buffer.byteLength(member.name) + Buffer.byteLength(member.value) + 2);
      if (member.value.startsWith('{')) this.#countFields(member.value, at);
    }
  }

  #savings(): CostSaving[] {
    const saving = (advice: string, bytes: number): CostSaving => ({
      advice,
      bytes,
      share: bytes / this.#total,
    });
    const levels = [...this.#byLevelAndService].flatMap(([key, bytes]): CostSaving[] => {
      const [level, service] = JSON.parse(key) as [string, string];
      if (level !== 'debug' && level !== 'trace') return [];
      const of = service === NONE ? '' : ` of ${service}`;
      return [
        saving(`drop ${level}${of}: set its level to '${level === 'trace' ? 'debug' : 'info'}'`, bytes),
      ];
    });
    const fields = [...this.#bytes.field]
      .filter(([name, bytes]) => bytes / this.#total >= MIN_FIELD_SAVING && !IMPORTANT.test(name))
      .map(([name, bytes]) =>
        saving(`remove ${name}: in pino, redact: { paths: ['${name}'], remove: true }`, bytes),
      );
    return [...levels, ...fields]
      .filter(({ share }) => share >= MIN_SAVING)
      .sort((a, b) => b.bytes - a.bytes);
  }
}

/** Fields that programs need. */
const IMPORTANT = /^(?:level|msg|message|time|timestamp)$/;

/**
 * The JSON of the fields that a transport sends: without the time, which becomes that of the event, and with the name of a
 * numeric level.
 */
function sentJson({ text, timeField, time, level }: LoggedLine): string {
  const members = [...membersOf(text)].flatMap((member) => {
    const name = memberName(member);
    if (name === timeField && !Number.isNaN(time)) return [];
    const hasLabel = name === 'level' && /^\d/.test(member.value) && !/^\d*$/.test(level);
    return [`${member.name}:${hasLabel ? JSON.stringify(level) : member.value}`];
  });
  return `{${members.join()}}`;
}

function count(counts: Map<string, number>, name: string, bytes: number): void {
  counts.set(name, (counts.get(name) ?? 0) + bytes);
}
