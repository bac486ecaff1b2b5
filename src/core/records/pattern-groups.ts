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

/** Groups records by the patterns of their messages. Of too many patterns, it keeps the most frequent ones. */
export class PatternCollector {
  readonly #start: number;
  readonly #end: number;
  readonly #maxPatterns: number;
  #groups = new Map<string, Group>();
  #other = 0;

  constructor(start: number, end: number, maxPatterns = MAX_PATTERNS) {
    this.#start = start;
    this.#end = end;
    this.#maxPatterns = maxPatterns;
  }

  /** @param amount what {@link PatternGroup.count} adds up. */
  add({ field, message, time, level, service }: PatternRecord, amount = 1): void {
    const { key, kinds } = patternOf(message);
    const fullKey = `${field}\n${key}`;
    let group = this.#groups.get(fullKey);
    if (group === undefined) {
      // Makes room for as many again, so that sorting is rare.
      if (this.#groups.size >= 2 * this.#maxPatterns) this.#keepMostFrequent();
      const trend = new Array<number>(TREND_PARTS).fill(0);
      group = {
        ...readPattern(key, kinds),
        field,
        count: 0,
        first: time,
        last: time,
        trend,
        level,
        service,
        kinds,
      };
      this.#groups.set(fullKey, group);
    }
    for (let index = 0; index < kinds.length; index++) group.kinds[index]! |= kinds[index]!;
    group.count += amount;
    if (time < group.first) group.first = time;
    if (time > group.last) group.last = time;
    group.trend[this.#partOf(time)]! += amount;
    if (group.level !== level) group.level = '';
    if (group.service !== service) group.service = '';
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
    const sorted = [...this.#groups].sort(
      ([, left], [, right]) => right.count - left.count || right.last - left.last,
    );
    for (const [, { count }] of sorted.slice(this.#maxPatterns)) this.#other += count;
    this.#groups = new Map(sorted.slice(0, this.#maxPatterns));
  }
}

/** Adds to the count of a name. */
export function count(counts: Map<string, number>, name: string, amount = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + amount);
}
