import { expect, it } from 'vitest';
import { shownLevels } from '../../src/page/filters/shown-levels.ts';

const COUNTS = Object.entries({
  audit: 9,
  debug: 3,
  error: 3,
  fatal: 3,
  http: 3,
  info: 4,
  silly: 3,
  trace: 3,
  verbose: 3,
  warn: 50,
});

const names = (levels: readonly (readonly [string, unknown])[]): string =>
  levels.map(([level]) => level).join(' ');

it.each([
  [[], 'fatal error warn info http debug verbose silly', 'trace audit'],
  [['audit'], 'fatal error warn info http debug verbose audit', 'silly trace'],
  [COUNTS.map(([level]) => level), 'fatal error warn info http debug verbose silly trace audit', ''],
])('shows known levels by severity, then by count; with %j selected', (selected, shown, hidden) => {
  const levels = shownLevels(COUNTS, selected);
  expect([names(levels.shown), names(levels.hidden)]).toEqual([shown, hidden]);
});
