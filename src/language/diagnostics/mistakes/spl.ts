import { groupCall, present, sortCall, toExpression } from './conversions.ts';
import { SEARCH, type WriteContext } from './dialect.ts';
import { CASE, mistakesOf, TIME } from './mistake.ts';

const REX = 'Write regex("(?<name>.+)", field=field).';
const UNION = 'Write one query, with "or" between the filters.';

/** Steps that are certainly not of this language. */
const PIPED =
  /\|\s*(?:stats|eval|where|timechart|chart|table|rex|regex|rename|dedup|top|search|fields|sort|head)\s+\S/i;

const ROWS = String.raw`
step spl-search: /search\s+in\s+\(.*/ ## Write "text": the repository is chosen where the query runs.
step spl-search: search {text} ==> {text.term}
step spl-search: search {filter} ==> {filter.spl}
pipe spl-search: search {value} ==> {value.term}
step spl-dedup: dedup {fields} ==> {fields.present} | groupBy({fields}, function={fields.newest})
step spl-dedup: dedup {count} {field} ==> {field}=* | groupBy({field}, function={count.newest})
pipe spl-dedup: /dedup\s+(?![<>=!:]).*/ ## Write groupBy(field, function=tail(1)).
pipe spl-fields-drop: fields - {fields} ==> drop({fields.array})
pipe spl-fields: fields + {fields} ==> select({fields.array})
pipe spl-fields: fields {fields} ==> select({fields.array})
step spl-fields: fields {listed} ==> select({listed})
pipe spl-table: table {fields} ==> select({fields.array})
pipe spl-table: /(?:table|fields)\s+\*/ ## Leave the step out: all fields are shown.
pipe spl-fields: /fields\s+(?![<>=!:]).*/ ## Write select([a, b]), or drop([a, b]).
pipe spl-rex: rex {text} ==> regex({text}, strict=false)
pipe spl-rex: rex field={field} {text} ==> regex({text}, field={field}, strict=false)
pipe spl-rex: /rex\s+(?:field=\S+\s+)?mode=sed\s.*/ ## Write replace("old", with="new", field=field).
pipe spl-rex: /rex\s+(?![<>=!:]).*/ ## ${REX}
pipe spl-regex: regex {field} = {text} ==> {field}={text.regex}
pipe spl-regex: regex {field} != {text} ==> {field}!={text.regex}
pipe spl-regex: regex {text} ==> {text.regex}
step count-if: /(?:stats|summarize)\s+count(?:if\(|\(\s*eval\().*/ ## Write groupBy(key, function={ filter | count() }).
step spl-stats-by: /stats\s.*\bby\s+_time\b.*/ ## Write bucket(span=5m, field=key, function=count()).
step spl-stats-by: /(?:stats|chart|timechart)\s.*\b(?:earliest|first|last|list)\(.*/ ## Write groupBy(key, function=selectFromMin(@timestamp, include=[field])), or selectLast(field) for the latest value.
step spl-stats-by: chart {calls} over {field} by {field2} ==> {field}=* | default(value=NULL, field={field2}) | groupBy([{field}, {field2}], function={calls})
step spl-stats-by: chart {calls} over {field} ==> {field}=* | groupBy({field}, function={calls})
step spl-stats-by: %(stats|chart)% {calls} by {rest} ==> @group
step spl-stats: stats {calls} ==> {calls}
step spl-eventstats: /eventstats\s+\S.*/ ## Write join({ groupBy(key, function=count()) }, field=key, include=_count): its query also needs the filters before it.
step spl-streamstats: /streamstats\s+\S.*/ ## Write sort(@timestamp, order=asc) | accumulate(count()).
pipe spl-eval: /eval\s+[\w.@#]+\s*=\s*case\(.*\)/ ## ${CASE}
pipe spl-eval: /eval\s+[\w.@#]+\s*=.*(?:"\s*\+|\+\s*").*/ ## To join text, write field := format("%s-%s", field=[a, b]).
pipe spl-eval: eval {field} = if({filter}, {value}, {value2}) ==> {field} := if({ {filter} }, then={value}, else={value2})
pipe spl-eval: eval {field} = strftime(_time, {text}) ==> {field} := formatTime({text}, field=@timestamp)
pipe spl-eval: eval {field} = round({term}, 0) ==> {field} := {term} | round({field})
pipe spl-eval: eval {field} = {term}, {field2} = {term2} ==> {field} := {term} | {field2} := {term2}
pipe spl-eval: /eval\s+@NAME@\s*=\s*(\S.*)/ ==> @eval ## Write field := value.
pipe spl-timechart: timechart span={span} {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, span={span}, function={calls})
pipe spl-timechart: timechart span={span} {calls} ==> timeChart(span={span}, function={calls})
pipe spl-timechart: timechart {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, function={calls})
pipe spl-timechart: timechart {calls} ==> timeChart(function={calls})
pipe spl-top: /top\s+\d+\s+\S+\s+by\s.*/ ## Write top(field, limit=10).
pipe spl-top: top %(limit=|)%{count} {fields} ==> top({fields}, limit={count})
pipe spl-top: top {field} by {field2} ==> {field2}=* | groupBy({field2}, function=top({field}))
pipe spl-top: top {fields} ==> top({fields})
pipe spl-rare: rare {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit=10)
pipe spl-rare: rare limit={count} {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit={count})
pipe spl-sort: /sort\s+(?!by\b)(?:(\d+)\s+)?([-+]?\s*(?:num\()?[\w.@#]+.*)/ ==> @sort ## Write sort([a, b], order=[asc, desc]).
pipe spl-head: head %(|limit=)%{count} ==> {count.first}
pipe spl-head: /(head|tail)/ ==> @ten ## Write tail(10), or head(10).
pipe spl-head: tail {count} ==> {count.last}
pipe spl-rename: rename {field} as {text} ==> rename({field}, as={text})
pipe spl-rename: rename {field} as {field2} ==> rename({field}, as={field2})
pipe spl-rename: rename {field} as {field2}, {field3} as {field4} ==> rename([[{field}, {field2}], [{field3}, {field4}]])
pipe spl-spath: spath ==> parseJson()
pipe spl-spath: spath input={field} ==> parseJson({field})
pipe spl-mvexpand: mvexpand {field} ==> split({field})
pipe spl-makemv: makemv delim={text} {field} ==> splitString({field}, by={text}, as={field})
pipe spl-transaction: transaction {fields} ==> {fields.present} | groupBy({fields}, function=[count(), collect(@rawstring)])
pipe spl-transaction: /transaction\s.*\b(?:maxspan|startswith|endswith)=.*/ ## Write groupBy(key, function=series(collect=[msg], maxduration=5m)).
pipe spl-transaction: /transaction\s+\S.*/ ## Write groupBy(key, function=session(collect(msg), maxpause=5m)).
pipe spl-inputlookup: inputlookup {value} ==> readFile("{value.plain}")
pipe spl-lookup: lookup {value} {field} ==> match(file="{value.plain}", field={field}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} as {field2} ==> match(file="{value.plain}", field={field2}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} output {fields} ==> match(file="{value.plain}", field={field}, column={field}, include={fields}, strict=false)
pipe spl-fillnull: fillnull value={value} {fields} ==> default(value={value}, field={fields.array})
pipe spl-fillnull: fillnull {fields} ==> default(value=0, field={fields.array})
pipe spl-bin: /(?:bin|bucket)\s+\S.*/ ## Write bucket(span=5m, function=count()) in place of the step and the stats by _time.
pipe spl-iplocation: iplocation {field} ==> ipLocation({field})
pipe spl-transpose: transpose ==> transpose()
pipe spl-reverse: reverse ## Write sort(@timestamp, order=asc).
pipe spl-append: /set\s+(?:diff|union|intersect)\s.*/ ## ${UNION}
pipe spl-rest: /(?:rest\s+\/|metadata\s+type=|from\s+datamodel).*/ ## Leave the step out: a query only reads events.
command spl-command: accum delta ## Write accumulate(sum(field)) after sort(@timestamp, order=asc).
command spl-command: predict anomalydetection ## Write a query with counts, averages or percentiles: there is no equivalent.
command spl-command: collect outputlookup sendemail ## Leave the step out: a query stores nothing. A scheduled search can write its result.
command spl-command: convert fieldformat ## Write formatTime("%F %T", field=field), or formatDuration(field).
command spl-command: extract kv ## Write kvParse().
command spl-command: foreach map ## Write the steps for each field.
command spl-command: geostats ## Leave the step out: the chart is chosen where the result is shown.
command spl-command: inputlookup ## Write readFile("lookup.csv").
command spl-command: loadjob savedsearch ## Write $name(): saved queries take their place.
command spl-command: lookup ## Write match(file="lookup.csv", field=field).
command spl-command: makeresults ## Write createEvents(["a=1"]).
command spl-command: tstats ## Write filter | groupBy(key, function=count()).
command spl-command: multisearch ## ${UNION}
command spl-command: mvcombine nomv ## Write concatArray("field", separator=", ").
command spl-command: rangemap ## ${CASE}
command spl-command: regex ## Write field=/text/.
command spl-command: rename ## Write rename([[a, b], [c, d]]).
command spl-command: return format ## Leave the step out.
command spl-command: spath ## Write parseJson().
command spl-command: untable xyseries ## Write transpose().
command spl-command: xmlkv ## Write parseXml().
query spl-macro: /.*${'`'}[\w.-]+(?:\([^${'`'}]*\))?${'`'}(?!\s*:?[=<>!]).*/ ## Write $name(): saved queries take the place of macros.
query spl-index: /index\s*==?\s*[\w"*.-]+(?=\s|$)(.*)/ ==> @index ## Leave the index out: the repository is chosen where the query runs.
part spl-field: /_raw(?=\s*[=!])/ ==> @rawstring ## Write @rawstring.
pipe spl-append: /append(?:pipe|cols)?\s*\[.*/ ## ${UNION}
pipe spl-join: /join\s+(?:\w+=\S+\s+)*[\w.]+\s*\[.*/ ## Write join({ other query }, field=key).
pipe spl-addtotals: /add(?:col)?totals\b.*/ ## Write total := a + b, or stats(sum(field)).
step spl-time: earliest=-{span} ==> setTimeInterval(start={span})
query spl-time: earliest=-{span} {filter} ==> setTimeInterval(start={span}) | {filter.spl}
part spl-time: /(?:earliest|latest)=-?\S+/ ## ${TIME}
test spl-isnotnull: isnotnull({field}) ==> {field}=*
test spl-isnull: isnull({field}) ==> {field}!=*
test spl-match: match({field}, {text}) ==> {field}={text.regex}
test spl-cidrmatch: cidrmatch({text}, {field}) ==> cidr({field}, subnet={text})
part spl-length: len({field}) ==> length({field})
`;

export const SPL = mistakesOf('SPL', ROWS, {
  group: ([calls, keys = '']) => {
    const call = groupCall(calls, keys);
    return call === '' ? '' : `${present(keys)} | ${call}`;
  },
  ten: ([kept], { rows }) => rows(kept === 'head' ? 'first' : 'last', '10'),
  sort: ([limit, keys = '']) => sortCall(keys, 'asc', limit),
  eval: ([field, text = '']) => {
    // An empty text is no null.
    const value = toExpression(text).replace(/^(coalesce\([^()]*)\)$/, '$1, ignoreEmpty=false)');
    const [, fields] = /^format\(.*, field=\[(.*)\]\)$/.exec(value) ?? [];
    // Without one of its fields, the result has no value.
    if (fields === undefined) return value && `${field} := ${value}`;
    return `case { ${present(fields)} | ${field} := ${value}; * }`;
  },
  index: searchIn,
});

/** What follows the index, as a search without case. Without steps of SPL, the words may be one of this language. */
function searchIn([rest = '']: readonly string[], { filter }: WriteContext): string {
  if (!PIPED.test(rest)) return '';
  const [, search = '', steps = ''] = /^\s*(?:and\s+)?([^|]*)(.*)$/is.exec(rest)!;
  if (search.trim() === '') return steps;
  const text = filter(search, SEARCH);
  return text && text + steps;
}
