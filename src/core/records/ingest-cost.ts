import { utf8Length } from '../bytes.ts';
import { DAY_MS, HOUR_MS } from '../epoch.ts';
import { memberName, membersOf } from '../json-text.ts';
import type { WrittenTimes } from './formats/written-times.ts';
import { type LoggedLine, loggedFields, loggedLine, patternRecord } from './logged-line.ts';
import { templateOf } from './message-pattern.ts';
import { count, PatternCollector } from './pattern-groups.ts';
import { RECORD_FIELDS } from './record-fields.ts';

/** The bytes of all records, of some, or of a field of all records; negative for a change that would save them. */
export interface CostRow {
  readonly by: 'total' | 'service' | 'level' | 'pattern' | 'field' | 'saving';
  readonly name: string;
  readonly bytes: number;
  readonly percent: number;
  /** At the rate of the records; `null` if they have no times. */
  readonly bytesPerDay: number | null;
  /** Also `null` for less than an hour. */
  readonly bytesPerMonth: number | null;
}

export interface IngestCost {
  readonly records: number;
  /** The total first, then savings. Empty without records. */
  readonly rows: readonly CostRow[];
}

/** Name and value of the field with the time, in milliseconds. */
const TIMESTAMP_BYTES = '@timestamp'.length + 13;
/** Earlier times are those of a clock that was not set. */
const FIRST_TIME = Date.UTC(2000, 0, 1);
const MAX_RECORD_BYTES = 1_000_000;
const DAYS_PER_MONTH = 30;
const MAX_SHARES = 20;
const MIN_SAVING = 0.05;
const MIN_FIELD_SAVING = 0.1;
const NONE = '(none)';

const DOUBTS = {
  time: 'with the time in @timestamp, which some transports also send as a field: the volume can be a third larger',
  error:
    'with an error that has no properties ({}): a transport sends its message and stack, so the volume can be several times larger',
  size: 'over 1 MB: a transport shortens them, so the volume can be a third smaller',
};

/** Adds up what the service bills for records that a transport sends. */
export class CostCollector {
  readonly #tagBytes: number;
  readonly #service: string;
  readonly #mask: (text: string) => string;
  readonly #services = new Map<string, number>();
  readonly #levels = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  /** The first value of each field that is no object. */
  readonly #values = new Map<string, string>();
  readonly #varying = new Set<string>();
  /** Records of verbose levels, by what to do about them. */
  readonly #verbose = new Map<string, number>();
  readonly #patterns: PatternCollector;
  /** Why the transport sends other bytes than the lines have, and for how many records. */
  readonly doubts = new Map<string, number>();
  #records = 0;
  #total = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param tags tags of all records. @param mask applied to messages and names. */
  constructor(tags: Readonly<Record<string, string>> = {}, mask = (text: string): string => text) {
    this.#tagBytes = utf8Length(Object.entries(tags).flat().join(''));
    this.#service = tags.service ?? '';
    this.#mask = mask;
    this.#patterns = new PatternCollector(0, 1, undefined, mask);
  }

  add(line: string, times?: WrittenTimes): void {
    const record = loggedLine(line, times);
    if (record.timeField === '@timestamp') count(this.doubts, DOUBTS.time, 1);
    if (/"(?:err|error|exception)":\s*\{\}/.test(line)) count(this.doubts, DOUBTS.error, 1);
    if (utf8Length(line) > MAX_RECORD_BYTES) count(this.doubts, DOUBTS.size, 1);
    const service = record.service || this.#service;
    this.#add({ ...record, service }, record.isJson ? sentJson(record) : undefined, this.#tagBytes);
  }

  /** Adds a stored event, whose raw string is the JSON that was sent, or a line. Only lines have their time in the text. */
  addEvent(fields: Readonly<Record<string, unknown>>): void {
    const tags = Object.entries(fields).filter(([name]) => /^#(?!repo$|type$)/.test(name));
    const tagBytes = tags.reduce((sum, [name, value]) => sum + utf8Length(`${name.slice(1)}${value}`), 0);
    const [text, time] = [String(fields['@rawstring'] ?? ''), Number(fields['@timestamp'])];
    const line = loggedLine(text);
    const hasTime = line.isJson && Math.abs(line.time - time) < 1;
    const json = hasTime ? sentJson(line) : text.startsWith('{') ? text : undefined;
    this.#add({ ...loggedFields(fields), time, text }, json, tagBytes);
  }

  #add(record: LoggedLine, json: string | undefined, tagBytes: number): void {
    const bytes = utf8Length(json ?? record.text) + TIMESTAMP_BYTES + tagBytes;
    this.#records++;
    this.#total += bytes;
    if (record.time >= FIRST_TIME && record.time < this.#first) this.#first = record.time;
    if (record.time >= FIRST_TIME && record.time > this.#last) this.#last = record.time;
    const [level, service] = [record.level || NONE, record.service || NONE];
    count(this.#levels, level, bytes);
    count(this.#services, service, bytes);
    const nextLevel = level === 'trace' ? 'debug' : level === 'debug' ? 'info' : undefined;
    if (nextLevel !== undefined) {
      const of = service === NONE ? '' : ` of ${service}`;
      count(this.#verbose, `drop ${level}${of}: set its level to '${nextLevel}'`, bytes);
    }
    this.#patterns.add(patternRecord(record), bytes);
    if (json !== undefined) this.#countFields(json, '');
  }

  result(): IngestCost {
    if (this.#records === 0) return { records: 0, rows: [] };
    const patterns = this.#patterns
      .result()
      .patterns.map((group) => [templateOf(group), group.count] as const);
    const rows = [
      this.#row('total', 'all', this.#total),
      ...this.#largest('saving', this.#savings()),
      ...this.#largest('service', this.#services),
      ...this.#largest('level', this.#levels),
      ...this.#largest('pattern', patterns),
      ...this.#largest('field', this.#fields),
    ];
    return { records: this.#records, rows };
  }

  #largest(by: CostRow['by'], counts: Iterable<readonly [name: string, bytes: number]>): CostRow[] {
    const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_SHARES);
    return sorted.map(([name, bytes]) => this.#row(by, name, by === 'saving' ? -bytes : bytes));
  }

  #row(by: CostRow['by'], name: string, bytes: number): CostRow {
    const days = (this.#last - this.#first) / DAY_MS;
    return {
      by,
      name: this.#mask(name),
      bytes,
      percent: Number(((100 * bytes) / this.#total).toFixed(1)),
      bytesPerDay: days > 0 ? Math.round(bytes / days) : null,
      bytesPerMonth: days * DAY_MS >= HOUR_MS ? Math.round((DAYS_PER_MONTH * bytes) / days) : null,
    };
  }

  /** The bytes of each field, with its name, colon and comma. Those of an object include its members. */
  #countFields(json: string, path: string): void {
    for (const member of membersOf(json)) {
      const name = memberName(member);
      const at = path === '' ? name : `${path}.${name}`;
      count(this.#fields, at, utf8Length(member.name) + utf8Length(member.value) + 2);
      if (member.value.startsWith('{')) this.#countFields(member.value, at);
      else if ((this.#values.get(at) ?? member.value) !== member.value) this.#varying.add(at);
      else this.#values.set(at, member.value);
    }
  }

  #savings(): [advice: string, bytes: number][] {
    const savings = [...this.#verbose].filter(([, bytes]) => bytes >= MIN_SAVING * this.#total);
    for (const [name, bytes] of this.#fields) {
      // What varies is what the records are about, such as their durations.
      const isNeeded = this.#varying.has(name) || IMPORTANT.test(name) || RECORD_FIELDS.includes(name);
      if (isNeeded || bytes < MIN_FIELD_SAVING * this.#total) continue;
      const advice = `remove ${name}, if no query uses it: in pino, redact: { paths: ['${name}'], remove: true }`;
      savings.push([advice, bytes]);
    }
    return savings;
  }
}

/** Fields that people and programs search by, such as IDs. */
const IMPORTANT = /(?:^|[._-])id$|I[dD]$/;

/**
 * The JSON of the fields that a transport sends: without the time, which becomes that of the event, and with the name of a
 * numeric level.
 */
function sentJson({ text, timeField, time, level }: LoggedLine): string {
  const members = membersOf(text).flatMap((member) => {
    const name = memberName(member);
    if (name === timeField && !Number.isNaN(time)) return [];
    const hasLabel = name === 'level' && /^\d/.test(member.value) && !/^\d*$/.test(level);
    return [`${member.name}:${hasLabel ? JSON.stringify(level) : member.value}`];
  });
  return `{${members.join()}}`;
}
