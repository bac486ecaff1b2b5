import { maskSecrets } from '../secrets/mask-secrets.ts';
import { type LoggedLine, loggedLine } from './logged-line.ts';
import { type MessagePattern, templateOf, VARIABLE_PARTS } from './message-pattern.ts';
import { PatternCollector, type PatternGroup } from './pattern-groups.ts';

/** What the records of a log have in common. */
export interface LogProfile {
  readonly records: number;
  /** Records per minute; `NaN` if the records have no times. */
  readonly perMinute: number;
  /** Counts of levels, by name. */
  readonly levels: ReadonlyMap<string, number>;
  /** Types of fields, by path. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly patterns: ReadonlyMap<string, ProfilePattern>;
}

export interface ProfilePattern {
  /** For people: `user ‹n› logged in`. */
  readonly template: string;
  readonly count: number;
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
    | 'moved pattern'
    | 'moved rate';
  readonly name: string;
  /** Patterns and types are text. Others are numbers: records, percent of the records, or records per minute. */
  readonly before: string | number | null;
  readonly after: string | number | null;
}

const MAX_PATTERNS = 10_000;
/** Values of an ID as the name of a field, as in `users.4711.name`. */
const VARIABLE_NAME = new RegExp(`^(?:${VARIABLE_PARTS})$`, 'i');
const MINUTE_MS = 60_000;
/** Below, words of a pattern are only the same by chance. */
const MIN_SIMILARITY = 0.6;
/** Smaller changes of a share are common between two runs. */
const MIN_RATIO = 1.5;
const MIN_RATE_RATIO = 2;
const MIN_DEVIATIONS = 5;

/** Collects a {@link LogProfile}. */
export class ProfileCollector {
  readonly #patterns = new PatternCollector(0, 1, MAX_PATTERNS);
  readonly #levels = new Map<string, number>();
  readonly #fields = new Map<string, Set<string>>();
  #records = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(line: string): void {
    this.addRecord(loggedLine(line));
  }

  addRecord(record: LoggedLine): void {
    this.#records++;
    this.#patterns.add({ ...record, message: maskSecrets(record.message) });
    if (record.level !== '') this.#levels.set(record.level, (this.#levels.get(record.level) ?? 0) + 1);
    if (record.time < this.#first) this.#first = record.time;
    if (record.time > this.#last) this.#last = record.time;
    if (record.members !== undefined) this.#addFields(record.members, '');
  }

  result(): LogProfile {
    const { patterns } = this.#patterns.result();
    return {
      records: this.#records,
      perMinute:
        this.#last > this.#first ? (MINUTE_MS * this.#records) / (this.#last - this.#first) : Number.NaN,
      levels: this.#levels,
      fields: this.#fields,
      patterns: byKey(patterns),
    };
  }

  #addFields(value: object, path: string): void {
    for (const [name, member] of Object.entries(value)) {
      const part = Array.isArray(value) ? '[*]' : VARIABLE_NAME.test(name) ? '…' : name;
      const at = path === '' || part === '[*]' ? path + part : `${path}.${part}`;
      if (typeof member === 'object' && member !== null) this.#addFields(member, at);
      else if (member !== null) this.#fields.set(at, (this.#fields.get(at) ?? new Set()).add(typeof member));
    }
  }
}

/** The same for all messages of a pattern. Some IDs happen to have digits only, so the kinds may differ. */
export function patternKey({ field, literals, ending }: MessagePattern & { readonly field: string }): string {
  return [field, literals.join('…'), ending].join('\n');
}

function byKey(groups: readonly PatternGroup[]): Map<string, ProfilePattern> {
  const patterns = new Map<string, ProfilePattern>();
  for (const group of groups) {
    const { template = templateOf(group), count = 0 } = patterns.get(patternKey(group)) ?? {};
    patterns.set(patternKey(group), { template, count: count + group.count });
  }
  return patterns;
}

/** The differences between two logs, most important first. */
export function compareProfiles(before: LogProfile, after: LogProfile): LogChange[] {
  return [
    ...changedPatterns(before, after),
    ...changedFields(before, after),
    ...movedCounts('moved level', before, after, (profile) => [...profile.levels]),
    ...movedCounts('moved pattern', before, after, ({ patterns }) =>
      [...patterns.values()].map(({ template, count }) => [template, count] as const),
    ),
    ...movedRate(before, after),
  ];
}

function changedPatterns(before: LogProfile, after: LogProfile): LogChange[] {
  const gone = [...before.patterns].filter(([key]) => !after.patterns.has(key)).map(([, pattern]) => pattern);
  const changes: LogChange[] = [];
  for (const [key, { template, count }] of after.patterns) {
    if (before.patterns.has(key)) continue;
    const similar = mostSimilar(template, gone);
    if (similar === undefined) {
      changes.push({ change: 'new pattern', name: template, before: null, after: count });
    } else {
      gone.splice(gone.indexOf(similar), 1);
      changes.push({ change: 'changed pattern', name: template, before: similar.template, after: template });
    }
  }
  const lost = gone.map(({ template, count }): LogChange => {
    return { change: 'gone pattern', name: template, before: count, after: null };
  });
  return [...changes.sort(byChange), ...lost];
}

/** New patterns first. */
function byChange(left: LogChange, right: LogChange): number {
  return left.change < right.change ? 1 : left.change > right.change ? -1 : 0;
}

function mostSimilar(template: string, others: readonly ProfilePattern[]): ProfilePattern | undefined {
  const scored = others.map((other) => ({ other, score: similarity(template, other.template) }));
  return scored.filter(({ score }) => score >= MIN_SIMILARITY).sort((a, b) => b.score - a.score)[0]?.other;
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

function movedCounts(
  change: 'moved level' | 'moved pattern',
  before: LogProfile,
  after: LogProfile,
  countsOf: (profile: LogProfile) => readonly (readonly [string, number])[],
): LogChange[] {
  const [old, now] = [new Map(countsOf(before)), new Map(countsOf(after))];
  const names = change === 'moved level' ? new Set([...old.keys(), ...now.keys()]) : new Set(old.keys());
  return [...names].flatMap((name): LogChange[] => {
    const [a, b] = [old.get(name) ?? 0, now.get(name) ?? 0];
    if ((change === 'moved pattern' && b === 0) || !hasMoved(a, before.records, b, after.records)) return [];
    return [{ change, name, before: percent(a / before.records), after: percent(b / after.records) }];
  });
}

/** Whether two shares differ by more than chance. */
function hasMoved(a: number, allA: number, b: number, allB: number): boolean {
  const [shareA, shareB] = [a / allA, b / allB];
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
