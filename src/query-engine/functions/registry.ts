import type { FunctionSpec } from '../function-spec.ts';
import { avg } from './avg.ts';
import { bucket } from './bucket.ts';
import { coalesce } from './coalesce.ts';
import { collect } from './collect.ts';
import { concat } from './concat.ts';
import { count } from './count.ts';
import { createEvents } from './create-events.ts';
import { defaultFunction } from './default.ts';
import { drop } from './drop.ts';
import { dropEvent } from './drop-event.ts';
import { end } from './end.ts';
import { evalFunction } from './eval.ts';
import { fieldset } from './fieldset.ts';
import { format } from './format.ts';
import { formatTime } from './format-time.ts';
import { getField } from './get-field.ts';
import { groupBy } from './group-by.ts';
import { head } from './head.ts';
import { ifFunction } from './if.ts';
import { inFunction } from './in.ts';
import { kvParse } from './kv-parse.ts';
import { length } from './length.ts';
import { lower } from './lower.ts';
import { max } from './max.ts';
import { min } from './min.ts';
import { now } from './now.ts';
import { parseJson } from './parse-json.ts';
import { percentile } from './percentile.ts';
import { range } from './range.ts';
import { regex } from './regex.ts';
import { rename } from './rename.ts';
import { replace } from './replace.ts';
import { round } from './round.ts';
import { select } from './select.ts';
import { selectFromMax } from './select-from-max.ts';
import { selectFromMin } from './select-from-min.ts';
import { selectLast } from './select-last.ts';
import { setField } from './set-field.ts';
import { sort } from './sort.ts';
import { splitString } from './split-string.ts';
import { start } from './start.ts';
import { stats } from './stats.ts';
import { stdDev } from './std-dev.ts';
import { sum } from './sum.ts';
import { table } from './table.ts';
import { tail } from './tail.ts';
import { test } from './test.ts';
import { textContains } from './text-contains.ts';
import { textEndsWith } from './text-ends-with.ts';
import { textStartsWith } from './text-starts-with.ts';
import { timeChart } from './time-chart.ts';
import { top } from './top.ts';
import { upper } from './upper.ts';
import { wildcard } from './wildcard.ts';

/** Every function that the engine has. A new one gets a file of its own and a line here. */
const FUNCTIONS: readonly FunctionSpec[] = [
  avg,
  bucket,
  coalesce,
  collect,
  concat,
  count,
  createEvents,
  defaultFunction,
  drop,
  dropEvent,
  end,
  evalFunction,
  fieldset,
  format,
  formatTime,
  getField,
  groupBy,
  head,
  ifFunction,
  inFunction,
  kvParse,
  length,
  lower,
  max,
  min,
  now,
  parseJson,
  percentile,
  range,
  regex,
  rename,
  replace,
  round,
  select,
  selectFromMax,
  selectFromMin,
  selectLast,
  setField,
  sort,
  splitString,
  start,
  stats,
  stdDev,
  sum,
  table,
  tail,
  test,
  textContains,
  textEndsWith,
  textStartsWith,
  timeChart,
  top,
  upper,
  wildcard,
];

const byName: ReadonlyMap<string, FunctionSpec> = new Map(
  FUNCTIONS.flatMap((spec) =>
    [spec.name, ...spec.aliases].map((name): [string, FunctionSpec] => [name.toLowerCase(), spec]),
  ),
);

/** Finds a function by name, without regard to case. */
export function findFunction(name: string): FunctionSpec | undefined {
  return byName.get(name.toLowerCase());
}

/** The names of all functions, as the service spells them. */
export function functionNames(): readonly string[] {
  return FUNCTIONS.map(({ name }) => name);
}
