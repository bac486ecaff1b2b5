import { MINUTE_MS } from '../epoch.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import type { LoggedLine } from './logged-line.ts';
import { isCommonField } from './logger-line.ts';
import { templateOf, VARIABLE_PARTS } from './message-pattern.ts';
import { count, PatternCollector, type PatternGroup } from './pattern-groups.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS } from './record-fields.ts';

type Counts = ReadonlyMap<string, number>;

/** What the records of a log have in common. */
export interface LogProfile {
  readonly records: number;
  /** Records per minute; `NaN` if the records have no times. */
  readonly perMinute: number;
  /** Counts of levels, by name. */
  readonly levels: Counts;
  /** Types of fields, by path. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Counts of values, by path; of a field with too many, only of the first ones. */
  readonly values: ReadonlyMap<string, Counts>;
  /** By what their messages have in common. */
  readonly patterns: ReadonlyMap<string, PatternGroup>;
}

/** A difference between two logs. */
export interface LogChange {
  readonly change:
    | 'new pattern'
    | 'gone pattern'
    | 'changed pattern'
    | 'new field'
    | 'gone field'
    | 'changed type'
    | 'moved level'
    | 'moved value'
    | 'moved pattern'
    | 'moved rate';
  readonly name: string;
  /** Patterns and types are text. Others are numbers: records, percent of the records, or records per minute. */
  readonly before: string | number | null;
  readonly after: string | number | null;
}

const MAX_PATTERNS = 10_000;
/** Fields with more different values are IDs and measurements. */
const MAX_VALUES = 20;
/** Compared as levels and patterns. */
const OWN_CHANGES = new Set([...LEVEL_FIELDS, ...MESSAGE_FIELDS]);
/** Values of an ID as the name of a field, as in `users.4711.name`. */
const VARIABLE_NAME = new RegExp(`^(?:${VARIABLE_PARTS})$`);
/** Below, words of a pattern are only the same by chance. */
const MIN_SIMILARITY = 0.6;
/** Smaller changes of a share are common between two runs. */
const MIN_RATIO = 1.5;
const MIN_RATE_RATIO = 2;
const MIN_DEVIATIONS = 5;

/** Collects a {@link LogProfile}. */
export class ProfileCollector {
  readonly #patterns = new PatternCollector(0, 1, MAX_PATTERNS, maskSecrets);
  readonly #levels = new Map<string, number>();
  readonly #fields = new Map<string, Set<string>>();
  readonly #values = new Map<string, Map<string, number>>();
  #records = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(record: LoggedLine): void {
    this.#records++;
    this.#patterns.add(record);
    if (record.level !== '') count(this.#levels, record.level);
    if (record.time < this.#first) this.#first = record.time;
    if (record.time > this.#last) this.#last = record.time;
    this.#addFields(record.fields, '');
  }

  result(): LogProfile {
    const patterns = this.#patterns.result().patterns.map((group) => {
      // The same in all logs, unlike the kinds: some IDs happen to have digits only.
      return [[group.field, ...group.literals, group.ending].join('\n'), group] as const;
    });
    return {
      records: this.#records,
      perMinute:
        this.#last > this.#first ? (MINUTE_MS * this.#records) / (this.#last - this.#first) : Number.NaN,
      levels: this.#levels,
      fields: this.#fields,
      values: this.#values,
      patterns: new Map(patterns),
    };
  }

  #addFields(value: object, path: string): void {
    for (const [name, member] of Object.entries(value)) {
      const part = Array.isArray(value) ? '[*]' : VARIABLE_NAME.test(name) ? '…' : name;
      const at = path === '' || part === '[*]' ? path + part : `${path}.${part}`;
      if (typeof member === 'object' && member !== null) this.#addFields(member, at);
      else if (member !== null) {
        this.#fields.set(at, (this.#fields.get(at) ?? new Set()).add(typeof member));
        const values = this.#values.get(at) ?? new Map<string, number>();
        if (!OWN_CHANGES.has(at)) this.#values.set(at, values);
        if (values.size <= MAX_VALUES) count(values, String(member));
      }
    }
  }
}

/** The differences between two logs, most important first. */
export function compareProfiles(before: LogProfile, after: LogProfile): LogChange[] {
  return [
    ...changedPatterns(before, after),
    ...changedFields(before, after),
    ...movedShares(before, after),
    ...movedRate(before, after),
  ];
}

function changedPatterns(before: LogProfile, after: LogProfile): LogChange[] {
  const gone = [...before.patterns]
    .filter(([key]) => !after.patterns.has(key))
    .map(([, group]) => ({ template: templateOf(group), count: group.count }));
  const added: LogChange[] = [];
  const changed: LogChange[] = [];
  for (const [key, group] of after.patterns) {
    if (before.patterns.has(key)) continue;
    const name = templateOf(group);
    const [similar] = gone
      .filter(({ template }) => similarity(name, template) >= MIN_SIMILARITY)
      .sort((a, b) => similarity(name, b.template) - similarity(name, a.template));
    if (similar === undefined) {
      added.push({ change: 'new pattern', name, before: null, after: group.count });
    } else {
      gone.splice(gone.indexOf(similar), 1);
      changed.push({ change: 'changed pattern', name, before: similar.template, after: name });
    }
  }
  const lost = gone.map(({ template: name, count }): LogChange => {
    return { change: 'gone pattern', name, before: count, after: null };
  });
  return [...added, ...changed, ...lost];
}

/** Share of the words that both have, from 0 to 1. */
function similarity(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => new Set(text.split(/\s+/)));
  const common = [...a!].filter((word) => b!.has(word)).length;
  return common / (a!.size + b!.size - common);
}

function changedFields(before: LogProfile, after: LogProfile): LogChange[] {
  const names = [...new Set([...before.fields.keys(), ...after.fields.keys()])].sort();
  return names.flatMap((name): LogChange[] => {
    const [old, now] = [before, after].map(({ fields }) => [...(fields.get(name) ?? [])].sort().join(' or '));
    if (old === now) return [];
    const change = old === '' ? 'new field' : now === '' ? 'gone field' : 'changed type';
    return [{ change, name, before: old || null, after: now || null }];
  });
}

/** Levels, values and patterns whose share of the records differs by more than chance. */
function movedShares(before: LogProfile, after: LogProfile): LogChange[] {
  const levels = pairsOf(before.levels, after.levels).map((pair) => ['moved level', ...pair] as const);
  const values = [...before.values].flatMap(([field, old]) => {
    const now = after.values.get(field) ?? new Map<string, number>();
    const pairs = pairsOf(old, now);
    // Without a common value, they may be those of a field that is gone, or of a run, such as its process.
    const isOther = (now.size === 0 || isCommonField(field)) && pairs.length === old.size + now.size;
    if (pairs.length > MAX_VALUES || isOther) return [];
    return pairs.map(([value, ...counts]) => ['moved value', `${field}=${value}`, ...counts] as const);
  });
  const patterns = [...before.patterns].flatMap(([key, group]) => {
    const now = after.patterns.get(key);
    return now === undefined ? [] : [['moved pattern', templateOf(now), group.count, now.count] as const];
  });
  return [...levels, ...values, ...patterns].flatMap(([change, name, a, b]): LogChange[] => {
    if (!hasMoved(a, before.records, b, after.records)) return [];
    return [{ change, name, before: percent(a / before.records), after: percent(b / after.records) }];
  });
}

/** The counts of each name in both logs. */
function pairsOf(before: Counts, after: Counts) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => [name, before.get(name) ?? 0, after.get(name) ?? 0] as const);
}

function hasMoved(a: number, allA: number, b: number, allB: number): boolean {
  const [shareA, shareB] = [a / allA, b / allB];
  // In all records of one log and in none of the other. Of single records, all values may be.
  if (Math.abs(shareA - shareB) === 1) return Math.min(allA, allB) > 1;
  if (Math.max(shareA, shareB) < MIN_RATIO * Math.min(shareA, shareB)) return false;
  const share = (a + b) / (allA + allB);
  const deviation = Math.sqrt(share * (1 - share) * (1 / allA + 1 / allB));
  return Math.abs(shareA - shareB) > MIN_DEVIATIONS * deviation;
}

function movedRate(before: LogProfile, after: LogProfile): LogChange[] {
  const ratio = after.perMinute / before.perMinute;
  if (!(ratio >= MIN_RATE_RATIO || ratio <= 1 / MIN_RATE_RATIO)) return [];
  const [old, now] = [before, after].map(({ perMinute }) => Number(perMinute.toPrecision(3)));
  return [{ change: 'moved rate', name: 'records', before: old!, after: now! }];
}

function percent(share: number): number {
  return Number((100 * share).toFixed(1));
}
