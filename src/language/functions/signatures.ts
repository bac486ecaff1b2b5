// Generated from the engine: npx vitest run test/engine/function-signatures.test.ts -u
import { signaturesOf } from './signature-table.ts';

/** The functions of the query language, by name. */
// biome-ignore format: one line per type and per function
export const SIGNATURES = signaturesOf({
  aggregate: ["aggregate","an aggregate function, an array of aggregate functions, or { … } containing one"],
  other: ["other","an array name such as \"items[]\""],
  expression: ["expression","an expression"],
  text: ["text","a string"],
  steps: ["steps","a function, or steps in { … }"],
  field: ["field","a field name"],
  steps2: ["steps","a filter: a call such as in(…), or steps in { … }"],
  regex: ["regex","a regular expression in quotes"],
  regexFlags: ["regexFlags","any of the letters i, m, d and F"],
  order: ["order","asc or desc"],
  duration: ["duration","a duration such as 5m or 1day"],
  other2: ["other","an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]]"],
  flag: ["flag","true or false"],
  span: ["span","auto or a duration such as 5m or 1day"],
  timeZone: ["timeZone","a time zone such as \"Europe/Copenhagen\", \"UTC\" or \"+02:00\""],
  other3: ["other","named queries such as login: { action=login } include: [user]"],
  number: ["number","a number"],
  query: ["query","a query in braces: { … }"],
  file: ["file","a lookup file or table name"],
  other4: ["other","a time such as 7d, 1d@d, now or epoch milliseconds"],
  other5: ["other","a locale such as en_US"],
  other6: ["other","one of ip_address, domain, url"],
  other7: ["other","one of unverified, low, medium, high"],
  other8: ["other","a number or a field name"],
  filter: ["filter","a filter: a call such as in(…), or { … }"],
  other9: ["other","a field name or an array such as [[old, new], [old, new]]"],
  other10: ["other","a number of bytes such as 512, 10KiB or 2MB"],
}, String.raw`
accumulate aggregate function!*:aggregate; current:include|exclude=include
appendAggregation aggregate function!*:aggregate
array:append transform array!*:other; values![]:expression
array:contains filter array!*:other; value!:text
array:dedup transform array!*:other; asArray:other
array:drop transform array!*:other
array:eval transform array!*:other; function!:steps; var; asArray:other
array:exists filter array!*:other; condition!:steps2; var
array:filter transform array!*:other; function!:steps2; var; asArray:other
array:intersection aggregate array!*:other; as=_intersection
array:length value>_length array!*:other; as
array:reduceAll aggregate array!*:other; function!:aggregate; var!
array:reduceColumn aggregate array!*:other; function!:aggregate; var!; as=_reduceColumn
array:reduceRow transform array!*:other; function!:aggregate; var!; as
array:regex filter array!*:other; regex!:regex; flags:regexFlags
array:rename transform array!*:other; asArray!:other
array:sort transform array!*:other; order:order=asc; type:string|number=string; asArray:other
array:union aggregate array!*:other; as=_union
asn transform field*=ip; as
avg aggregate field!*; as=_avg
base64Decode value>_base64Decode field!*; charset:UTF-8|UTF-16LE|UTF-16BE|ISO-8859-1=UTF-8; as
base64Encode value>_base64Encode field!*; as
beta:param value parameter!*:text; as!
beta:repeating transform interval*:duration; as
bitfield:extractFlags transform field!; output!:other2; onlyTrue:flag=false
bitfield:extractFlagsAsArray transform field!; flagNames!:other2; asArray:other=_flags[]
bitfield:extractFlagsAsString value>_flags field!; flagNames!:other2; separator:text= ; as
bucket aggregate span*:span=auto; buckets:1..1500; function:aggregate=count(); limit:..500=10; minSpan:span; timezone:timeZone; unit[]:text; field[]=[]
callFunction aggregate function!*:text; field!; as=_function
cidr filter field!*; subnet[]:text; file:text; column:text; negate:flag=false
coalesce value>_coalesce expressions!*[]:expression; ignoreEmpty:flag=true; as
collect aggregate fields!*[]/field; separator:text=\n; limit:..1000000=2000; multival:flag=true
communityId value>_community_id proto!; sourceip!; destinationip!; sourceport; destinationport; icmptype; icmpcode; seed:0..65535=0; as
concat value>_concat field!*[]; as
concatArray value>_concatArray field!*; separator:text=""; prefix:text=""; suffix:text=""; from:0..1000000000=0; to:0..1000000000; as
copyEvent transform type!*:text
correlate aggregate queries!*+:other3; sequence:flag=false; sequenceBy[]=[@timestamp]; within:duration; globalConstraints[]=[]; jitterTolerance:duration; maxPerRoot:1..200000=1; root:text; includeMatchesOnceOnly:flag=false; includeConstraintValues:flag=true; iterationLimit:number; aggregation:aggregate
count aggregate field*; as=_count; distinct:flag=false
counterAsRate aggregate field!*; as=_rate
createEvents aggregate rawstring!*[]:text
crypto:md5 value>_md5 field!*[]; as
crypto:sha1 value>_sha1 field!*[]; as
crypto:sha256 value>_sha256 field!*[]; as
default transform value!*:text; field![]; replaceEmpty:flag=false
defineTable definition query!*:query; name!:file; include![]; start:other4; end:other4; view:text/repo
drop transform fields!*[]/field
dropEvent filter
duration value>_duration duration!*:duration; as
end value>_end as*
eval transform =an expression
eventFieldCount value>_eventFieldCount as
eventSize value>_eventSize as
explain:asTable aggregate showPrefilters:flag=true
fieldset aggregate
fieldstats aggregate limit:..10000=200
findTimestamp transform field*=@rawstring; as=@timestamp; timezone:timeZone; timezoneAs=@timezone; timezoneField; addErrors:flag=true
format value>_format format!*:text; field![]; timezone:timeZone; as
formatDuration value>field field!*; from:ns|us|ms|s|m|h|d=ms; precision:0..7=0; as
formatTime value format!*:text; field=@timestamp; timezone:timeZone; locale:other5=en-US; unit:auto|seconds|milliseconds=auto; as
geography:distance value>_distance lat1!; lon1!; lat2!; lon2!; as
geohash value>_geohash lat=ip.lat; lon=ip.lon; precision:1..12=12; as
getField value>_getField source!*:expression; as
groupBy aggregate field!*[]; function:aggregate=count(); limit:..1000000=20000
hash value>_hash field!*[]; limit:1..2147483647; seed:-2147483647..2147483647=0; as
hashMatch filter input!*:text; salt!:text; hash:sha256|sha512=sha256; bits:8..256=256; field
hashRewrite transform field!*; salt!:text; hash:sha256|sha512=sha256; bits:8..256=256; as; replaceInRawstring:flag=true
head aggregate limit*:..200000=200
if value>_if condition!*:expression; then!:expression; else!:expression; as
in filter field!*; values![]:text; ignoreCase:flag=false
ioc:lookup transform field!*[]; type!:other6; confidenceThreshold:other7=high; include[]; prefix:text=ioc; strict:flag=false
ipLocation transform field*=ip; as
join filter query!*:query; field![]; key[]; include[]=[]; mode:inner|left=inner; max:..200000=1; limit:..200000=100000; start:other4; end:other4; view:text/repo; live:flag
json:prettyPrint value>field field*=@rawstring; step:2..100=2; strict:flag=false; as
kvParse transform field*=@rawstring; as:text/prefix; separator:text==; separatorPadding:unknown|yes|no=unknown; override:flag=false; onDuplicate:keepLast|keepFirst=keepLast; excludeEmpty:flag=false
length value>_length field!*; as
linReg aggregate x!; y!; prefix:text=_
lookup transform file!*:file/table; field![]/on; column[]; include[]=[*]
lower value>_lower field!*; locale:other5; type:other5; as
lowercase transform field!*; include:values|fields|both=values; locale:other5
match filter file!*:file/table; field![]; column[]; include[]=[*]; strict:flag=true; ignoreCase:flag=false; mode:string|glob|cidr=string; nrows:..500=1; glob:flag=false
matchAsArray transform file!*:file/table; field![]; column[]; include[]=[*]; strict:flag=true; ignoreCase:flag=false; nrows!:..500; asArray:text=_matchAsArray/as
math:abs value>_abs field!*; as
math:arccos value>_arccos field!*; as
math:arcsin value>_arcsin field!*; as
math:arctan value>_arctan field!*; as
math:arctan2 value>_arctan2 x!:other8; y!:other8; as
math:ceil value>_ceil field!*; as
math:cos value>_cos field!*; as
math:cosh value>_cosh field!*; as
math:deg2rad value>_deg2rad field!*; as
math:exp value>_exp field!*; as
math:expm1 value>_expm1 field!*; as
math:floor value>_floor field!*; as
math:log value>_log field!*; as
math:log10 value>_log10 field!*; as
math:log1p value>_log1p field!*; as
math:log2 value>_log2 field!*; as
math:mod value>_mod field!*; divisor!:other8; as
math:pow value>_pow field!*; exponent!:other8; as
math:rad2deg value>_rad2deg field!*; as
math:sin value>_sin field!*; as
math:sinh value>_sinh field!*; as
math:spherical2cartesian transform azimuth!:other8; polar!:other8; radius:other8; as=_spherical2cartesian
math:sqrt value>_sqrt field!*; as
math:tan value>_tan field!*; as
math:tanh value>_tanh field!*; as
max aggregate field!*; as=_max; type:text
min aggregate field!*; as=_min; type:text
neighbor aggregate include!*[]; prefix:text; distance:1..1000000=1; direction:preceding|succeeding=preceding
now value>_now as*
objectArray:eval transform array!*:other; asArray!:other; function!:steps; var
objectArray:exists filter array!*:other; condition!:steps2; var
parseCEF transform field*=@rawstring; headerprefix:text=cef.; prefix:text=cef.ext.; labelprefix:text=cef.label.; keeplabels:flag=false
parseCsv transform field*=@rawstring; columns![]; delimiter:text=,; excludeEmpty:flag=false; trim:flag=false
parseFixedWidth transform field*=@rawstring; columns![]; widths![]:1..100000; trim:flag=true
parseHexString value>_parsehexstring field!*; charset:UTF-8|UTF-16LE|UTF-16BE|ISO-8859-1=UTF-8; as
parseInt value>field field!*; radix:2..36=16; endian:big|little=big; as
parseJson transform field*=@rawstring; prefix:text=""; exclude[]=[]; include[]=[]; removePrefixes[]=[]; excludeEmpty:flag=false; handleNull:keep|discard|empty=keep
parseLEEF transform field*=@rawstring; headerprefix:text=leef.; prefix:text=leef.ext.; labelprefix:text=leef.label.; keeplabels:flag=false; delimiter:text; parsetime:flag=true; timezone:timeZone
parseTimestamp transform format*:text=yyyy-MM-dd'T'HH:mm:ss[.SSSSSSSSS]XXXXX; field!; as=@timestamp; timezone:timeZone; timezoneAs=@timezone; timezoneField; addErrors:flag=true; caseSensitive:flag=true
parseUri transform field!*; defaultBase:text; prefix
parseUrl transform field*=url; as
parseXml transform field*=@rawstring; prefix:text=""; strict:flag=false
partition aggregate function!*:aggregate; condition!:filter; split:before|after=before
percentage aggregate condition!*:expression; as=_percentage
percentile aggregate field!*; percentiles[]:number=[50, 75, 99]; as; accuracy:number=0.01
range aggregate field!*; as=_range
readFile aggregate file!*[]:file/table; include[]=[*]; limit:..100000000
regex filter regex!*:regex; field=@rawstring; flags:regexFlags; strict:flag=true; repeat:flag=false; limit:1..10000=100
rename transform field!*:other9; as
replace value>field regex!*:regex; with:text=""/replacement; field=@rawstring; flags:regexFlags; as
reverseDns value>_hostname field!*; server:text; limit:1..1000000; as
round value>field field!*; how:round|ceil|floor=round; as
sample filter percentage*:number=1; field=@timestamp
sankey aggregate source!; target!; weight:aggregate=count()
select transform fields!*[]/field
selectFromMax aggregate field!*; include![]
selectFromMin aggregate field!*; include![]
selectLast aggregate fields!*[]/field
selfJoin aggregate field!*[]; where![]:filter; collect[]=[]; select[]=[]; limit:..1000000=20000; prefilter:flag=false; postfilter:flag=false
selfJoinFilter transform field!*[]; where![]:filter; prefilter:flag=false
series aggregate collect!*[]; separator:text=\n; startmatch:filter; endmatch:filter; maxpause:duration; maxduration:duration; memlimit:other10=1048576
session aggregate function*:aggregate=count(); maxpause:duration=15m
setField transform target!:expression; value!:expression
setTimeInterval definition start!*:other4; end:other4=now; timezone:timeZone
shannonEntropy value>_shannonentropy field!*; as
slidingTimeWindow aggregate function!*:aggregate; span!:duration; current:include|exclude=include; timestampfield=@timestamp
slidingWindow aggregate function!*:aggregate; events!:1..1000; current:include|exclude=include
sort aggregate field*[]=[_count]; order[]:order; type[]:number|string|hex|any=[number]; reverse:flag; limit:..200000=200
split transform field*=_events; strip:flag=false
splitString transform field*=@rawstring; by!:regex; as=_splitstring; index:-100000..100000
start value>_start as*
stats aggregate function*:aggregate=count()
stdDev aggregate field!*; as=_stddev
stripAnsiCodes value>field field*=@rawstring; as
subnet value>_subnet field!*; bits!:0..32; as
sum aggregate field!*; as=_sum
table aggregate fields!*[]/field; sortby[]=[@timestamp]; order[]:order; type[]:number|string|hex|any=[number]; reverse:flag; limit:..200000=200
tail aggregate limit*:..200000=200
test filter expression!*:expression
text:contains filter string!*:expression; substring!:expression
text:editDistance value>_distance target!:expression; maxDistance!:0..1000; ignoreCase:flag=false/caseInsensitive; allowTranspositions:flag=true; reference!:expression; as
text:editDistanceAsArray transform target!:expression; maxDistance!:0..1000; ignoreCase:flag=false/caseInsensitive; allowTranspositions:flag=true; references![]:expression; asArray:other=_distance[]
text:endsWith filter string!*:expression; substring!:expression
text:length value>_length string!*:expression; as
text:positionOf value>_position string!*:expression; character!:expression; begin:expression; occurrence:expression; as
text:startsWith filter string!*:expression; substring!:expression
text:substring value>_string string!*:expression; begin:expression; end:expression; as
text:trim value>_trim field!*; mode:both|start|end=both; as
time:dayOfMonth value>_dayOfMonth field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:dayOfWeek value>_dayOfWeek field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:dayOfWeekName value>_dayOfWeekName field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:dayOfYear value>_dayOfYear field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:hour value>_hour field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:millisecond value>_millisecond field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:minute value>_minute field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:month value>_month field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:monthName value>_monthName field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:second value>_second field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:weekOfYear value>_weekOfYear field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
time:year value>_year field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
timeChart aggregate series*; span:span=auto; buckets:1..1500; function:aggregate=count(); limit:..500=10; minSpan:span; timezone:timeZone; unit[]:text
tokenHash value>_tokenHash field!*; as
top aggregate field!*[]; limit:..20000=10; as; sum; max; rest:text; percent:flag=false; error:number
transpose aggregate pivot*; header; column; limit:..1000=5
unit:convert value>field field!*; from:text; to:text; unit:text; binary:flag=false; keepUnit:flag=false; as
upper value>_upper field!*; locale:other5; as
urlDecode value>_urldecode field!*; as
urlEncode value>_urlencode field!*; type:text; as
wildcard filter pattern!*:text; field[]; ignoreCase:flag=false; includeEverythingOnAsterisk:flag=false
window aggregate function*:aggregate=count(); span:duration; buckets:1..1500
worldMap aggregate ip*; lat; lon; magnitude:aggregate=count(); precision:1..12=4
writeJson value>_json field*[]=[@rawstring]; as
xml:prettyPrint value>field field*=@rawstring; step:0..100=2; width:1..100000=80; strict:flag=false; as
`);
