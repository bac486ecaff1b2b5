import { MINUTE_MS } from '../epoch.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { type LoggedLine, patternRecord } from './logged-line.ts';
import { isCommonField, isServiceField } from './logger-line.ts';
import { templateOf, VARIABLE_PARTS } from './message-pattern.ts';
import { count, PatternCollector, type PatternGroup } from './pattern-groups.ts';
import { type RecordError, recordError } from './record-error.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, TIME_FIELDS } from './record-fields.ts';
import { levelName } from './severity.ts';

type Counts = ReadonlyMap<string, number>;

const NONE: Counts = new Map();

/** What the records of a log have in common. */
export interface LogProfile {
  readonly records: number;
  /** Records per minute; `NaN` if the records have no times. */
  readonly perMinute: number;
  /** Counts of levels, by name. */
  readonly levels: Counts;
  /** Counts of types, by path. */
  readonly fields: ReadonlyMap<string, Counts>;
  /** Counts of values, by path; of a field with too many, only of the first ones. */
  readonly values: ReadonlyMap<string, Counts>;
  /** By what their messages, and those of their errors and causes, have in common. */
  readonly patterns: ReadonlyMap<string, PatternGroup>;
}

/** A difference between two logs. */
export interface LogChange {
  readonly change:
    | `${'new' | 'gone' | 'changed' | 'moved'} pattern`
    | `${'new' | 'gone' | 'moved'} field`
    | `moved ${'level' | 'value' | 'rate'}`
    | 'changed type';
  readonly name: string;
  /** Patterns and types are text. Others are numbers: records, percent of the records, or records per minute. */
  readonly before: string | number | null;
  readonly after: string | number | null;
}

/** The differences between two logs. */
export interface LogComparison {
  /** Most important first. */
  readonly changes: readonly LogChange[];
  /** Shares that differ by little, or no more than by chance; the largest difference first. */
  readonly leftOut: readonly LogChange[];
  /** Fields with too many values to compare them. */
  readonly skipped: readonly string[];
}

const MAX_PATTERNS = 10_000;
/** Fields with more different values are IDs and measurements. */
export const MAX_VALUES = 20;
/** Values of an ID as the name of a field, as in `users.4711.name`. */
const VARIABLE_NAME = new RegExp(`^(?:${VARIABLE_PARTS})$`);
/** Below, words of a pattern are only the same by chance. */
const MIN_SIMILARITY = 0.6;
/** Changes of a share that are smaller by both are common between two runs. */
const MIN_RATIO = 1.5;
const MIN_DIFFERENCE = 0.1;
/** How likely two runs of the same program may differ in any share, of all families. */
const MAX_CHANCE = 0.05;
const MIN_RATE_RATIO = 2;
/** A status of HTTP, as a field and its value. */
const STATUS = /(?:^|[._])status(?:_?code)?=\d{3}$/i;
/** What precedes the message in the title of an error. */
const ERROR_NAME = /^[\w$.]+(?: \[[\w-]+\])?: /;

/** Collects the patterns of messages, without secrets. */
export function messagePatterns(): PatternCollector {
  return new PatternCollector(0, 1, MAX_PATTERNS, maskSecrets);
}

/** Collects a {@link LogProfile}. */
export class ProfileCollector {
  readonly #patterns = messagePatterns();
  readonly #levels = new Map<string, number>();
  readonly #fields = new Map<string, Map<string, number>>();
  readonly #values = new Map<string, Map<string, number>>();
  #records = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(record: LoggedLine): void {
    this.#records++;
    this.#patterns.add(patternRecord(record));
    if (record.level !== '') count(this.#levels, record.level);
    if (record.time < this.#first) this.#first = record.time;
    if (record.time > this.#last) this.#last = record.time;
    const members = [...membersOf(record.fields)];
    const row = Object.fromEntries(members.map(({ path, value }) => [path, value]));
    const error = recordError({ [record.field]: record.message, ...row });
    this.#addError(record, error);
    this.#addFields(record, members, error?.fields);
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

  #addError(record: LoggedLine, error: RecordError | undefined): void {
    const [first] = record.message.split('\n', 1);
    for (const { title } of error?.sections ?? []) {
      const message = title.split('\n').find((line) => line !== first);
      if (message !== undefined && message.replace(ERROR_NAME, '') !== first)
        this.#patterns.add({ ...record, field: 'error', message });
    }
  }

  #addFields(record: LoggedLine, members: readonly Member[], shown?: ReadonlySet<string>): void {
    const seen = new Set<string>();
    // The items of an array count once per record.
    const isFirst = (key: string): boolean => !seen.has(key) && seen.add(key).has(key);
    for (const { path, name, value } of members) {
      const text = String(value);
      if (isFirst(`${name} ${typeof value}`)) count(countsOf(this.#fields, name), typeof value);
      const isMessage = text === record.message || isServiceField(name) || shown?.has(path) === true;
      if (MESSAGE_FIELDS.includes(name) && isMessage) continue;
      if (LEVEL_FIELDS.includes(name) && levelName(text) === record.level) continue;
      const values = countsOf(this.#values, name);
      if (values.size <= MAX_VALUES && isFirst(`${name}=${text}`)) count(values, text);
    }
  }
}

interface Member {
  readonly path: string;
  /** The path without indexes and IDs. */
  readonly name: string;
  readonly value: unknown;
}

function* membersOf(object: object, path = '', name = ''): Generator<Member> {
  for (const [key, value] of Object.entries(object)) {
    const [index, any] = Array.isArray(object)
      ? [`[${key}]`, '[*]']
      : [`.${key}`, VARIABLE_NAME.test(key) ? '.…' : `.${key}`];
    const at = [path + index, name + any] as const;
    if (typeof value === 'object' && value !== null) yield* membersOf(value, ...at);
    else if (value !== null) yield { path: at[0].replace(/^\./, ''), name: at[1].replace(/^\./, ''), value };
  }
}

function countsOf(all: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const counts = all.get(name) ?? new Map<string, number>();
  all.set(name, counts);
  return counts;
}

/** Compares two logs. */
export function compareProfiles(before: LogProfile, after: LogProfile): LogComparison {
  const distance = (share: Share): number => Math.abs(share.after - share.before);
  const shares = sharesOf(before, after).sort((a, b) => distance(b) - distance(a) || a.chance - b.chance);
  const moved = shares.filter(({ chance }) => chance < MAX_CHANCE);
  const leftOut = shares.filter((share) => share.before !== share.after && !moved.includes(share));
  const skipped = shares.filter(({ change, name }) => change === 'moved field' && !isOfRun(name));
  return {
    changes: [
      ...changedPatterns(before, after),
      ...changedFields(before, after),
      ...moved.map(({ chance: _, ...change }) => change),
      ...movedRate(before, after),
    ],
    leftOut,
    skipped: skipped.map(({ name }) => name),
  };
}

function isOfRun(field: string): boolean {
  return isCommonField(field) || field === '#file' || TIME_FIELDS.includes(field);
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
    const [old, now] = [before, after].map(({ fields }) =>
      [...(fields.get(name) ?? NONE).keys()].sort().join(' or '),
    );
    if (old === now || (isOfRun(name) && (old === '' || now === ''))) return [];
    const change = old === '' ? 'new field' : now === '' ? 'gone field' : 'changed type';
    return [{ change, name, before: old || null, after: now || null }];
  });
}

type Counted = readonly [change: LogChange['change'], name: string, before: number, after: number];

type Share = LogChange & Readonly<Record<'before' | 'after' | 'chance', number>>;

/** Levels, fields, values and patterns of both logs, in percent of the records. `chance` is that of any share of its family to differ as much. */
function sharesOf(before: LogProfile, after: LogProfile): Share[] {
  const levels = pairsOf(before.levels, after.levels).map((pair): Counted => ['moved level', ...pair]);
  const total = (counts: Counts): number => [...counts.values()].reduce((sum, each) => sum + each, 0);
  const values = [...new Set([...before.values.keys(), ...after.values.keys()])].flatMap(
    (field): Counted[] => {
      const [types, otherTypes] = [before.fields.get(field), after.fields.get(field)];
      if (types === undefined || otherTypes === undefined) return [];
      const [old, now] = [before.values.get(field) ?? NONE, after.values.get(field) ?? NONE];
      const pairs = pairsOf(old, now);
      // Without a common value, they may be those of a run, such as its process.
      if (isOfRun(field) && pairs.length === old.size + now.size) return [];
      if (pairs.length > MAX_VALUES) return [['moved field', field, total(types), total(otherTypes)]];
      return pairs.map(([value, ...counts]) => ['moved value', `${field}=${value}`, ...counts]);
    },
  );
  const patterns = [...before.patterns].flatMap(([key, group]): Counted[] => {
    const now = after.patterns.get(key);
    return now === undefined ? [] : [['moved pattern', templateOf(now), group.count, now.count]];
  });
  const isStatus = ([, name]: Counted): boolean => STATUS.test(name);
  const outcomes = [...levels, ...values.filter(isStatus)];
  // Many other fields must not hide that there are more errors.
  const families = [outcomes, values.filter((value) => !isStatus(value)), patterns];
  return families.flatMap((family) =>
    family.map(([change, name, a, b]) => {
      // A record may have several errors.
      const [old, now] = [Math.min(a, before.records), Math.min(b, after.records)];
      const chance = chanceOf(old, before.records, now, after.records) * family.length * families.length;
      const [was, is] = [percent(old / before.records), percent(now / after.records)];
      return { change, name, before: was, after: is, chance };
    }),
  );
}

/** The counts of each name in both logs. */
function pairsOf(before: Counts, after: Counts) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => [name, before.get(name) ?? 0, after.get(name) ?? 0] as const);
}

/** How likely two samples of the same records differ as much, by Fisher's exact test. 1 for a small difference. */
function chanceOf(a: number, allA: number, b: number, allB: number): number {
  const [shareA, shareB] = [a / allA, b / allB] as const;
  if (shareA > shareB) return chanceOf(b, allB, a, allA);
  const difference = shareB - shareA;
  // In all records of one log and in none of the other. Of single records, all values may be.
  if (difference === 1) return Math.min(allA, allB) > 1 ? 0 : 1;
  if (shareB < MIN_RATIO * shareA && difference < MIN_DIFFERENCE) return 1;
  /** How much likelier the second log has one more than `n` of the `a + b`. */
  const ratio = (n: number): number => ((a + b - n) * (allB - n)) / ((n + 1) * (allA - a - b + n + 1));
  let [more, fewer] = [0, 0];
  for (let n = b, weight = 1; weight > 0; weight *= ratio(n++)) more += weight;
  for (let n = b - 1, weight = 1 / ratio(n); weight > 0; weight /= ratio(--n)) fewer += weight;
  return (2 * more) / (more + fewer);
}

function movedRate(before: LogProfile, after: LogProfile): LogChange[] {
  const ratio = after.perMinute / before.perMinute;
  if (!(ratio >= MIN_RATE_RATIO || ratio <= 1 / MIN_RATE_RATIO)) return [];
  const [old, now] = [before, after].map(({ perMinute }) => Number(perMinute.toPrecision(3)));
  return [{ change: 'moved rate', name: 'records', before: old!, after: now! }];
}

function percent(share: number): number {
  return Number((100 * share).toPrecision(3));
}
