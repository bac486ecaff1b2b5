import { maskPhrases, replaceOutside } from '../masked-text.ts';
import {
  assigned,
  expanded,
  groupCall,
  present,
  presentKeys,
  sortCall,
  summary,
  timeBin,
  toExpression,
} from './conversions.ts';
import { SEARCH, type WriteContext } from './dialect.ts';
import { isKql } from './kql.ts';
import { mistakesOf, TIME } from './mistake.ts';
import { compareWithNow } from './times.ts';

/** Steps that are certainly not of this language. */
const PIPED = /\|\s*(?:where|table|regex|rename|top|rare|search|fields|sort|head|bin|bucket)\s+\S/i;

/** Steps that only SPL has: then the search before them is one, too. */
const PROOF =
  /\|\s*(?:(?:event|stream)?stats|eval|rex|timechart|chart|dedup|iplocation|fillnull|mvexpand|makemv|transaction)\s+(?![<>=!:(|])\S|\|\s*where\s(?:[^|]*\W)?(?:cidrmatch|match|like)\(/i;
/** Steps that are reported as SPL: then the search is one, too, unless a step is certainly of another language. */
const REPORTED =
  /\|\s*(?:(?:table|fields|regex|rename|rare|search|lookup|sort(?!\s+by\b)|top)\s+(?![<>=!:(|])\S|(?:head|tail)(?:\s+(?:limit=)?\d+)?\s*$|(?:reverse|spath|transpose)\s*$|where\s(?:[^|]*\W)?is(?:not)?null\()/i;
const OTHER = /^\|\s*(?:[a-z]\w*\(|(?:grep|uniq)\b)|:=/i;
const isPiped = (text: string) => PROOF.test(text) || PIPED.test(text);
/** What no search of SPL has. */
const NO_SEARCH =
  /^\|\s*(?:$|(?:filter|from|index|earliest|grep|cat)\b)|[#{]|\/(?!\d+(?:[\s)]|$))|(?<!=[^\s"]{0,100}):|\w\(/i;

const INDEX = String.raw`index\s*(?:==?\s*(?:"[^"]*"|[\w*.-]+)|in\s*\([^()]*\))`;
const LIST = String.raw`${INDEX}(?:\s+or\s+${INDEX})*`;
const COMMON = String.raw`${LIST}|\(\s*${LIST}\s*\)|earliest=-\d+[a-z]+(?:@[a-z]+)?|latest=now(?:\(\))?`;
/** The indexes and times of all events of a search. */
const OF_ALL = new RegExp(
  String.raw`\s*(?<!\S|\b(?:or|not)\s+|\([^()]*)(?:and\s+)?(?:${COMMON})(?:\s+and\b)?(?!\S|\s+or\b)`,
  'gi',
);

const ROWS = String.raw`
step spl-search: search {text} ==> {text.term}
step spl-search: search {filter} ==> {filter.spl}
pipe spl-search: search {value} ==> {value.term}
step spl-dedup: dedup {fields} ==> {fields.present} | groupBy({fields}, function={fields.newest})
step spl-dedup: dedup {count} {field} ==> {field}=* | groupBy({field}, function={count.newest})
pipe spl-dedup: /dedup\s+(?:\d+\s+)?@NAME@.*/ ## Write groupBy($1, function=tail(1)).
pipe spl-fields-drop: fields - {fields} ==> drop({fields.array})
pipe spl-fields: %(fields +|fields)% {fields} ==> select({fields.timed}) ## Write select([a, b]).
pipe spl-table: table {fields} ==> select({fields.tabular})
pipe spl-table: /(?:table|fields)\s+\*/ ## Leave the step out.
pipe spl-fields: /fields\s+(?![<>=!:]).*/ ## Write select([a, b]), or drop([a, b]).
pipe spl-rex: rex {text} ==> regex({text.pattern}, strict=false)
pipe spl-rex: rex field={field} {text} ==> regex({text.pattern}, field={field}, strict=false)
pipe spl-rex: /rex\s+(?:field=\S+\s+)?mode=sed\s.*/ ## Write replace("a", with="b", field=field).
pipe spl-rex: /rex\s+(?![<>=!:]).*/ ## Write regex("(?<name>.+)", field=field).
pipe spl-regex: regex {field} = {text} ==> {field}={text.regex}
pipe spl-regex: regex {field} != {text} ==> {field}!={text.regex}
pipe spl-regex: regex {text} ==> {text.regex}
step spl-stats-by: chart {calls} over {field} by {field2} ==> {field}=* | default(value=NULL, field={field2}) | groupBy([{field}, {field2}], function={calls})
step spl-stats-by: chart {calls} over {field} ==> {field}=* | groupBy({field}, function={calls})
step spl-stats-by: stats values({field}) by {field2} ==> {field2}=* | groupBy([{field2}, {field}], function=[], limit=max) | sort({field}, type=string, order=asc, limit=max) | groupBy({field2}, function=collect({field}, limit=1000000))
step spl-stats-by: stats values({field}) as {field3} by {field2} ==> {field2}=* | groupBy([{field2}, {field}], function=[], limit=max) | sort({field}, type=string, order=asc, limit=max) | groupBy({field2}, function=collect({field}, limit=1000000)) | rename({field}, as={field3})
step spl-stats-by: %(stats|chart)% {calls} by {rest} ==> @group ## Write groupBy(field, function=count()).
step spl-stats: /stats\s+(\S.*)/ ==> @all ## Write count(), or sum(field).
step spl-eventstats: /eventstats\s+(?!.*\sby\s)\S.*/ ## Write stats() as another query: join() has no field to compare.
step spl-eventstats: /eventstats\s+\S.*?\sby\s+([\w.@#]+).*/ ## Write join({ groupBy($1, function=count()) }, field=$1, include=_count): its query needs the filters.
step spl-streamstats: /streamstats\s+\S.*?(?:\sby\s+([\w.@#]+).*)?/ ## Write sort(@timestamp, order=asc, limit=max) | groupBy($1, function=accumulate(count())), or sort(@timestamp, order=asc, limit=max) | accumulate(count()) without a key, or sort(@timestamp, order=asc, limit=max) | neighbor(field, prefix=prev) for the row before.
pipe spl-eval: /eval\s+[\w.@#]+\s*=.*(?:"\s*\+|\+\s*"|(?:user|name|host)\s*\+|[a-z_]\w*\.[a-z_]\w*(?![\w(])).*/ ## To join text, write field := format("%s-%s", field=[a, b]).
pipe spl-eval: /eval\s+@NAME@\s*=\s*replace\(\s*@NAME@\s*,\s*@TEXT@\s*,\s*@TEXT@\s*\)/ ## Write replace($3, with=$4, field=$2, as=$1).
pipe spl-eval: eval {field} = if({filter}, {value}, {value2}) ==> {field} := if({ {filter} }, then={value}, else={value2})
pipe spl-eval: eval {field} = strftime(_time, {text}) ==> {field} := formatTime({text}, field=@timestamp) ## Write field := formatTime("%H:%M", field=@timestamp).
pipe spl-eval: /eval\s+([\w.@#]+\s*=.*)/ ==> @eval ## Write field := value.
pipe spl-timechart: timechart span={span} {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, span={span}, function={calls}, limit=500)
pipe spl-timechart: timechart span={span} {calls} ==> timeChart(span={span}, function={calls})
pipe spl-timechart: timechart {calls} by {field} ==> default(value=NULL, field={field}) | timeChart({field}, function={calls}, limit=500)
pipe spl-timechart: timechart {calls} ==> timeChart(function={calls})
pipe spl-top: top %(|limit=)%{count} {fields} ==> top({fields}, limit={count}, percent=true)
pipe spl-top: top {fields} limit={count} ==> top({fields}, limit={count}, percent=true)
pipe spl-top: top %(|limit=)%{count} {field} by {field2} ==> {field2}=* | groupBy({field2}, function=top({field}, limit={count}, percent=true))
pipe spl-top: top {field} by {field2} ==> {field2}=* | groupBy({field2}, function=top({field}, percent=true))
pipe spl-top: top {field} limit={count} by {field2} ==> {field2}=* | groupBy({field2}, function=top({field}, limit={count}, percent=true))
pipe spl-top: top {fields} ==> top({fields}, percent=true)
pipe spl-top: /top\s+(?!\d+\s+by\b)\w.*/ ## Write top(field, limit=10).
pipe spl-rare: rare {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit=10)
pipe spl-rare: rare limit={count} {field} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit={count})
pipe spl-rare: rare {field} limit={count} ==> {field}=* | groupBy({field}) | sort(_count, order=asc, limit={count})
pipe spl-rare: /rare\s+\w.*(?:\w=|\sby\s).*/ ## Write groupBy(field) | sort(_count, order=asc, limit=10).
pipe spl-sort: /sort\s+(?!by\b)(?:(\d+)\s+)?([-+]?\s*(?:num\()?[\w.@#"]+.*)/ ==> @sort ## Write sort([a, b], order=[asc, desc]).
pipe spl-head: /(head|tail)(?:\s+(?:limit=)?(\d+))?/ ==> @kept ## Write tail(10), or head(10).
pipe spl-rename: rename _time as {value} ==> {value} := @timestamp / 1000 | drop(@timestamp)
pipe spl-rename: /rename\s.*\b_time\s+as\b.*/ ## Write field := @timestamp / 1000: times are seconds there.
pipe spl-rename: rename {field} as {value} ==> rename({field}, as={value})
pipe spl-rename: rename {field} as {field2}, {field3} as {field4} ==> rename([[{field}, {field2}], [{field3}, {field4}]])
pipe spl-spath: spath ==> parseJson()
pipe spl-spath: spath input={field} ==> parseJson({field})
pipe spl-mvexpand: mvexpand {field} ==> @each ## Write split(field).
pipe spl-makemv: /makemv\s.*/ ## Write splitString(field, by=",", as=field) | split(field).
pipe spl-transaction: /transaction\s+(?=.*\b(?:maxspan|startswith|endswith)=)(?:\w+=\S+\s+)*([\w.@#]+(?:\s*,\s*[\w.@#]+)*).*/ ## Write groupBy([$1], function=series(collect=[@rawstring], maxduration=5m)).
pipe spl-transaction: /transaction\s+(?:\w+=\S+\s+)*([\w.@#]+(?:\s*,\s*[\w.@#]+)*).*/ ## Write groupBy([$1], function=session([collect(@rawstring), count(as=eventcount)], maxpause=5m)).
pipe spl-inputlookup: inputlookup {value} ==> readFile("{value.plain}")
pipe spl-lookup: lookup {value} {field} ==> match(file="{value.plain}", field={field}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} as {field2} ==> match(file="{value.plain}", field={field2}, column={field}, strict=false)
pipe spl-lookup: lookup {value} {field} output {fields} ==> match(file="{value.plain}", field={field}, column={field}, include={fields}, strict=false)
pipe spl-lookup: /lookup\s+(\S+)\s+@NAME@\s+outputnew\s+@NAME@.*/ ## Write match(file="$1", field=$2, column=$2, include=$3, strict=false): it replaces values of $3.
pipe spl-lookup: lookup {value} {field} as {field2} output {fields} ==> match(file="{value.plain}", field={field2}, column={field}, include={fields.array}, strict=false)
pipe spl-fillnull: fillnull value={value} {fields} ==> default(value={value}, field={fields.array})
pipe spl-fillnull: fillnull {fields} ==> default(value=0, field={fields.array})
command spl-command: fillnull ## Write default(value=0, field=[a, b]).
step spl-bin: /(?:bin|bucket)\s+(?:_time\s+span=(\S+)|span=(\S+)\s+_time)(?:\s+as\s+(\w+))?/ ==> @bin ## Write bucket(span=5m, function=count()).
pipe spl-bin: /(?:bin|bucket)\s+@NAME@\s+span=(\d+).*/ ## Write $1 := $1 - ($1 % $2).
pipe spl-bin: /(?:bin|bucket)\s+(?:span=\S+\s+)?@NAME@.*/ ## Write $1 := $1 - ($1 % 100).
pipe spl-iplocation: /iplocation\s+(?:\w+=\S+\s+)*@NAME@.*/ ## Write ipLocation($1): it writes $1.country ("US") and $1.city.
pipe spl-reverse: reverse ## Write sort(@timestamp, order=asc).
pipe spl-command: /convert\s.*?\bctime\(\s*([\w.]+)\s*\).*/ ## Write $1 := formatTime("%Y-%m-%d %H:%M:%S", field=$1).
command spl-command: makeresults addtotals collect outputlookup sendemail convert fieldformat predict geostats loadjob savedsearch xyseries nomv foreach map multisearch return format addinfo filldown fieldsummary timewrap addcoltotals ## Leave the step out: it has no equivalent here.
pipe spl-command: /(?:cluster|concurrency|datamodel|metadata)(?:\s+\w+=.*)?/ ## Leave the step out: it has no equivalent here.
command spl-command: extract kv ## Write kvParse().
command spl-command: inputlookup ## Write readFile("lookup.csv").
pipe spl-command: /lookup\s+(?!kind\b|\S+\s+on\s|[<>=!:]).*/ ## Write match(file="lookup.csv", field=field).
command spl-command: tstats ## Write filter | groupBy(key, function=count()).
command spl-command: delta ## Write sort(@timestamp, order=asc) | neighbor(field, prefix=last).
command spl-command: regex ## Write field=/text/.
command spl-command: rename ## Write rename([[a, b], [c, d]]).
command spl-command: spath ## Write parseJson().
query spl-comment: /(.*?)${'`'}{3}(.*?)${'`'}{3}(.*)/ ==> $1/*$2*/$3 ## Write /* text */.
query spl-macro: /.*${'`'}([\w.-]+)(?:\([^${'`'}]*\))?${'`'}(?!\s*:?[=<>!]).*/ ## Write $$1(): a saved query.
query spl-subquery: /[^|[]*\[\s*search\s.*?\b(?:fields|table|return)\s+(?:[+\d]+\s+)?@NAME@.*/ ## Write defineTable(query={ other query }, include=$1, name=t) | match(table=t, field=$1), or join({ other query }, field=$1).
query spl-index: /(\(?\s*${INDEX}(?![^\s)]).*)/ ==> @search ## Leave the index out: the repository is chosen where the query runs.
query spl-search: /([^|]*\|.*)/ ==> @piped ## A search ignores case: write field=/\Avalue\z/i.
query spl-field: /((?:[^|]*\s)?_raw\s*!?=.*)/ ==> @search ## Write @rawstring=/text/i.
pipe spl-join: /join\s+(?:\w+=\S+\s+)*([\w.]+)\s*\[.*/ ## Write join({ other query }, field=$1, include=[a, b], mode=left) for type=left, or join({ other query }, field=$1, include=[a, b]).
query spl-time: /((?:[^|]*\s)?(?:earliest|latest)=.*)/ ==> @search ## ${TIME}
test spl-relative-time: /@NAME@\s*([<>]=?)\s*relative_time\(\s*now\(\)\s*,\s*@TEXT@\s*\)/ ==> @past ## ${TIME}
test spl-isnotnull: isnotnull({field}) ==> {field}=*
test spl-isnull: isnull({field}) ==> {field}!=*
test spl-match: match({field}, {text}) ==> {field}={text.regex}
test spl-cidrmatch: %(cidrmatch|cidr_match)%({text}, {field}) ==> cidr({field}, subnet={text}) ## Write cidr(ip, subnet="10.0.0.0/8").
`;

export const SPL = mistakesOf('SPL', ROWS, {
  all: ([calls = ''], context) => summary(calls, context),
  group: ([calls, keys = ''], context) => {
    const call = groupCall(calls, keys, context);
    return call && presentKeys(keys) + call;
  },
  each: ([field], context) => expanded(field, `${field}=*`, context),
  bin: ([span, other, as = '_time']) => timeBin(as, '_time', span || other),
  kept: ([kept, count], { rows }) => rows(kept === 'head' ? 'first' : 'last', count || '10', true),
  sort: ([limit = '0', keys = ''], { rows }) => {
    const call = sortCall(keys, 'asc');
    return call && limit > '0' ? rows('first', limit, true, call) : call;
  },
  eval: ([text = ''], context) =>
    assigned(text, context, (field, typed) => {
      const value = expressionOf(typed);
      const [, fields] = /^(?:format\(.*, field=\[|array:length\()(.*?)(?:\[\]|\])\)$/.exec(value) ?? [];
      // Without one of its fields, the result has no value.
      if (fields === undefined) return value && `${field} := ${value}`;
      return `case { ${present(fields)} | ${field} := ${value}; * }`;
    }),
  // Units of SPL, without the start of a day.
  past: ([field, operator, text = '']) =>
    /^["']-\d+[smhdw]["']$/.test(text)
      ? compareWithNow(field, operator, `now() - ${text.slice(2, -1)}`, true)
      : '',
  search: ([text = ''], context) => searched(text, context),
  piped: ([text = ''], context) => {
    const { phrase = '' } = context;
    const [first, ...steps] = phrase.split(/(?=\|)/);
    const has = (pattern: RegExp) => steps.some((step) => pattern.test(step));
    const isSpl = has(PROOF) || (has(REPORTED) && !has(OTHER) && !isKql(phrase));
    if (!isSpl || NO_SEARCH.test(`|${first}`)) return undefined;
    if (isPiped(`|${first}`)) return context.isFirst && !first!.startsWith('|') ? `| ${text}` : undefined;
    const written = searched(text, context);
    return written === text ? undefined : written;
  },
});

/** An expression of `eval`; empty with times, which are seconds there, and with what has a value without its field. */
function expressionOf(text: string): string {
  if (/\b(?:now(?!\(\) - [\w@]+\) \/)|if|case|md5|sha\d+)\(/.test(text)) return '';
  // Times are seconds there.
  if (text === '_time') return '@timestamp / 1000';
  const isCalculated = /@timestamp|\b_time\b/.test(text) && !/[^\w.@\s()+*/%-]|\w\((?!\))/.test(text);
  const seconds = isCalculated ? text.replace(/\b_time\b/g, '(@timestamp / 1000)') : text;
  // An empty text is no null, and the base of a logarithm is 10.
  const value = toExpression(seconds.replace(/\blog(?=\([^,]*\))/, 'log10'), isCalculated);
  return value.replace(/^(coalesce\([^()]*)\)$/, '$1, ignoreEmpty=false)');
}

/** A query with its search, which is up to the first step, without case and indexes, and with its time as a step. */
function searched(text: string, { filter, fail }: WriteContext): string {
  const end = maskPhrases(text).replace(/\|.*/s, '').length;
  const search = replaceOutside(text.slice(0, end), OF_ALL, () => '');
  const [left] = /\b(?:index|earliest|latest)\s*(?:[=!]|in\b)\S*/i.exec(maskPhrases(search)) ?? [];
  if (left !== undefined) fail?.(left);
  const words = maskPhrases(search).trim();
  const written = words && filter(search, SEARCH).trimStart();
  if (left !== undefined || (written === '' && words !== '')) return '';
  const [, start] = /(?<!\S)earliest=-([\w@]+)/.exec(text.slice(0, end)) ?? [];
  const steps = [start && `setTimeInterval(start=${start})`, written].filter(Boolean).join(' | ');
  return steps + (/\S$/.test(steps) ? ' ' : '') + text.slice(end);
}
