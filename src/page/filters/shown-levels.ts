import { SEVERITY_NAMES, severityOf } from '../../core/records/severity.ts';

type LevelCount = readonly [level: string, count: number | undefined];

const MAX_LEVELS = 8;

/** The levels by severity, then by count, and those without a button. Selected levels always have one. */
export function shownLevels(counts: Iterable<LevelCount>, selected: readonly string[]) {
  const rank = (level: string): number => SEVERITY_NAMES.indexOf(severityOf(level));
  const sorted = [...counts].sort(
    ([left, leftCount = 0], [right, rightCount = 0]) => rank(left) - rank(right) || rightCount - leftCount,
  );
  const others = sorted.filter(([level]) => !selected.includes(level));
  const hidden = others.slice(Math.max(0, MAX_LEVELS - selected.length));
  return { shown: sorted.filter((level) => !hidden.includes(level)), hidden };
}
