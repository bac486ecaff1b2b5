import { type MessagePattern, patternOf, readPattern } from './message-pattern.ts';

/** A record, as far as its pattern goes. */
export interface PatternRecord {
  /** The field of the message; empty if the record has none. */
  readonly field: string;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly level: string;
  readonly service: string;
}

/** Records whose messages differ only in numbers, IDs and quoted text. */
export interface PatternGroup extends MessagePattern {
  readonly field: string;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  /** How many records each part of the interval has. */
  readonly trend: readonly number[];
  /** What all records have; empty if they differ. */
  readonly level: string;
  readonly service: string;
}

/** The patterns of a result, most frequent first. */
export interface PatternGroups {
  /** The interval of the trends, in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly patterns: readonly PatternGroup[];
  /** How many records have a pattern that was left out, because there are too many. */
  readonly other: number;
}

type Group = { -readonly [Name in keyof PatternGroup]: PatternGroup[Name] } & {
  kinds: number[];
  trend: number[];
};

const MAX_PATTERNS = 2000;
const TREND_PARTS = 30;
/** Programs log the same few messages again and again. */
const MAX_KNOWN = 1000;

/** Groups records by the patterns of their messages. Of too many patterns, it keeps the most frequent ones. */
export class PatternCollector {
  readonly #start: number;
  readonly #end: number;
  readonly #maxPatterns: number;
  readonly #mask: (message: string) => string;
  #groups = new Map<string, Group>();
  /** The groups of the latest messages. */
  readonly #known = new Map<string, Group>();
  #other = 0;

  /** @param mask applied to messages. */
  constructor(start: number, end: number, maxPatterns = MAX_PATTERNS, mask = (text: string): string => text) {
    this.#start = start;
    this.#end = end;
    this.#maxPatterns = maxPatterns;
    this.#mask = mask;
  }

  /** @param amount what {@link PatternGroup.count} adds up. */
  add(record: PatternRecord, amount = 1): void {
    const { field, message, time, level, service } = record;
    const known = this.#known.get(message);
    const group = known?.field === field ? known : this.#groupOf(record);
    group.count += amount;
    if (time < group.first) group.first = time;
    if (time > group.last) group.last = time;
    group.trend[this.#partOf(time)]! += amount;
    if (group.level !== level) group.level = '';
    if (group.service !== service) group.service = '';
  }

  #groupOf({ field, message, time, level, service }: PatternRecord): Group {
    const { key, kinds } = patternOf(this.#mask(message));
    const fullKey = `${field}\n${key}`;
    let group = this.#groups.get(fullKey);
    if (group === undefined) {
      // Makes room for as many again, so that sorting is rare.
      if (this.#groups.size >= 2 * this.#maxPatterns) this.#keepMostFrequent();
      const counts = { count: 0, first: time, last: time, trend: new Array<number>(TREND_PARTS).fill(0) };
      group = { ...readPattern(key, kinds), ...counts, field, level, service, kinds };
      this.#groups.set(fullKey, group);
    }
    for (let index = 0; index < kinds.length; index++) group.kinds[index]! |= kinds[index]!;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    // A whole line has a time, so it does not repeat.
    if (field !== '@rawstring') this.#known.set(message, group);
    return group;
  }

  result(): PatternGroups {
    this.#keepMostFrequent();
    return { start: this.#start, end: this.#end, patterns: [...this.#groups.values()], other: this.#other };
  }

  #partOf(time: number): number {
    const part = Math.floor((TREND_PARTS * (time - this.#start)) / (this.#end - this.#start));
    return Math.min(TREND_PARTS - 1, Math.max(0, part || 0));
  }

  /** Of equally frequent patterns, it keeps those that occurred last. */
  #keepMostFrequent(): void {
    const sorted = [...this.#groups].sort(([, a], [, b]) => b.count - a.count || b.last - a.last);
    for (const [, { count }] of sorted.slice(this.#maxPatterns)) this.#other += count;
    this.#groups = new Map(sorted.slice(0, this.#maxPatterns));
    this.#known.clear();
  }
}

/** Adds to the count of a name. */
export function count(counts: Map<string, number>, name: string, amount = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + amount);
}
