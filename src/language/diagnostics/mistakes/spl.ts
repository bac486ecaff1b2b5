import { maskPhrases } from '../masked-text.ts';
import { groupCall, present, sortCall, timeBin, toExpression } from './conversions.ts';
import { SEARCH, type WriteContext } from './dialect.ts';
import { isKql } from './kql.ts';
import { CASE, mistakesOf, TIME } from './mistake.ts';

const REX = 'Write regex("(?<name>.+)", field=field).';
const UNION = 'Write one query, with "or" between the filters.';

/** Steps that are certainly not of this language. */
const PIPED = /\|\s*(?:where|table|regex|rename|top|rare|search|fields|sort|head|bin|bucket)\s+\S/i;

/** Steps that only SPL has: then the search before them is one, too. */
const PROOF =
  /\|\s*(?:(?:event|stream)?stats|eval|rex|timechart|chart|dedup|iplocation|fillnull|mvexpand|makemv|transaction)\s+(?![<>=!:(|])\S/i;
/** Steps that are reported as SPL: then the search is one, too, unless a step is certainly of another language. */
const REPORTED =
  /\|\s*(?:(?:table|fields|regex|rename|rare|search|lookup|sort(?!\s+by\b)|top)\s+(?![<>=!:(|])\S|(?:head|tail)(?:\s+(?:limit=)?\d+)?\s*$|(?:reverse|spath|transpose)\s*$)/i;
const OTHER = /^\|\s*(?:[a-z]\w*\(|(?:grep|uniq)\b)|:=/i;
const isPiped = (text: string) => PROOF.test(text) || PIPED.test(text);
/** What no search of SPL has. */
const NO_SEARCH = /^\|\s*(?:$|(?:filter|from|index|earliest|grep|cat)\b)|[#{/]|(?<!=[^\s"]{0,100}):|\w\(/i;

const ROWS = String.raw`
step spl-search: search {text} ==> {text.term}
step spl-search: search {filter} ==> {filter.spl}
pipe spl-search: search {value} ==> {value.term}
step spl-dedup: dedup {fields} ==> {fields.present} | groupBy({fields}, function={fields.newest})
step spl-dedup: dedup {count} {field} ==> {field}=* | groupBy({field}, function={count.newest})
pipe spl-dedup: /dedup\s+(?![<>=!:]).*/ ## Write groupBy(field, function=tail(1)).
pipe spl-fields-drop: fields - {fields} ==> drop({fields.array})
pipe spl-fields: fields%(| +)% {fields} ==> select({fields.timed})
pipe spl-table: table {fields} ==> select({fields.array})
step spl-fields: fields {listed} ==> select({listed.timed})
pipe spl-table: /(?:table|fields)\s+\*/ ## Leave the step out.
pipe spl-fields: /fields\s+(?![<>=!:]).*/ ## Write select([a, b]), or drop([a, b]).
pipe spl-rex: rex {text} ==> regex({text}, strict=false)
pipe spl-rex: rex field={field} {text} ==> regex({text}, field={field}, strict=false)
pipe spl-rex: /rex\s+(?:field=\S+\s+)?mode=sed\s.*/ ## Write replace("a", with="b", field=field).
pipe spl-rex: /rex\s+(?![<>=!:]).*/ ## ${REX}
pipe spl-regex: regex {field} = {text} ==> {field}={text.regex}
pipe spl-regex: regex {field} != {text} ==> {field}!={text.regex}
pipe spl-regex: regex {text} ==> {text.regex}
step count-if: /(?:stats|summarize)\s+count(?:if\(|\(\s*eval\().*/ ## Write groupBy(key, function={ filter | count() }).
step spl-stats-by: /(?:stats|chart|timechart)\s.*\b(?:earliest|first|last|list)\(([\w.@#]+)\).*/ ## Write collect($1), selectLast($1) or selectFromMin(@timestamp, include=[$1]).
step spl-stats-by: chart {calls} over {field} by {field2} ==> {field}=* | default(value=NULL, field={field2}) | groupBy([{field}, {field2}], function={calls})
step spl-stats-by: chart {calls} over {field} ==> {field}=* | groupBy({field}, function={calls})
step spl-stats-by: stats values({field}) by {field2} ==> {field2}=* | groupBy([{field2}, {field}], function=[], limit=max) | sort({field}, type=string, order=asc, limit=max) | groupBy({field2}, function=collect({field}, limit=1000000))
step spl-stats-by: stats values({field}) as {field3} by {field2} ==> {field2}=* | groupBy([{field2}, {field}], function=[], limit=max) | sort({field}, type=string, order=asc, limit=max) | groupBy({field2}, function=collect({field}, limit=1000000)) | rename({field}, as={field3})
step spl-stats-by: %(stats|chart)% {calls} by {rest} ==> @group
step spl-stats: stats {calls} ==> {calls}
step spl-eventstats: /eventstats\s+\S.*?(?:\sby\s+([\w.@#]+))?/ ## Write join({ groupBy($1, function=count()) }, field=$1, include=_count): its query needs the filters.
step spl-streamstats: /streamstats\s+\S.*/ ## Write sort(@timestamp, order=asc) | accumulate(count()).
pipe spl-eval: /eval\s+[\w.@#]+\s*=\s*case\(.*\)/ ## ${CASE}
pipe spl-eval: /eval\s+[\w.@#]+\s*=.*(?:"\s*\+|\+\s*"|[a-z_]\w*\.[a-z_]\w*(?![\w(])).*/ ## To join text, write field := format("%s-%s", field=[a, b]).
pipe spl-eval: eval {field} = if({filter}, {value}, {value2}) ==> {field} := if({ {filter} }, then={value}, else={value2})
pipe spl-eval: eval {field} = strftime(_time, {text}) ==> {field} := formatTime({text}, field=@timestamp)
pipe spl-eval: eval {field} = round({term}, 0) ==> {field} := {term} | round({field})
pipe spl-eval: eval {field} = {term}, {field2} = {term2} ==> {field} := {term} | {field2} := {term2}
pipe spl-eval: /eval\s+@NAME@\s*=\s*(\S.*)/ ==> @eval ## Write field := value.
pipe spl-timechart: timechart span={span} {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, span={span}, function={calls}, limit=500)
pipe spl-timechart: timechart span={span} {calls} ==> timeChart(span={span}, function={calls})
pipe spl-timechart: timechart {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, function={calls}, limit=500)
pipe spl-timechart: timechart {calls} ==> timeChart(function={calls})
pipe spl-top: top %(|limit=)%{count} {fields} ==> top({fields}, limit={count}, percent=true)
pipe spl-top: /top\s+\d+\s+\S+\s+by\s.*/ ## Write top(field, limit=10).
pipe spl-top: top {field} by {field2} ==> {field2}=* | groupBy({field2}, function=top({field}, percent=true))
pipe spl-top: top {fields} ==> top({fields}, percent=true)
pipe spl-rare: rare {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit=10)
pipe spl-rare: rare limit={count} {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit={count})
pipe spl-sort: /sort\s+(?!by\b)(?:(\d+)\s+)?([-+]?\s*(?:num\()?[\w.@#]+.*)/ ==> @sort ## Write sort([a, b], order=[asc, desc]).
pipe spl-head: /(head|tail)(?:\s+(?:limit=)?(\d+))?/ ==> @kept ## Write tail(10), or head(10).
pipe spl-rename: rename {field} as {value} ==> rename({field}, as={value})
pipe spl-rename: rename {field} as {field2}, {field3} as {field4} ==> rename([[{field}, {field2}], [{field3}, {field4}]])
pipe spl-spath: spath ==> parseJson()
pipe spl-spath: spath input={field} ==> parseJson({field})
pipe spl-mvexpand: mvexpand {field} ==> split({field})
pipe spl-makemv: /makemv\s.*/ ## Write splitString(field, by=",", as=field) | split(field).
pipe spl-transaction: /transaction\s.*\b(?:maxspan|startswith|endswith)=.*/ ## Write groupBy(key, function=series(collect=[msg], maxduration=5m)).
pipe spl-transaction: /transaction\s+\S.*/ ## Write groupBy(key, function=session(collect(msg), maxpause=5m)).
pipe spl-inputlookup: inputlookup {value} ==> readFile("{value.plain}")
pipe spl-lookup: lookup {value} {field} ==> match(file="{value.plain}", field={field}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} as {field2} ==> match(file="{value.plain}", field={field2}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} output {fields} ==> match(file="{value.plain}", field={field}, column={field}, include={fields}, strict=false)
pipe spl-fillnull: fillnull value={value} {fields} ==> default(value={value}, field={fields.array})
pipe spl-fillnull: fillnull {fields} ==> default(value=0, field={fields.array})
command spl-command: fillnull ## Write default(value=0, field=[a, b]).
step spl-bin: /(?:bin|bucket)\s+(?:_time\s+span=(\w+)|span=(\w+)\s+_time)/ ==> @bin ## Write bucket(span=5m, function=count()).
pipe spl-bin: /(?:bin|bucket)\s+@NAME@(?:\s+span=(\d+))?.*/ ## Write $1 := $1 - ($1 % $2).
pipe spl-iplocation: /iplocation\s+(?:\w+=\S+\s+)*@NAME@.*/ ## Write ipLocation($1): it writes $1.country ("US") and $1.city.
pipe spl-transpose: transpose ==> transpose()
pipe spl-reverse: reverse ## Write sort(@timestamp, order=asc).
command spl-command: accum delta ## Write accumulate(sum(field)) after sort(@timestamp, order=asc).
command spl-command: makeresults xmlkv convert fieldformat predict anomalydetection geostats loadjob savedsearch rangemap untable xyseries mvcombine nomv foreach map multisearch return format ## Leave the step out: it has no equivalent here.
command spl-command: collect outputlookup sendemail ## Leave the step out: a scheduled search can write its result to a file.
command spl-command: extract kv ## Write kvParse().
command spl-command: inputlookup ## Write readFile("lookup.csv").
command spl-command: lookup ## Write match(file="lookup.csv", field=field).
command spl-command: tstats ## Write filter | groupBy(key, function=count()).
command spl-command: regex ## Write field=/text/.
command spl-command: rename ## Write rename([[a, b], [c, d]]).
command spl-command: spath ## Write parseJson().
query spl-macro: /.*${'`'}([\w.-]+)(?:\([^${'`'}]*\))?${'`'}(?!\s*:?[=<>!]).*/ ## Write $$1(): a saved query.
query spl-index: /index\s*==?\s*[\w"*.-]+(?=\s|$)(.*)/ ==> @index ## Leave the index out: the repository is chosen where the query runs.
query spl-search: /([^|]*\|.*)/ ==> @search ## A search ignores case: write field=/^value$/i.
part spl-field: /_raw(?=\s*[=!])/ ==> @rawstring ## Write @rawstring.
pipe spl-append: /append(?:pipe|cols)?\s*\[.*/ ## ${UNION}
pipe spl-join: /join\s+(?:\w+=\S+\s+)*[\w.]+\s*\[.*/ ## Write join({ other query }, field=key).
pipe spl-addtotals: /add(?:col)?totals\b.*/ ## Write total := a + b, or appendAggregation(sum(a, as=a)).
step spl-time: earliest=-{span} ==> setTimeInterval(start={span})
query spl-time: earliest=-{span} {filter} ==> setTimeInterval(start={span}) | {filter.spl}
part spl-time: /(?:earliest|latest)=-?\S+/ ## ${TIME}
test spl-isnotnull: isnotnull({field}) ==> {field}=*
test spl-isnull: isnull({field}) ==> {field}!=*
test spl-match: match({field}, {text}) ==> {field}={text.regex}
test spl-cidrmatch: cidrmatch({text}, {field}) ==> cidr({field}, subnet={text})
`;

export const SPL = mistakesOf('SPL', ROWS, {
  group: ([calls, keys = ''], context) => {
    const call = groupCall(calls, keys, context);
    return call === '' ? '' : `${present(keys)} | ${call}`;
  },
  bin: ([span, other]) => timeBin('_time', '_time', span || other),
  kept: ([kept, count], { rows }) => rows(kept === 'head' ? 'first' : 'last', count || '10', true),
  sort: ([limit = '0', keys = ''], { rows }) => {
    const call = sortCall(keys, 'asc');
    return call && limit > '0' ? rows('first', limit, true, call) : call;
  },
  eval: ([field, text = '']) => {
    // An empty text is no null.
    const value = toExpression(text).replace(/^(coalesce\([^()]*)\)$/, '$1, ignoreEmpty=false)');
    const [, fields] = /^format\(.*, field=\[(.*)\]\)$/.exec(value) ?? [];
    // Without one of its fields, the result has no value.
    if (fields === undefined) return value && `${field} := ${value}`;
    return `case { ${present(fields)} | ${field} := ${value}; * }`;
  },
  index: ([rest = ''], context) => searched(rest, context),
  search: ([text = ''], context) => {
    const masked = maskPhrases(text);
    const [first, ...steps] = masked.split(/(?=\|)/);
    const isOwn = !isKql(masked) && !steps.some((step) => OTHER.test(step));
    const isSpl = steps.some((step) => PROOF.test(step) || (isOwn && REPORTED.test(step)));
    if (!isSpl || NO_SEARCH.test(`|${first}`)) return undefined;
    const isStep = isPiped(`|${first}`);
    const written = isStep ? text : searched(text, context);
    return written === text ? undefined : written;
  },
});

/** A query with its search, which is up to the first step, without case. */
function searched(text: string, { filter }: WriteContext): string {
  const [, search = '', steps = ''] = /^\s*(?:and\s+)?([^|]*)(.*)$/is.exec(text)!;
  if (search.trim() === '') return steps;
  const written = filter(search, SEARCH);
  return written && written + steps;
}
