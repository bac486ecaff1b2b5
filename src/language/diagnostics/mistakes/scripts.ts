import { readDuration } from '../../../core/duration.ts';
import { caseOf } from './conversions.ts';
import { OWN, SELECT } from './dialect.ts';
import { CASE, mistakesOf, TIME, type Writer } from './mistake.ts';
import { anyCase, type Comparing, comparand, equalOrRegex, exactly, isUnusual } from './strings.ts';

const JQ_ROWS = String.raw`
step jq-test: /select\(\s*\.@NAME@\s*\|\s*(contains|startswith|endswith)\(\s*@TEXT@\s*\)\s*\)/ ==> @compared ## Write field="*text*".
query jq-select: /\.\[\]\s*\|(?!\s*length\b)\s*(.*)/ ==> | $1 ## Write field=value.
pipe jq-field: .{field} ==> select([{field}])
step jq-test: select(.{field} | test({text})) ==> {field}={text.regex}
step jq-select: /map\(\s*select\((.*)\)\s*\)/ ==> @select ## Write field=value.
step jq-select: /select\((\s*\(*(?:\.|not\b).*)\)/ ==> @select ## Write field=value.
query jq-reduce: /(?:\[\s*\.\[\]|map\(|with_entries\(|any\(|all\(|first\(\.|\[?\.\w*(?:\[\])?\s*\|\s*length\b).*/ ## For example, write sum(field), or filter | count().
step jq-group-by: group_by(.{field}) ==> groupBy({field})
step jq-sort-by: sort_by(.{field}) ==> sort({field}, order=asc, limit=max)
pipe jq-length: length ==> count()
test jq-field: /(?<![^\s(])\.([A-Za-z_][\w.]*)\s*(==|=|!=|<=?|>=?)\s*("[^"]*"|[\w.*-]+)/ ==> @compare ## Write field=value, or test(a == b) for two fields.
`;

const SHELL_ROWS = String.raw`
step grep: grep {text} ==> {text.grep}
query grep: grep {word} ==> {word}
query grep: /grep\s+(?!-)[^|]+\s[^\s|]*[.\/*][^\s|]*(\s*\|.*)?/ ## Leave the file out: the repository is chosen where the query runs.
query grep: /grep\s+-[A-Za-z]*[crnlow][A-Za-z]*\s.*/ ## Write /text/, or filter | count().
query shell-cat: /(?:cat|tail\s+-f|zcat|less)\s+\S+(?:\s*(\|\s*.*))?/ ==> $1 ## Leave the file out: the repository is chosen where the query runs.
step grep: grep -i {value} ==> {value.search}
step grep: grep -v {value} ==> not {value.grep}
step grep: grep %(-iv|-vi|-i -v|-v -i)% {value} ==> not {value.search}
step grep: grep %(-E|-P)% {text} ==> {text.lines}
pipe grep: grep {value} ==> {value.grep}
pipe shell-wc: wc -l ==> count()
command shell-command: awk cut sed less xargs jq wc uniq ## Write regex("^(?<first>[^ ]+)", field=field), or leave the step out.
pipe shell-head: head -%(n |)%{count} ==> {count.oldest}
pipe shell-head: tail -%(n |)%{count} ==> tail({count})
`;

const SCRIPT_ROWS = String.raw`
part if-braces: if ({filter}) { {field} := {value} } else { {field2} := {value2} } ==> case { {filter.own} | {field} := {value}; * | {field2} := {value2} } ## ${CASE}
part if-braces: if ({filter}) { {field} := {value} } ==> case { {filter.own} | {field} := {value}; * } ## ${CASE}
part if-braces: /if\s*\([^()]*\)\s*\{.*\}/ ## ${CASE}
part if-values: if({filter}, {value}, {value2}) ==> if({ {filter.own} }, then={value}, else={value2})
step if-values: /@NAME@\s*:=\s*case\((.*)\)/ ==> @case ## ${CASE}
part if-values: /case\([^()]*,.*\)/ ## ${CASE}
step test-and: /test\(((?:[^()]|\([^()]*\))+?)\s*(?:\sand\s|&&)\s*((?:[^()]|\([^()]*\))+)\)/ ==> test($1) | test($2) ## Write test(a > 5) or test(b > 5).
part test-and: /test\((?:[^()]|\([^()]*\))+?(?:\s(?:and|or)\s|&&|\|\|).*\)/ ## Write test(a > 5) or test(b > 5).
part split-index: /split\(\s*@NAME@\s*,[^()]*\)\s*\[(\d+)\]/ ## Write splitString($1, by="/", index=$2).
part split-index: /split\(\s*@NAME@[^()]*\)\s*\[.*?\]/ ## Write regex(".*[/\\\\](?<name>.+)", field=$1).
part ternary: /[\w.]+\s*:=\s*\S.*\s\?\s.*\s:\s.*/ ## Write field := if(a == b, then=1, else=2).
step time-words: /(?:last|past)\s+(\d+\s?(?:ms|s|m|h|d|w))/ ==> setTimeInterval(start=$1) ## ${TIME}
clause time-words: /(?:last|past|since)\s+\d+\s*[a-z]+(?:\s+ago)?/ ## ${TIME}
test numbers-range: /((?!in\b)[A-Za-z_@#][\w.@#]*)(?:\s*[=:]\s*|\s+in\s+|\s+)(\d+)\.\.(\d+)(?![^\s)])/ ==> $1 >= $2 $1 <= $3 ## Write field >= 1 field <= 5.
test status-class: /((?:[\w.]*_)?status(?:_?code)?)\s*[=:]\s*([1-5])xx(?![^\s)])/ ==> $1=/\A$2..\z/ ## Write status=/\A4..\z/.
test word-operator: /((?:log)?level|severity|(?:status|host|service|method)(?=\s+n?e))\s+(?:is|equals|eq|(is\s+not|ne))\s+(?!not\b|null\b|missing\b)("[^"]*"|'[^']*'|[\w*.-]+)/ ==> @equal ## Write field=value.
test word-operator: /(\w*(?:event|process|logon|user|_)id|(?:\w*_)?status|\w*(?:exit|status|error|_)code)\s+not\s+(\d+)(?![^\s)])/ ==> $1!=$2 ## Write field!=value.
test script-method: /([A-Z]\w*)\.length\s*([<>]=?)\s*(\d+)/ ==> @length ## Write test(length(field) > 5).
test script-method: /@NAME@\.(includes|contains|startsWith|endsWith)\(\s*@TEXT@\s*\)/ ==> @compared ## Write field="*text*".
test script-call: /(?=(?:contains|starts_?with|ends_?with)\(\s*@NAME@)(\w+)\([^,]*,\s*@TEXT@\s*\)/ ==> @compared ## Write field="*text*".
test script-call: exists({field}) ==> {field}=*
test script-call: /([A-Za-z_@#]\w*)\s+(not\s+)?exists(?![^\s)])/ ==> @exists
step script-call: dedup({field}) ==> groupBy({field}, function={field.newest})
step script-call: %(where|filter)%({filter}) ==> {filter.own}
step script-call: limit({count}) ==> {count.first}
step script-call: first({count}) ==> head({count})
step script-call: last({count}) ==> tail({count})
step script-call: distinct({field}) ==> groupBy({field}, function=[])
step aggregate-list: /((?:\w+\([^()]*\),\s*)+\w+\([^()]*\))/ ==> stats([$1]) ## Write stats([count(), avg(field)]).
part percentile: /p(?:erc)?(\d\d)\(\s*@NAME@\s*\)/ ==> percentile($2, percentiles=[$1]) ## Write percentile(field, percentiles=[95]).
part round-digits: /round\(\s*([^()=]+?)\s*,\s*([1-9])\s*\)/ ## Write x := $1 | x := format("%.$2f", field=x).
step count-if: countif({filter}) ==> {filter.own} | count()
step count-if: count(eval({filter})) ==> {filter.own} | count()
step count-if: /count\(\s*([\w.@#]+\s*(?:[<>]=?|[=!]=)[^()=,]+)(?:,\s*(as=\w+)\s*)?\)/ ==> $1 | count($2) ## Write status >= 500 | count(as=n).
part count-if: /count(?:(?:if|\(\s*eval)\(|\((?=[\w.@#\s]+(?:[<>]|[=!]=)))([^(),]*)(?:,\s*as=\w+\s*)?\)(?:(?<=eval\([^()]*\))\s*\))?/ ## Write groupBy(key, function=[{ $1 | count(as=n) }, count()]).
test regex-match: {field} %(~|~=)% {regex} ==> {field}={regex}
test regex-match: {field} !~ {regex} ==> {field}!={regex}
test regex-match: /@NAME@\s*!~\s*@TEXT@/ ==> @differs ## Write field!=/text/.
test regex-match: {field} ~ {text} ==> {field}={text.regex}
test regex-match: /(?<![^\s(])@NAME@\s?~\s?([A-Za-z_]\w*)(?![^\s)])/ ==> $1=/$2/ ## Write field=/text/.
part searched-as: /(?<=(?:=\s*\/[^\/]+\/\w*|\w\([^()]*\))\s+)as\s+(\w+)/ ## Write $1 := count(), or /(?<$1>text)/ to extract it.
part sql-percent: /(?<!\S)%([A-Za-z]\w*)%(?!\S)/ ==> *$1* ## Write *text*.
test regex-flags: /@NAME@\s*=\s*("[^"]*"|[\w.-]+\/)i(?![^\s)])/ ==> @anyCase ## Write field=/text/i.
test regex-flags: /@NAME@\s*=\s*i("[^"]*")(?![^\s)])/ ==> @anyCase ## Write field=/text/i.
test star-outside: /@NAME@\s*(!?=)\s*(?=\*"|"[^"]*"\*)(\*?)"([^"]*)"(\*?)(?![^\s)])/ ==> $1$2"$3$4$5" ## Write field="*text*".
part regex-flags: /\(\?i\)\s*\S*/ ## Write /text/i.
test subnet: /(?<!,\s*)@NAME@\s*(!?)[=:]\s*@SUBNET@(?![^\s)])/ ==> $2cidr($1, subnet="$3") ## Write cidr(ip, subnet="10.0.0.0/8").
test alternatives: /(?<!,\s*|\b(?!not\()\w+\()([\w.@#]+)(!?)[=:]((?!(?<!(?:status|code|port|id)!?[=:])\d+,)[\w-]+(?:,[\w-]+)+)(?![^\s)])/ ==> @listed ## Write in(field, values=[a, b]).
part wildcard-words: /([\w.@#]+)\s?=\s?(\*[\w.-]+(?:\s+(?!and\b|or\b|not\b)[\w.-]+)*\s+(?!and\b|or\b|not\b)[\w.-]+\*)(?!\S)/ ==> $1="$2" ## Write field="*two words*".
mark and-mark: && ## Write and.
mark and-mark: /(?<=\S\s)&(?=\s\S)/ ## Write and.
`;

/** Values without the name of their parameter, which are read as further fields. */
const CALL_ROWS = String.raw`
call sort-order: /sort\(\s*@NAME@\s*,?\s*(asc|desc)\s*\)/ ==> sort($1, order=$2) ## Write sort(field, order=desc).
call sort-order: /sort\(\s*@NAME@\s*,\s*("[^"]*")\s*\)/ ==> @order ## Write sort(field, order=desc).
call sort-order: sort(-{field}) ==> sort({field}, order=desc)
call unnamed-limit: top({field}, {count}) ==> top({field}, limit={count})
call unnamed-limit: sort({field}, {count}) ==> sort({field}, limit={count})
call unnamed-limit: top({count}) ## Write top(field, limit=10).
call percentile-range: /percentile\([^()]*\bpercentiles\s*=\s*\[?\s*0?\.\d.*/ ## Write percentile(field, percentiles=[95]).
call unnamed-span: /(?:(timeChart)\(\s*|(bucket)\(\s*(?:_time|@?timestamp)\s*,\s*)("[^"]*"|\d+(?:ms|s|m|h|d|w))(?=\s*[,)])/ ==> @span ## Write timeChart(span=5m).
call unnamed-function: groupBy({field}, count) ==> groupBy({field}, function=count())
call fields-in-quotes: /(groupBy|select|table|drop)\(\s*("[^"]*")\s*\)/ ==> @fields ## Write groupBy([a, b]).
call unnamed-values: /in\(\s*@NAME@\s*,\s*([^()=[\]]+)\)/ ==> in($1, values=[$2]) ## Write in(field, values=[a, b]).
`;

/** CloudWatch, Elastic. */
const OTHER_ROWS = String.raw`
query insights-parse: /parse\s+@NAME@\s+(?:@TEXT@\s+as\s|\/).*/ ## Write regex("user=(?<user>[^ ]+)", field=$1).
query insights-fields: /(fields\s[^|]*?)\s*\|\s*(filter\s[^|]*?(?:\s*\|\s*filter\s[^|]*?)*)\s*(\|.*)?/ ==> $2 | $1 $3
step insights-filter: filter {filter} ==> {filter}
query eql: /sequence\s+(?:by\s+@NAME@)?.*/ ## Set sequence=true in correlate(a: { filter }, b: { filter | $1 <=> a.$1 }, within=5m).
query eql: /(?:process|file|network|registry|dns|library|driver|any)\s+(?:by\s|where\s).*/ ## Write field=value other=/\Avalue\z/i.
`;

export const OTHERS = mistakesOf('CloudWatch or Elastic', OTHER_ROWS);
/** `field.startsWith("text")` */
const compared: Writer = ([field, verb = '', text = '']) =>
  `${field}=${comparand(text, verb.toLowerCase().replace('_', '') as Comparing)}`;

export const JQ = mistakesOf('jq', JQ_ROWS, {
  compared,
  select: ([condition = ''], { filter }) => filter(condition, SELECT),
  // Nothing is less than null, and everything else is greater.
  compare([field, operator = '', value = '']) {
    if (value === 'null') return { '==': `${field}!=*`, '!=': `${field}=*` }[operator] ?? '';
    if ((isUnusual(value) || value.startsWith('.')) && /^[=!]/.test(operator)) return '';
    const filter = `${field} ${operator.replace('==', '=')} ${exactly(value)}`;
    return operator.startsWith('<') ? `${filter} or ${field}!=*` : filter;
  },
});
export const SHELL = mistakesOf('a shell command', SHELL_ROWS);
export const CALLS = mistakesOf('a list of fields here', CALL_ROWS, {
  order: ([field, text = '']) =>
    /^"(?:asc|desc)"$/i.test(text) ? `sort(${field}, order=${text.slice(1, -1)})` : undefined,
  // A series can have any name.
  span: ([chart = '', bucket = '', text = '']) =>
    readDuration(text.replaceAll('"', '')) === undefined ? undefined : `${chart}${bucket}(span=${text}`,
  fields: ([name, text = '']) =>
    /^"\w+(?:,\s*\w+)+"$/.test(text) ? `${name}([${text.slice(1, -1)}])` : undefined,
});
export const SCRIPT = mistakesOf('syntax of another language', SCRIPT_ROWS, {
  compared,
  differs: ([field, text = ''], { dialect }) =>
    dialect?.isExact ? undefined : `${field}!=${equalOrRegex(text)}`,
  // In lower case, it is a field of many schemas.
  length: ([field = '', operator, number]) =>
    /^[A-Z]/.test(field) ? `test(length(${field}) ${operator} ${number})` : undefined,
  anyCase: ([field, value = '']) => `${field}=${anyCase(value.replace(/\/$/, ''))}`,
  case: ([field, text], context) => caseOf(field, text, context, OWN),
  // Elsewhere, they are free words.
  exists: ([field = '', not]) =>
    /[a-z][A-Z]|\w_\w|^[@#]/.test(field) ? `${field}${not ? '!' : ''}=*` : undefined,
  equal: ([field, not, value = '']) => `${field}${not ? '!' : ''}=${value.replaceAll("'", '"')}`,
  listed: ([field, not, values = '']) => `${not}in(${field}, values=[${values.split(',').join(', ')}])`,
});

/** Has to be last: a condition of a script has the same form. */
export const ASSIGNMENTS = mistakesOf(
  'a comparison here',
  String.raw`part assignment: /([A-Za-z_][\w.]*)\s*(?<![!<>:=])=(?![~=])\s*([\w.]+(?:\s+[*+÷-]\s+[\w.]+)+)/ ==> $1 := $2 ## Write field := a + b.`,
);

export const TYPOGRAPHY = mistakesOf(
  'not a comment: the words of its line are searched for',
  String.raw`
part curly-quotes: /[\u201c\u201e\u2018]([^\u201c\u201d\u201e\u2018\u2019"\n]{0,200})[\u201d\u2018\u2019]/ ==> "$1" ## Write "text".
part comment: /(?<!\S)(?:#|--)(?=[ \t]+\S)/ ==> // ## Write // at the start of a comment.
`,
);
