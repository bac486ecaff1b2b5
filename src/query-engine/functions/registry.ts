import type { FunctionSpec } from '../signature/function-spec.ts';
import { accumulate } from './accumulate.ts';
import { arrayAppend } from './array-append.ts';
import { arrayContains } from './array-contains.ts';
import { arrayDedup } from './array-dedup.ts';
import { arrayDrop } from './array-drop.ts';
import { arrayEval } from './array-eval.ts';
import { arrayExists } from './array-exists.ts';
import { arrayFilter } from './array-filter.ts';
import { arrayIntersection } from './array-intersection.ts';
import { arrayLength } from './array-length.ts';
import { arrayReduceAll } from './array-reduce-all.ts';
import { arrayReduceColumn } from './array-reduce-column.ts';
import { arrayReduceRow } from './array-reduce-row.ts';
import { arrayRegex } from './array-regex.ts';
import { arrayRename } from './array-rename.ts';
import { arraySort } from './array-sort.ts';
import { arrayUnion } from './array-union.ts';
import { asn } from './asn.ts';
import { avg } from './avg.ts';
import { base64Decode } from './base64-decode.ts';
import { base64Encode } from './base64-encode.ts';
import { betaParam } from './beta-param.ts';
import { betaRepeating } from './beta-repeating.ts';
import { bitfieldExtractFlags } from './bitfield-extract-flags.ts';
import { bitfieldExtractFlagsAsArray } from './bitfield-extract-flags-as-array.ts';
import { bitfieldExtractFlagsAsString } from './bitfield-extract-flags-as-string.ts';
import { bucket } from './bucket.ts';
import { callFunction } from './call-function.ts';
import { cidr } from './cidr.ts';
import { coalesce } from './coalesce.ts';
import { collect } from './collect.ts';
import { communityId } from './community-id.ts';
import { concat } from './concat.ts';
import { concatArray } from './concat-array.ts';
import { copyEvent } from './copy-event.ts';
import { correlate } from './correlate.ts';
import { count } from './count.ts';
import { counterAsRate } from './counter-as-rate.ts';
import { createEvents } from './create-events.ts';
import { cryptoMd5 } from './crypto-md5.ts';
import { cryptoSha1 } from './crypto-sha1.ts';
import { cryptoSha256 } from './crypto-sha256.ts';
import { defaultFunction } from './default.ts';
import { defineTable } from './define-table.ts';
import { drop } from './drop.ts';
import { dropEvent } from './drop-event.ts';
import { duration } from './duration.ts';
import { end } from './end.ts';
import { evalFunction } from './eval.ts';
import { eventFieldCount } from './event-field-count.ts';
import { eventSize } from './event-size.ts';
import { fieldset } from './fieldset.ts';
import { fieldstats } from './fieldstats.ts';
import { findTimestamp } from './find-timestamp.ts';
import { format } from './format.ts';
import { formatDuration } from './format-duration.ts';
import { formatTime } from './format-time.ts';
import { geographyDistance } from './geography-distance.ts';
import { geohash } from './geohash.ts';
import { getField } from './get-field.ts';
import { groupBy } from './group-by.ts';
import { hash } from './hash.ts';
import { hashMatch } from './hash-match.ts';
import { hashRewrite } from './hash-rewrite.ts';
import { head } from './head.ts';
import { ifFunction } from './if.ts';
import { inFunction } from './in.ts';
import { iocLookup } from './ioc-lookup.ts';
import { ipLocation } from './ip-location.ts';
import { join } from './join.ts';
import { jsonPrettyPrint } from './json-pretty-print.ts';
import { kvParse } from './kv-parse.ts';
import { length } from './length.ts';
import { linReg } from './lin-reg.ts';
import { lookup } from './lookup.ts';
import { lower } from './lower.ts';
import { lowercase } from './lowercase.ts';
import { match } from './match.ts';
import { matchAsArray } from './match-as-array.ts';
import { mathFunctions } from './math.ts';
import { mathArctan2 } from './math-arctan2.ts';
import { mathMod } from './math-mod.ts';
import { mathPow } from './math-pow.ts';
import { mathSpherical2cartesian } from './math-spherical2cartesian.ts';
import { max } from './max.ts';
import { min } from './min.ts';
import { neighbor } from './neighbor.ts';
import { now } from './now.ts';
import { objectArrayEval } from './object-array-eval.ts';
import { objectArrayExists } from './object-array-exists.ts';
import { parseCEF } from './parse-cef.ts';
import { parseCsv } from './parse-csv.ts';
import { parseFixedWidth } from './parse-fixed-width.ts';
import { parseHexString } from './parse-hex-string.ts';
import { parseIntFunction } from './parse-int.ts';
import { parseJson } from './parse-json.ts';
import { parseLEEF } from './parse-leef.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { parseUri } from './parse-uri.ts';
import { parseUrl } from './parse-url.ts';
import { parseXml } from './parse-xml.ts';
import { partition } from './partition.ts';
import { percentage } from './percentage.ts';
import { percentile } from './percentile.ts';
import { range } from './range.ts';
import { readFile } from './read-file.ts';
import { regex } from './regex.ts';
import { rename } from './rename.ts';
import { replace } from './replace.ts';
import { reverseDns } from './reverse-dns.ts';
import { round } from './round.ts';
import { sample } from './sample.ts';
import { sankey } from './sankey.ts';
import { select } from './select.ts';
import { selectFromMax } from './select-from-max.ts';
import { selectFromMin } from './select-from-min.ts';
import { selectLast } from './select-last.ts';
import { selfJoin } from './self-join.ts';
import { selfJoinFilter } from './self-join-filter.ts';
import { series } from './series.ts';
import { session } from './session.ts';
import { setField } from './set-field.ts';
import { setTimeInterval } from './set-time-interval.ts';
import { shannonEntropy } from './shannon-entropy.ts';
import { slidingTimeWindow } from './sliding-time-window.ts';
import { slidingWindow } from './sliding-window.ts';
import { sort } from './sort.ts';
import { split } from './split.ts';
import { splitString } from './split-string.ts';
import { start } from './start.ts';
import { stats } from './stats.ts';
import { stdDev } from './std-dev.ts';
import { stripAnsiCodes } from './strip-ansi-codes.ts';
import { subnet } from './subnet.ts';
import { sum } from './sum.ts';
import { table } from './table.ts';
import { tail } from './tail.ts';
import { test } from './test.ts';
import { textContains } from './text-contains.ts';
import { textEditDistance } from './text-edit-distance.ts';
import { textEditDistanceAsArray } from './text-edit-distance-as-array.ts';
import { textEndsWith } from './text-ends-with.ts';
import { textLength } from './text-length.ts';
import { textPositionOf } from './text-position-of.ts';
import { textStartsWith } from './text-starts-with.ts';
import { textSubstring } from './text-substring.ts';
import { textTrim } from './text-trim.ts';
import { timeChart } from './time-chart.ts';
import { timeDayOfMonth } from './time-day-of-month.ts';
import { timeDayOfWeek } from './time-day-of-week.ts';
import { timeDayOfWeekName } from './time-day-of-week-name.ts';
import { timeDayOfYear } from './time-day-of-year.ts';
import { timeHour } from './time-hour.ts';
import { timeMillisecond } from './time-millisecond.ts';
import { timeMinute } from './time-minute.ts';
import { timeMonth } from './time-month.ts';
import { timeMonthName } from './time-month-name.ts';
import { timeSecond } from './time-second.ts';
import { timeWeekOfYear } from './time-week-of-year.ts';
import { timeYear } from './time-year.ts';
import { tokenHash } from './token-hash.ts';
import { top } from './top.ts';
import { transpose } from './transpose.ts';
import { unitConvert } from './unit-convert.ts';
import { upper } from './upper.ts';
import { urlDecode } from './url-decode.ts';
import { urlEncode } from './url-encode.ts';
import { wildcard } from './wildcard.ts';
import { window } from './window.ts';
import { worldMap } from './world-map.ts';
import { writeJson } from './write-json.ts';
import { xmlPrettyPrint } from './xml-pretty-print.ts';

/** Every function that the engine has. A new one gets a file of its own and a line here. */
const FUNCTIONS: readonly FunctionSpec[] = [
  accumulate,
  arrayAppend,
  arrayContains,
  arrayDedup,
  arrayDrop,
  arrayEval,
  arrayExists,
  arrayFilter,
  arrayIntersection,
  arrayLength,
  arrayReduceAll,
  arrayReduceColumn,
  arrayReduceRow,
  arrayRegex,
  arrayRename,
  arraySort,
  arrayUnion,
  asn,
  avg,
  base64Decode,
  base64Encode,
  betaParam,
  betaRepeating,
  bitfieldExtractFlags,
  bitfieldExtractFlagsAsArray,
  bitfieldExtractFlagsAsString,
  bucket,
  callFunction,
  cidr,
  coalesce,
  collect,
  communityId,
  concat,
  concatArray,
  copyEvent,
  correlate,
  count,
  counterAsRate,
  createEvents,
  cryptoMd5,
  cryptoSha1,
  cryptoSha256,
  defaultFunction,
  defineTable,
  drop,
  dropEvent,
  duration,
  end,
  evalFunction,
  eventFieldCount,
  eventSize,
  fieldset,
  fieldstats,
  findTimestamp,
  format,
  formatDuration,
  formatTime,
  geographyDistance,
  geohash,
  getField,
  groupBy,
  hash,
  hashMatch,
  hashRewrite,
  head,
  ifFunction,
  inFunction,
  iocLookup,
  ipLocation,
  join,
  jsonPrettyPrint,
  kvParse,
  length,
  linReg,
  lookup,
  lower,
  lowercase,
  match,
  matchAsArray,
  mathArctan2,
  ...mathFunctions,
  mathMod,
  mathPow,
  mathSpherical2cartesian,
  max,
  min,
  neighbor,
  now,
  objectArrayEval,
  objectArrayExists,
  parseCEF,
  parseCsv,
  parseFixedWidth,
  parseHexString,
  parseIntFunction,
  parseJson,
  parseLEEF,
  parseTimestamp,
  parseUri,
  parseUrl,
  parseXml,
  partition,
  percentage,
  percentile,
  range,
  readFile,
  regex,
  rename,
  replace,
  reverseDns,
  round,
  sample,
  sankey,
  select,
  selectFromMax,
  selectFromMin,
  selectLast,
  selfJoin,
  selfJoinFilter,
  series,
  session,
  setField,
  setTimeInterval,
  shannonEntropy,
  slidingTimeWindow,
  slidingWindow,
  sort,
  split,
  splitString,
  start,
  stats,
  stdDev,
  stripAnsiCodes,
  subnet,
  sum,
  table,
  tail,
  test,
  textContains,
  textEditDistance,
  textEditDistanceAsArray,
  textEndsWith,
  textLength,
  textPositionOf,
  textStartsWith,
  textSubstring,
  textTrim,
  timeChart,
  timeDayOfMonth,
  timeDayOfWeek,
  timeDayOfWeekName,
  timeDayOfYear,
  timeHour,
  timeMillisecond,
  timeMinute,
  timeMonth,
  timeMonthName,
  timeSecond,
  timeWeekOfYear,
  timeYear,
  tokenHash,
  top,
  transpose,
  unitConvert,
  upper,
  urlDecode,
  urlEncode,
  wildcard,
  window,
  worldMap,
  writeJson,
  xmlPrettyPrint,
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
