import { expect, it } from 'vitest';
import { demandsOn } from '../../src/language/demands.ts';

it.each([
  ['level=error order=7', 'level=error true'],
  ['order=7 | level >= 50', 'level >= 50'],
  ['(level=debug or level=trace) ms>5', 'level=debug or level=trace true'],
  ['level=debug or order=7', 'level=debug or true'],
  ['not (level=info order=7)', 'not (level=info false)'],
  ['not (level=info or order=7)', 'not (level=info or false)'],
  ['level <=> other', ''],
  ['/debug/ | "debug"', ''],
  ['in(level, values=[debug]) | in(order, values=[7])', 'in(level, values=[debug])'],
  ['level =~ wildcard("de*")', 'level =~ wildcard("de*")'],
  ['test(lower(level) == "debug")', 'test(lower(level) == "debug")'],
  ['level match { debug => *; }', 'level match { debug => * }'],
  ['case { level=debug | x := 1; * | x := 2 } | x=1', 'case { level=debug | x := 1; * | x := 2 } | x=1'],
  ['case { order=7; level=debug }', ''],
  ['case { level=debug "boom"; }', ''],
  ['l := upper(level) | l=DEBUG', 'l := upper(level) | l=DEBUG'],
  ['select([level, order]) | head(5) | level=debug', 'level=debug'],
  ['rename(field=severity, as=level) | level=debug', ''],
  ['parseJson() | level=debug', ''],
  ['level=debug | groupBy(level) | _count > 3', 'level=debug'],
])('A query demands of the level, whatever the other fields contain: %s', (query, demand) => {
  expect(demandsOn(query, ['level'])).toBe(demand);
});
