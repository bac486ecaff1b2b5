import { escapeRegex } from '../../core/escape-regex.ts';
import { quoteField } from '../../core/query-text.ts';
import { regexOf } from '../../core/records/message-pattern.ts';
import {
  PatternCollector,
  type PatternGroup,
  type PatternGroups,
} from '../../core/records/pattern-groups.ts';
import { type LogRecord, messageField } from '../records/log-record.ts';
import type { Interval } from '../state/results.ts';

/** Groups loaded records, oldest first. */
export function groupSimilar(records: readonly LogRecord[], start: number, end: number): PatternGroups {
  const patterns = new PatternCollector(start, end);
  for (const { row, message, time, level, service } of records) {
    patterns.add({ field: messageField(row) ?? '', message, time, level, service });
  }
  return patterns.result();
}

/** A condition for the records of a pattern. */
export function isSimilar(group: PatternGroup): string {
  return `${quoteField(group.field)}=/${regexOf(group, escapeRegex)}/`;
}

/** The time since which a pattern counts as new, in epoch milliseconds, by the name of the choice. */
export function newSince({ start, end }: Pick<PatternGroups, 'start' | 'end'>): ReadonlyMap<string, number> {
  const moments = [
    ['the last 5 min', end - 300_000],
    ['the last 15 min', end - 900_000],
    ['the last hour', end - 3_600_000],
    ['the second half', (start + end) / 2],
  ] as const;
  return new Map(moments.filter(([, moment]) => moment > start));
}

/** The longest part of an interval with a moment in its middle; `undefined` if the moment is not inside. */
export function centeredAt(moment: number, { start, end }: Interval): Interval | undefined {
  const length = Math.min(moment - start, end - moment);
  return length > 0 ? { start: moment - length, end: moment + length } : undefined;
}

/** Number of records of a pattern in the first and the second half of the interval. */
export function halvesOf({ trend }: Pick<PatternGroup, 'trend'>): readonly [first: number, second: number] {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  return [sum(trend.slice(0, trend.length / 2)), sum(trend.slice(trend.length / 2))];
}

/**
 * Sorts patterns by how surprising the change of their number of records from the first half to the second is: new ones
 * first, then those whose change is largest for their number. Thousands more of a million are ordinary.
 */
export function byChange<Group extends Pick<PatternGroup, 'trend'>>(
  groups: readonly Group[],
): readonly Group[] {
  const surprise = (group: Group): number => {
    const [first, second] = halvesOf(group);
    const isNew = first === 0 && second > 0;
    return (second - first) ** 2 / Math.max(1, first + second) + (isNew ? Number.MAX_SAFE_INTEGER / 2 : 0);
  };
  return groups.toSorted((left, right) => surprise(right) - surprise(left));
}

const HEIGHT = 16;

/** The bars of a trend, as the path of an SVG image that is one unit wide for each number. */
export function trendPath(trend: readonly number[]): string {
  const most = Math.max(...trend, 1);
  return trend
    .map((count, index) =>
      count === 0
        ? ''
        : `M${index} ${HEIGHT}v-${Number((1 + ((HEIGHT - 1) * count) / most).toFixed(1))}h.8V${HEIGHT}`,
    )
    .join('');
}
