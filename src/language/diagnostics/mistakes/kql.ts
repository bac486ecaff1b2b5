import { quoteString } from '../../../core/query-text.ts';
import { maskPhrases, replaceOutside } from '../masked-text.ts';
import {
  assigned,
  BIN,
  emptyTexts,
  expanded,
  fieldArray,
  fieldList,
  formatted,
  groupCall,
  isNames,
  listed,
  sortCall,
  splitOutside,
  summary,
  timeBin,
  toExpression,
} from './conversions.ts';
import { ESQL, KQL_WHERE, type WriteContext } from './dialect.ts';
import { mistakesOf, TIME } from './mistake.ts';
import { anyCase, type Comparing, comparand, contentOf, ofWholeText } from './strings.ts';
import { compareWithNow, epochMs, timeField } from './times.ts';

/** `SecurityEvent`, but not `Error`, which is probably a search. */
const TABLE =
  /^(?:[A-Z][a-z]+){2,}$|^(?:T\d?|Logs?|Syslog|Events?|Perf|Heartbeat|Requests|requests|Traces|traces|exceptions|dependencies|customEvents|pageViews)$|_CL$/;
/** What only KQL has. */
const STEPS =
  /\|\s*(?:summarize|project|extend|take|distinct|mv-expand|top\s+\d+\s+by|order\s+by)\b|(?<!\w)!?(?:has|has_any|contains|startswith|endswith|in~)\s|!in\b|[=!]~\s*["']|\bmatches\s+regex\s|\bhas_all\s*\(|\bbetween\s*\(|\b(?:ago|datetime|isempty|isnotempty|ipv4_\w+)\s*\(/i;
const COUNT = /\|\s*count\s*(?:\||$)/i;

/** Whether a query has a table, steps or operators of KQL. */
export function isKql(masked: string): boolean {
  return STEPS.test(masked) || COUNT.test(masked) || TABLE.test(/^\s*(\w+)\s*\|/.exec(masked)?.[1] ?? '');
}

const FROM = String.raw`from\s+[\w.,:*-]+(?:,\s*[\w.:*-]+)*(?:\s+metadata\s[\w, ]+)?\s*\|\s*`;
const CHOSEN = 'the repository is chosen where the query runs.';

const ROWS = String.raw`
pipe esql: /(?:dissect|grok)\s+@NAME@\s+@TEXT@.*/ ## Write regex("user=(?<user>[^ ]+)", field=$1).
query esql: /${FROM}((?:[^|]*\|\s*)*(?:stats|where|eval|keep|drop|sort|limit|rename|dissect|grok)\b.*)/ ==> @esql ## Write filter | groupBy(key, function=count()): ${CHOSEN}
query kql-render: /(.*\S)\s*\|\s*render\s+\w+[^|]*/ ==> @drawn ## Leave the step out.
query kql-let: /let\s+(\w+)\s*=.*/ ## Write its value, or ?{$1=value}, in place of $1. A table is defineTable(query={ other query }, include=user, name=$1), and user in ($1) is match(table=$1, field=user).
query kql-table: /(\w+)\s*\|\s*((?:where\b|(?:summarize|extend|project|distinct|take|limit|sample|count|sort|order|top|mv-|parse|join|lookup|union|render|serialize|getschema|make-|evaluate|search|invoke)[\w-]*\b(?!\s*\())(?:\s.*)?)/ ==> @table ## Leave the table out: ${CHOSEN}
query kql-command: /(?:parse\s+\S+\s+with\s|project-\w+\s|distinct\s+\*)[^|]*(\|.*)/ ==> @first ## Write drop([a, b]), select([a, b]), rename([[a, b], [c, d]]) or regex("user=(?<user>[^ ]+)", field=field).
query kql-command: /union\s+\w[^|]*(\|.*)/ ==> @first ## Leave the step out: a query reads the events of its repository.
query kql-command: /((?:extend|summarize|project|distinct)\s+(?![<>=!:(])[^|]*\|.*)/ ==> @piped ## Write field := value.
query kql-command: /(summarize\s+(?:\w+\s*=\s*)?\w+\(.*|(?:extend|project)\s+\w+\s*=\s*\w+\s*[-+*\/÷].*)/ ==> @first ## Write count(), or field := value.
query sigma: /(.*\s)?@NAME@\|(contains|startswith|endswith|re|all|cidr|exists)((?:\|\w+)*)\s*:(.*)/ ==> @sigma ## Use pySigma's CrowdStrike backend, or write $2=/text/i.
pipe kql-summarize: /summarize\s+arg_(max|min)\(\s*@NAME@\s*,\s*([^()]*)\)\s+by\s+([\w.@#, ]+)/ ==> @extreme ## Write groupBy(key, function=selectFromMax(field, include=[a, b])).
pipe kql-summarize: /summarize\s.*\barg_max\(.*/ ## Write groupBy(key, function=selectFromMax(field, include=[a, b])).
pipe kql-summarize: /summarize\s.*\barg_min\(.*/ ## Write groupBy(key, function=selectFromMin(field, include=[a, b])).
pipe kql-summarize: summarize {calls} by {rest} ==> @group ## Write groupBy(field, function=count()).
pipe kql-summarize: summarize by {fields} ==> groupBy({fields}, function=[])
pipe kql-summarize: /summarize\s+(\S.*)/ ==> @all ## Write count(), or groupBy(field, function=count()).
pipe kql-project: project%(|-keep)% {fields} ==> select({fields.array})
pipe kql-project: /project\s+(.*=.*)/ ==> @project ## Write x := ms * 2 | select([host, x]).
pipe kql-project-away: project-away {fields} ==> drop({fields.array})
pipe kql-project-rename: project-rename {field} = {field2} ==> rename({field2}, as={field})
pipe kql-extend: /extend\s+@NAME@\s*=\s*strcat\(([^()]*)\)/ ==> @joined ## Write field := format("%s %s", field=[a, b]).
pipe kql-extend: /extend\s+([A-Za-z]\w*)\s*=\s*extract\(\s*@TEXT@\s*,\s*1\s*,\s*([\w.]+)\s*\)/ ==> @extract ## Write regex("(?<$1>.+)", field=$3).
pipe kql-extend: /extend\s+(.*=.*)/ ==> @extend ## Write field := value.
pipe kql-sort: /(sort|order)\s+by\s+(\S.*)/ ==> @sort ## Write sort([a, b], order=[asc, desc]).
pipe kql-top: /top\s+(\d+)\s+by\s+(\S.*)/ ==> @top ## Write sort([a, b], order=[asc, desc], limit=10).
step kql-take: %(take|sample)% {count} ==> {count.first}
step kql-distinct: distinct {fields} ==> groupBy({fields}, function=[])
pipe kql-mv-expand: mv-expand {field} ==> @each ## Write split(field).
pipe kql-getschema: getschema ==> fieldset()
pipe kql-command: /make-series\s.*/ ## Write timeChart(span=5m, function=count()), or timeChart(host, span=5m, function=count()).
pipe kql-render: /render\s+\w+.*/ ## Leave the step out: a widget has its chart, and timeChart(span=5m) its series.
command kql-command: serialize externaldata print evaluate mv-apply fork top-nested project-reorder ## Leave the step out: it has no equivalent here.
command kql-command: distinct sample-distinct project-away project-keep project-rename mv-expand ## Write drop([a, b]), select([a, b]), rename([[a, b], [c, d]]) or groupBy(field, function=[]).
pipe kql-command: /(?:join|lookup)\s+(?:kind\s*=\s*)?(?:left)?(?:anti|outer)(?:semi)?\b.*/ ## Write join({ other query }, field=key, include=[a, b], mode=left), or !join({ other query }, field=key) for the events without a match.
command kql-command: join lookup ## Write join({ other query }, field=key, include=[a, b]).
pipe kql-command: /parse(?:-where)?\s+(?:kind=\S+\s+)?@NAME@\s.*/ ## Write regex("user=(?<user>[^ ]+)", field=$1).
test kql-ago: /([\w.@]+)\s*(>=?|<=?)\s*ago\s*\(\s*(\w+)\s*\)/ ==> @past ## ${TIME}
test kql-ago: /([\w.@]+)\s*(>=?)\s*(-\d+[a-z]+)\b/ ==> @past ## ${TIME}
test now-filter: /@NAME@\s*([<>]=?)\s*(now\(\)(?:\s*[-+*\/÷]\s*[\w.]+)*)/ ==> @now ## ${TIME}
test now-filter: /now\(\)\s*-\s*@NAME@\s*([<>]=?)\s*(\d+\w*)/ ==> @now ## ${TIME}
test between: /@NAME@\s+(!?)between\s*\(\s*(.+?)\s*\.\.\s*((?:[^()]|\([^()]*\))+?)\s*\)/ ==> @between ## Write field >= 5 field <= 10.
test kql-duration: /@NAME@\s*([<>]=?)\s*(\d+)ms(?!\w)/ ## Write $1 $2 $3: numbers have no unit.
test kql-duration: /@NAME@\s*[<>]=?\s*\d+[smhd](?!\w)/ ## Write milliseconds: 5m is 300000.
test kql-datetime: /([\w.@]+)\s*([<>]=?)\s*datetime\(([^()]*)\)/ ==> @datetime ## ${TIME}
test sigma: /@NAME@:\s+('[^']*')/ ==> @yaml ## Use pySigma's CrowdStrike backend, or write $1=/text/i.
test contains: /@NAME@@NOT@(contains|includes|has(?:prefix|suffix)?|starts\s?with|ends\s?with)(_cs)?\s+@TEXT@/ ==> @compared ## Write field=/text/i.
step contains: /@NAME@(\s+)(contains|includes|startswith|endswith)()\s+(\w[\w-]*)/ ==> @compared ## Write field=/text/i.
test has-any: {field} has_any ({values}) ==> {field}={values.words}
test has-all: {field} has_all ({values}) ==> @terms ## Write field=/one/i field=/two/i.
test matches-regex: {field} matches regex {text} ==> {field}={text.re2}
test matches-regex: {field} matches {text} ==> {field}={text.regex}
test kql-subnet: %(cidr_match|ipv4_is_in_any_range)%({field}, {values}) ==> cidr({field}, subnet=[{values}]) ## Write cidr(ip, subnet="10.0.0.0/8").
test kql-subnet: ipv4_is_in_range({field}, {text}) ==> cidr({field}, subnet={text}) ## Write cidr(ip, subnet="10.0.0.0/8").
test kql-subnet: ipv4_is_private({field}) ==> cidr({field}, subnet=["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"])
test isempty: /@NAME@\s*(==|=~|!=|!~)\s*(?:""|'')/ ==> @empty ## Write field!=* or field="".
test isempty: isempty({field}) ==> {field}!=* or {field}=""
test isempty: isnotempty({field}) ==> {field}=* {field}!=""
part dcount: %(dcount|dc)%({field}) ==> count({field}, distinct=true)
`;

export const KQL = mistakesOf('KQL', ROWS, {
  extreme([which, field = '', kept = '', keys = '']) {
    const time = timeField(field);
    const [one, select] = which === 'max' ? ['tail', 'selectFromMax'] : ['head', 'selectFromMin'];
    if (kept.trim() === '*')
      return time === '@timestamp' ? `groupBy(${fieldList(keys)}, function=${one}(1))` : undefined;
    return `groupBy(${fieldList(keys)}, function=${select}(${time}, include=${fieldArray(`${time}, ${kept}`)}))`;
  },
  first: ([steps = ''], { isFirst }) => {
    if (!steps.startsWith('|')) return isFirst ? `| ${steps}` : undefined;
    return isFirst && isKql(maskPhrases(steps)) ? '' : undefined;
  },
  piped: ([steps = ''], { isFirst }) => (isFirst && STEPS.test(steps) ? `| ${steps}` : undefined),
  esql: ([steps = ''], context) => {
    const verbs = replaceOutside(steps, /(?<=^|\|\s*)\w+/g, (verb) => SAME[verb.toLowerCase()] ?? verb);
    return filtered(verbs, context, ESQL);
  },
  drawn: ([steps = '']) => (isKql(maskPhrases(steps)) ? steps : undefined),
  sigma([before = '', field, verb, others = '', value = '']) {
    if (verb === 'exists' && before + others === '') return `${field}${/true/.test(value) ? '' : '!'}=*`;
    const [text] = /^(["'])[^*?]*\1$/.exec(value.trim()) ?? [];
    return before + others === '' && text && /ns$|th$/.test(verb!)
      ? `${field}=${comparand(text, verb as Comparing, true)}`
      : '';
  },
  // A question mark is any character there, and a backslash can escape a star.
  yaml: ([field, text = '']) => (/\\\*|\?/.test(text) ? '' : `${field}=${anyCase(text)}`),
  // A string that is absent is empty.
  empty([field, operator = ''], { dialect }) {
    if (dialect?.unknown !== 'numbers') return undefined;
    return operator.startsWith('!') ? `${field}=* ${field}!=""` : `${field}!=* or ${field}=""`;
  },
  joined: ([field, parts = '']) => {
    const call = formatted(parts);
    const [, fields] = /field=(\[.*\])/.exec(call) ?? [];
    return call && `default(value="", field=${fields}) | ${field} := ${call}`;
  },
  group: ([calls, keys], context) => groupCall(calls, keys, context),
  all([calls = ''], context) {
    const call = summary(calls, context);
    return call && emptyTexts(calls) + call;
  },
  // A regex with one group.
  extract: ([name, text = '', field]) =>
    /^(?:\\[^(]|[^(\\])*\((?!\?)[^(]*$/.test(contentOf(text))
      ? `regex(${quoteString(ofWholeText(contentOf(text), '\\z').replace('(', `(?<${name}>`))}, field=${field}, strict=false)`
      : '',
  each: ([field], context) => expanded(field, '*', context),
  extend: ([text = ''], context) => assigned(text, context, assign, true),
  project([text = ''], context) {
    const parts = splitOutside(text, /,/);
    const names = parts.map((part) => part.replace(/\s*=.*/s, '')).join(', ');
    const steps = assigned(parts.filter((part) => part.includes('=')).join(', '), context, assign, true);
    return steps && isNames(names) ? `${steps} | select(${fieldArray(names)})` : '';
  },
  // In capital letters and with a limit, it is SQL, where the default is `asc`.
  sort: ([verb = '', keys = '']) =>
    /ORDER|order .* limit /.test(`${verb} ${keys}`) ? undefined : sortCall(keys, 'desc'),
  top: ([limit, keys = '']) => sortCall(keys, 'desc', limit),
  terms: ([field, values = '']) => {
    const all = listed(values);
    return all.every((one) => one.startsWith('"'))
      ? all.map((one) => `${field}=${comparand(one, 'has', true)}`).join(' ')
      : '';
  },
  past: ([field, operator, span = '']) =>
    /^-?\d+[a-z]/i.test(span) ? compareWithNow(field, operator, `now() - ${span.replace('-', '')}`) : '',
  between([field, not, least, most], { filter }) {
    const [from, to] = not ? ['<', '>'] : ['>=', '<='];
    const tests = [`${field} ${from} ${least}`, `${field} ${to} ${most}`].map((one) =>
      filter(one, KQL_WHERE),
    );
    return tests.includes('') ? '' : tests.join(not ? ' or ' : ' ');
  },
  now: ([field, operator, time], { dialect }) =>
    compareWithNow(field, operator, time, dialect?.unknown === 'all'),
  datetime([field = '', operator, date]) {
    const ms = epochMs(date);
    return ms === undefined ? '' : `${timeField(field)} ${operator} ${ms}`;
  },
  compared([field, not = '', verb = '', isExact, text = '']) {
    const how = verb.toLowerCase().replace(/\s/, '') as Comparing;
    return `${field}${not.trim() && '!'}=${comparand(text, how, !isExact)}`;
  },
  table: ([table = '', rest = ''], context) => {
    // The column of `count` has this name.
    const steps = rest.replace(/(?<=^|\|\s*)count\s*(?=\|.*\bCount\b)/s, 'count(as=Count) ');
    if (TABLE.test(table) || STEPS.test(`| ${rest}`)) return filtered(steps, context);
    return /==|!=|=~/.test(rest) ? '' : undefined;
  },
});

/** Steps of ES|QL that mean the same as others of KQL or SQL, which are written next. */
const SAME: Readonly<Record<string, string>> = {
  drop: 'project-away',
  eval: 'extend',
  keep: 'project',
  sort: 'ORDER BY',
  stats: 'summarize',
};

/** A step of `extend`. Whole numbers are divided without a fraction in KQL, and nothing shows which numbers are. */
function assign(field: string, value: string): string {
  const [bin, , time, span] = BIN.exec(value) ?? [];
  if (bin === value) return timeBin(field, time, span);
  const isWhole = /\/(?!\s*\d+(?:\.\d|[a-z]))/.test(maskPhrases(value).replaceAll('÷', '/'));
  // Of a shorter string, it is all there, and a parser here writes several fields.
  const isPart = /\bparse_\w+\(|\bsubstring\([^,]*,\s*0\s*,/i.test(value);
  const hasNone = isPart || (isWhole && !/\d\.\d|to(?:double|real)\(/i.test(value));
  const written = hasNone ? '' : toExpression(value);
  return written && `${field} := ${written}`;
}

/** The steps after a table, with its conditions as filters: later, a `where` could be of another language. */
function filtered(steps: string, { filter }: WriteContext, dialect = KQL_WHERE): string {
  let isOwn = true;
  const written = replaceOutside(steps, /(?<=(?:^|\|)\s*)where\s(?:[^|]|\|\|)*/gi, (step) => {
    const condition = filter(step.slice('where'.length), dialect).trimStart();
    isOwn &&= condition !== '' || !/==\s*(?!true\b|false\b)[A-Za-z_][\w.]*(?![\w.(])/.test(step);
    return condition || step;
  });
  return isOwn ? `| ${written}` : '';
}
