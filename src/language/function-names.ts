/**
 * The names of the service's functions, including deprecated ones. The grammar needs them: after `field=`, a word
 * directly followed by `(` is a call only if it is one of these, and none of them is free text without quotes.
 */
const NAMES = `
  accumulate appendAggregation asn avg base64Decode base64Encode bucket callFunction cidr coalesce collect
  communityId concat concatArray copyEvent correlate count counterAsRate createEvents default defineTable
  drop dropEvent duration end eval eventFieldCount eventInternals eventSize fieldset fieldstats
  findTimestamp format formatDuration formatTime geohash getField groupBy hash hashMatch hashRewrite head
  if in ipLocation join kvParse length linReg lookup lower lowercase match matchAsArray max min neighbor
  now parseCEF parseCsv parseFixedWidth parseHexString parseInt parseJson parseLEEF parseTimestamp
  parseUri parseUrl parseXml partition percentage percentile range rdns readFile readPersistedAggregation
  regex remoteTable rename replace reverseDns round sample sankey select selectFromMax selectFromMin
  selectLast selfJoin selfJoinFilter series session setField setTimeInterval shannonEntropy
  slidingTimeWindow slidingWindow sort split splitString start stats stdDev stripAnsiCodes subnet sum
  table tail test timeChart tokenHash top transpose upper urlDecode urlEncode wildcard window worldMap
  writeJson
  array:append array:contains array:dedup array:drop array:eval array:exists array:filter
  array:intersection array:length array:reduceAll array:reduceColumn array:reduceRow array:regex
  array:rename array:sort array:union
  beta:param beta:repeating
  bitfield:extractFlags bitfield:extractFlagsAsArray bitfield:extractFlagsAsString
  crypto:md5 crypto:sha1 crypto:sha256
  explain:asTable
  geography:distance
  ioc:lookup
  json:prettyPrint
  math:abs math:arccos math:arcsin math:arctan math:arctan2 math:ceil math:cos math:cosh math:deg2rad
  math:exp math:expm1 math:floor math:log math:log10 math:log1p math:log2 math:mod math:pow math:rad2deg
  math:sin math:sinh math:spherical2cartesian math:sqrt math:tan math:tanh
  objectArray:eval objectArray:exists
  text:contains text:editDistance text:editDistanceAsArray text:endsWith text:length text:positionOf
  text:startsWith text:substring text:trim
  time:dayOfMonth time:dayOfWeek time:dayOfWeekName time:dayOfYear time:hour time:millisecond time:minute
  time:month time:monthName time:second time:weekOfYear time:year
  unit:convert
  xml:prettyPrint
`;

/** The names as the service spells them. */
export const SERVICE_FUNCTIONS: readonly string[] = NAMES.trim().split(/\s+/);

const LOWER_CASE_NAMES: ReadonlySet<string> = new Set(SERVICE_FUNCTIONS.map((name) => name.toLowerCase()));

/** True if the service has a function with this name, ignoring case. */
export function isFunctionName(name: string): boolean {
  return LOWER_CASE_NAMES.has(name.toLowerCase());
}
