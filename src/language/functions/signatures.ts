// Generated from the engine: npx vitest run test/engine/function-signatures.test.ts -u
import { signaturesOf } from './signature-table.ts';

/** The functions of the query language, by name. */
// biome-ignore format: one line per type and per signature
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
array:exists,objectArray:exists filter array!*:other; condition!:steps2; var
array:filter transform array!*:other; function!:steps2; var; asArray:other
array:intersection,array:union aggregate array!*:other; as=_*
array:length value>_* array!*:other; as
array:reduceAll aggregate array!*:other; function!:aggregate; var!
array:reduceColumn aggregate array!*:other; function!:aggregate; var!; as=_*
array:reduceRow transform array!*:other; function!:aggregate; var!; as
array:regex filter array!*:other; regex!:regex; flags:regexFlags
array:rename transform array!*:other; asArray!:other
array:sort transform array!*:other; order:order=asc; type:string|number=string; asArray:other
asn,ipLocation transform field*=ip; as
avg,range,sum aggregate field!*; as=_*
base64Decode value>_* field!*; charset:UTF-8|UTF-16LE|UTF-16BE|ISO-8859-1=UTF-8; as
base64Encode,length,math:abs,math:arccos,math:arcsin,math:arctan,math:ceil,math:cos,math:cosh,math:deg2rad,math:exp,math:expm1,math:floor,math:log,math:log10,math:log1p,math:log2,math:rad2deg,math:sin,math:sinh,math:sqrt,math:tan,math:tanh,tokenHash value>_* field!*; as
beta:param value parameter!*:text; as!
beta:repeating transform interval*:duration; as
bitfield:extractFlags transform field!; output!:other2; onlyTrue:flag=false
bitfield:extractFlagsAsArray transform field!; flagNames!:other2; asArray:other=_flags[]
bitfield:extractFlagsAsString value>_flags field!; flagNames!:other2; separator:text= ; as
bucket aggregate span*:span=auto; buckets:1..1500; function:aggregate=count(); limit:..500=10; minSpan:span; timezone:timeZone; unit[]:text; field[]=[]
callFunction aggregate function!*:text; field!; as=_function
cidr filter field!*; subnet[]:text; file:text; column:text; negate:flag=false
coalesce value>_* expressions!*[]:expression; ignoreEmpty:flag=true; as
collect aggregate fields!*[]/field; separator:text=\n; limit:..1000000=2000; multival:flag=true
communityId value>_community_id proto!; sourceip!; destinationip!; sourceport; destinationport; icmptype; icmpcode; seed:0..65535=0; as
concat,crypto:md5,crypto:sha1,crypto:sha256 value>_* field!*[]; as
concatArray value>_* field!*; separator:text=""; prefix:text=""; suffix:text=""; from:0..1000000000=0; to:0..1000000000; as
copyEvent transform type!*:text
correlate aggregate queries!*+:other3; sequence:flag=false; sequenceBy[]=[@timestamp]; within:duration; globalConstraints[]=[]; jitterTolerance:duration; maxPerRoot:1..200000=1; root:text; includeMatchesOnceOnly:flag=false; includeConstraintValues:flag=true; iterationLimit:number; aggregation:aggregate
count aggregate field*; as=_*; distinct:flag=false
counterAsRate aggregate field!*; as=_rate
createEvents aggregate rawstring!*[]:text
default transform value!*:text; field![]; replaceEmpty:flag=false
defineTable definition query!*:query; name!:file; include![]; start:other4; end:other4; view:text/repo
drop,select transform fields!*[]/field
dropEvent filter
duration value>_* duration!*:duration; as
end,now,start value>_* as*
eval transform =an expression
eventFieldCount,eventSize value>_* as
explain:asTable aggregate showPrefilters:flag=true
fieldset aggregate
fieldstats aggregate limit:..10000=200
findTimestamp transform field*=@rawstring; as=@timestamp; timezone:timeZone; timezoneAs=@timezone; timezoneField; addErrors:flag=true
format value>_* format!*:text; field![]; timezone:timeZone; as
formatDuration value>field field!*; from:ns|us|ms|s|m|h|d=ms; precision:0..7=0; as
formatTime value format!*:text; field=@timestamp; timezone:timeZone; locale:other5=en-US; unit:auto|seconds|milliseconds=auto; as
geography:distance value>_* lat1!; lon1!; lat2!; lon2!; as
geohash value>_* lat=ip.lat; lon=ip.lon; precision:1..12=12; as
getField value>_* source!*:expression; as
groupBy aggregate field!*[]; function:aggregate=count(); limit:..1000000=20000
hash value>_* field!*[]; limit:1..2147483647; seed:-2147483647..2147483647=0; as
hashMatch filter input!*:text; salt!:text; hash:sha256|sha512=sha256; bits:8..256=256; field
hashRewrite transform field!*; salt!:text; hash:sha256|sha512=sha256; bits:8..256=256; as; replaceInRawstring:flag=true
head,tail aggregate limit*:..200000=200
if value>_* condition!*:expression; then!:expression; else!:expression; as
in filter field!*; values![]:text; ignoreCase:flag=false
ioc:lookup transform field!*[]; type!:other6; confidenceThreshold:other7=high; include[]; prefix:text=ioc; strict:flag=false
join filter query!*:query; field![]; key[]; include[]=[]; mode:inner|left=inner; max:..200000=1; limit:..200000=100000; start:other4; end:other4; view:text/repo; live:flag
json:prettyPrint value>field field*=@rawstring; step:2..100=2; strict:flag=false; as
kvParse transform field*=@rawstring; as:text/prefix; separator:text==; separatorPadding:unknown|yes|no=unknown; override:flag=false; onDuplicate:keepLast|keepFirst=keepLast; excludeEmpty:flag=false
linReg aggregate x!; y!; prefix:text=_
lookup transform file!*:file/table; field![]/on; column[]; include[]=[*]
lower value>_* field!*; locale:other5; type:other5; as
lowercase transform field!*; include:values|fields|both=values; locale:other5
match filter file!*:file/table; field![]; column[]; include[]=[*]; strict:flag=true; ignoreCase:flag=false; mode:string|glob|cidr=string; nrows:..500=1; glob:flag=false
matchAsArray transform file!*:file/table; field![]; column[]; include[]=[*]; strict:flag=true; ignoreCase:flag=false; nrows!:..500; asArray:text=_matchAsArray/as
math:arctan2 value>_* x!:other8; y!:other8; as
math:mod value>_* field!*; divisor!:other8; as
math:pow value>_* field!*; exponent!:other8; as
math:spherical2cartesian transform azimuth!:other8; polar!:other8; radius:other8; as=_*
max,min aggregate field!*; as=_*; type:text
neighbor aggregate include!*[]; prefix:text; distance:1..1000000=1; direction:preceding|succeeding=preceding
objectArray:eval transform array!*:other; asArray!:other; function!:steps; var
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
percentage aggregate condition!*:expression; as=_*
percentile aggregate field!*; percentiles[]:number=[50, 75, 99]; as; accuracy:number=0.01
readFile aggregate file!*[]:file/table; include[]=[*]; limit:..100000000
regex filter regex!*:regex; field=@rawstring; flags:regexFlags; strict:flag=true; repeat:flag=false; limit:1..10000=100
rename transform field!*:other9; as
replace value>field regex!*:regex; with:text=""/replacement; field=@rawstring; flags:regexFlags; as
reverseDns value>_hostname field!*; server:text; limit:1..1000000; as
round value>field field!*; how:round|ceil|floor=round; as
sample filter percentage*:number=1; field=@timestamp
sankey aggregate source!; target!; weight:aggregate=count()
selectFromMax,selectFromMin aggregate field!*; include![]
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
stats aggregate function*:aggregate=count()
stdDev aggregate field!*; as=_stddev
stripAnsiCodes value>field field*=@rawstring; as
subnet value>_* field!*; bits!:0..32; as
table aggregate fields!*[]/field; sortby[]=[@timestamp]; order[]:order; type[]:number|string|hex|any=[number]; reverse:flag; limit:..200000=200
test filter expression!*:expression
text:contains,text:endsWith,text:startsWith filter string!*:expression; substring!:expression
text:editDistance value>_distance target!:expression; maxDistance!:0..1000; ignoreCase:flag=false/caseInsensitive; allowTranspositions:flag=true; reference!:expression; as
text:editDistanceAsArray transform target!:expression; maxDistance!:0..1000; ignoreCase:flag=false/caseInsensitive; allowTranspositions:flag=true; references![]:expression; asArray:other=_distance[]
text:length value>_* string!*:expression; as
text:positionOf value>_position string!*:expression; character!:expression; begin:expression; occurrence:expression; as
text:substring value>_string string!*:expression; begin:expression; end:expression; as
text:trim value>_* field!*; mode:both|start|end=both; as
time:dayOfMonth,time:dayOfWeek,time:dayOfWeekName,time:dayOfYear,time:hour,time:millisecond,time:minute,time:month,time:monthName,time:second,time:weekOfYear,time:year value>_* field*=@timestamp; timezone:timeZone; timezoneField=@timezone; as
timeChart aggregate series*; span:span=auto; buckets:1..1500; function:aggregate=count(); limit:..500=10; minSpan:span; timezone:timeZone; unit[]:text
top aggregate field!*[]; limit:..20000=10; as; sum; max; rest:text; percent:flag=false; error:number
transpose aggregate pivot*; header; column; limit:..1000=5
unit:convert value>field field!*; from:text; to:text; unit:text; binary:flag=false; keepUnit:flag=false; as
upper value>_* field!*; locale:other5; as
urlDecode value>_urldecode field!*; as
urlEncode value>_urlencode field!*; type:text; as
wildcard filter pattern!*:text; field[]; ignoreCase:flag=false; includeEverythingOnAsterisk:flag=false
window aggregate function*:aggregate=count(); span:duration; buckets:1..1500
worldMap aggregate ip*; lat; lon; magnitude:aggregate=count(); precision:1..12=4
writeJson value>_json field*[]=[@rawstring]; as
xml:prettyPrint value>field field*=@rawstring; step:0..100=2; width:1..100000=80; strict:flag=false; as
`);
