import type { FunctionSpec } from '../signature/function-spec.ts';
import { accumulate } from './accumulate.ts';
import * as arrayAggregates from './array-aggregates.ts';
import * as arrayElements from './array-elements.ts';
import * as arrays from './arrays.ts';
import * as beta from './beta.ts';
import * as bitfield from './bitfield.ts';
import * as charts from './charts.ts';
import { collect } from './collect.ts';
import { correlate } from './correlate.ts';
import { counterAsRate } from './counter-as-rate.ts';
import * as editDistance from './edit-distance.ts';
import * as encoding from './encoding.ts';
import * as events from './events.ts';
import { explainAsTable } from './explain.ts';
import * as fields from './fields.ts';
import { fieldstats } from './fieldstats.ts';
import * as filters from './filters.ts';
import * as geography from './geography.ts';
import { groupBy } from './group-by.ts';
import * as hashes from './hashes.ts';
import { iocLookup } from './ioc-lookup.ts';
import { join } from './join.ts';
import { kvParse } from './kv-parse.ts';
import { linReg } from './lin-reg.ts';
import * as math from './math.ts';
import { neighbor } from './neighbor.ts';
import * as network from './network.ts';
import { parseCEF } from './parse-cef.ts';
import * as parseColumns from './parse-columns.ts';
import { parseIntFunction } from './parse-int.ts';
import { parseJson } from './parse-json.ts';
import { parseLEEF } from './parse-leef.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import * as parseUrl from './parse-url.ts';
import { parseXml } from './parse-xml.ts';
import { partition } from './partition.ts';
import * as prettyPrint from './pretty-print.ts';
import * as regex from './regex.ts';
import { sankey } from './sankey.ts';
import { selfJoin } from './self-join.ts';
import { selfJoinFilter } from './self-join-filter.ts';
import { series } from './series.ts';
import { session } from './session.ts';
import { slidingTimeWindow } from './sliding-time-window.ts';
import { slidingWindow } from './sliding-window.ts';
import * as sort from './sort.ts';
import { split } from './split.ts';
import * as statistics from './statistics.ts';
import * as tables from './tables.ts';
import * as text from './text.ts';
import * as time from './time.ts';
import * as timeParts from './time-parts.ts';
import { top } from './top.ts';
import { transpose } from './transpose.ts';
import { unitConvert } from './unit-convert.ts';
import { window } from './window.ts';
import { worldMap } from './world-map.ts';
import { writeJson } from './write-json.ts';

/** All functions; of a family, all exports of its file. */
const FUNCTIONS: readonly FunctionSpec[] = [
  accumulate,
  ...Object.values(arrayAggregates),
  ...Object.values(arrayElements),
  ...Object.values(arrays),
  ...Object.values(beta),
  ...Object.values(bitfield),
  ...Object.values(charts),
  collect,
  correlate,
  counterAsRate,
  ...Object.values(editDistance),
  ...Object.values(encoding),
  ...Object.values(events),
  explainAsTable,
  ...Object.values(fields),
  fieldstats,
  ...Object.values(filters),
  ...Object.values(geography),
  groupBy,
  ...Object.values(hashes),
  iocLookup,
  join,
  kvParse,
  linReg,
  ...Object.values(math).flat(),
  neighbor,
  ...Object.values(network),
  parseCEF,
  ...Object.values(parseColumns),
  parseIntFunction,
  parseJson,
  parseLEEF,
  parseTimestamp,
  ...Object.values(parseUrl),
  parseXml,
  partition,
  ...Object.values(prettyPrint),
  ...Object.values(regex),
  sankey,
  selfJoin,
  selfJoinFilter,
  series,
  session,
  slidingTimeWindow,
  slidingWindow,
  ...Object.values(sort),
  split,
  ...Object.values(statistics),
  ...Object.values(tables),
  ...Object.values(text),
  ...Object.values(time),
  ...Object.values(timeParts),
  top,
  transpose,
  unitConvert,
  window,
  worldMap,
  writeJson,
];

const byName: ReadonlyMap<string, FunctionSpec> = new Map(
  FUNCTIONS.flatMap((spec) =>
    [spec.name, ...spec.aliases].map((name): [string, FunctionSpec] => [name.toLowerCase(), spec]),
  ),
);

/** Finds a function by name, ignoring case. */
export function findFunction(name: string): FunctionSpec | undefined {
  return byName.get(name.toLowerCase());
}

/** The names of all functions, as the service spells them. */
export function functionNames(): readonly string[] {
  return FUNCTIONS.map(({ name }) => name);
}
