import {
  aggregates,
  CAST,
  fieldArray,
  fieldList,
  groupCall,
  isNames,
  listed,
  sortCall,
  splitOutside,
  TYPE,
  written,
} from './conversions.ts';
import { type Dialect, WHERE, type WriteContext } from './dialect.ts';
import { CASE, mistakesOf } from './mistake.ts';
import { comparand, contentOf, exactly, like, oneOf } from './strings.ts';

const SELECT = 'Write filter | groupBy(key, function=count()) | sort(_count, limit=10).';
const UNION = 'Write one query, with "or" between the filters.';
const NO_JOIN = 'Write join({ other query }, field=key, include=a) or match(file="lookup.csv", field=key).';

const ROWS = String.raw`
step sql-select: /select\s+(distinct\s+)?((?:(?!\bfrom\b).)+?)(?:\s+from\s+[\w.-]+)?(?:\s+where\s+(.+?))?(?:\s+group\s+by\s+(.+?))?(?:\s+having\s+(.+?))?(?:\s+order\s+by\s+(.+?))?(?:\s+limit\s+(\d+))?;?/ ==> @select ## ${SELECT}
step sql-join: /select\s.*\sjoin\s.*/ ## ${NO_JOIN}
step sql-select: /select\s+\S.*/ ## ${SELECT}
clause sql-group-by: group by {fields} ==> groupBy({fields})
step sql-group-by: /group\s+by\s+\S.*\bhaving\s.*/ ## Write groupBy(key, function=count()) | _count > 5.
clause sql-group-by: /group\s+by\s+\S.*\(.*/ ## Write bucket(span=5m, field=key).
clause sql-order-by: order by count(*) desc ==> sort(_count, order=desc, limit=max)
clause sql-order-by: /order\s+by\s+((?:(?!limit\b)[\w.@#]+(?:\s+(?:asc|desc))?\s*,?\s*)+)(?:limit\s+(\d+))?/ ==> @sort ## Write sort([a, b], order=[asc, desc]).
clause sql-limit: %(limit|fetch first)% {count}%( rows only|)% ==> {count.first} ## Write tail(10), or top(field, limit=10).
clause sql-limit: /limit\s+\d+\s*(?:offset\s+|,\s*)\d+|offset\s+\d+/ ## Write sort(field, limit=100): rows can't be skipped.
step sql-having: having {filter} ==> {filter}
step where: where {filter} ==> {filter}
query sql-statement: /(?:show\s+(?:tables|columns|fields)\b.*|describe\s+[\w.]+)/ ## Write fieldset().
step sql-join: /(?:inner|left|outer|full|cross)\s+join\s+\S.*/ ## ${NO_JOIN}
pipe sql-union: /(?:union\s+(?![<>=!:])|append(?:pipe|cols)?\s*\[).*/ ## ${UNION}
part sql-count-distinct: count(distinct {field}) as {field2} ==> count({field}, distinct=true, as={field2})
part sql-count-distinct: /count\(\s*distinct(?:\s*\(\s*@NAME@\s*\)|\s+@NAME@)\s*\)/ ==> count($1$2, distinct=true) ## Write count(field, distinct=true).
part sql-as: /count\((?:\*|1)?\)\s+as\s+(\w+)/ ==> count(as=$1) ## Write count(as=n).
part sql-as: /(count|sum|avg|min|max)\(\s*([\w.@#]+)\s*\)\s+as\s+"?(\w+)"?/ ==> $1($2, as=$3) ## Write count(as=n).
part sql-cast: /[\w.@#]+\s*=\s*(?:${CAST})/ ## Write a := b or test(a == b).
part sql-cast: /(?<!(?:[<>!]|==)[=>]?\s*)(?:([\w.@#]+)::${TYPE}|cast\(\s*([\w.@#]+)\s+as\s+\w+\s*\))(?!\s*[<>=!]+\s*(?:${CAST}))/ ==> $1$2 ## Write the field alone: values are numbers if possible.
test sql-cast: /(?:(?:${CAST})\s*[<>=!]+|[\w.@#]+\s*(?:[<>!]|==)[=>]?\s*(?:${CAST}))/ ## Write test(a == b).
test subnet: /@NAME@\s+in\s*\(?\s*@SUBNET@(?:(?<=in\s*\(\s*[\d.\/]+)\s*\))?/ ==> cidr($1, subnet="$2") ## Write cidr(ip, subnet="10.0.0.0/8").
test is-not-null: /@NAME@(?:\s+is\s+not\s+(?:null|missing)|\s*(?:!=|<>)\s*null)\b/ ==> $1=* ## Write field=*.
test is-null: /@NAME@(?:\s+is\s+null|\s*==?\s*null)\b/ ==> $1!=* ## Write field!=*.
test sql-in: /@NAME@\s+(not\s+|!\s*)?in(~?)\s*[[(]([^()[\]]*)[\])]/ ==> @in ## Write in($1, values=[a, b]).
test not-between: {field} not between {number} and {number2} ==> {field} < {number} or {field} > {number2}
test between: {field} between {number} and {number2} ==> {field} >= {number} {field} <= {number2}
test between: {field} between {time} and {time2} ==> {field} >= {time} {field} <= {time2}
test sql-like: /@NAME@\s+not\s+like\s+(@TEXT@|\/[^\/\n]+\/[a-z]*)/ ==> @unlike ## Write field!=*text*.
test sql-like: /([\w.@#]+)\s+like\s+("[^"]*"|'[^']*')/ ==> @like ## Write field="*text*".
test sql-like: like({field}, {text}) ==> {field}={text.like}
test sql-ilike: {field} ilike {text} ==> {field}={text.ilike}
test sql-regexp: {field} %(regexp|rlike)% {text} ==> {field}={text.regex}
test sql-regexp: /@NAME@\s+similar\s+to\s/ ## Write field=/text/.
test sql-lower: /(?:to_?)?(lower|upper|lcase|ucase)\(\s*@NAME@\s*\)\s*==?\s*(@?"[^"]*"|@?'[^']*'|[A-Za-z][\w-]*(?![\w.(]))/ ==> @lower ## Write $2=/\Avalue\z/i: $1() returns no such letters.
test sql-lower: like(lower({field}), {text}) ==> {field}={text.lowered}
test sql-lower: lower({field}) like {text} ==> {field}={text.lowered}
test sql-lower: match(lower({field}), {text}) ==> {field}={text.matched}
test sql-length: strlen({field}) < {number} ==> test(length({field}) < {number}) or {field}!=*
step sql-case: /[\w.@]+\s*:=\s*case\s+when\s+\S.*/ ## ${CASE}
`;

export const SQL = mistakesOf('SQL', ROWS, {
  select: selectQuery,
  sort: ([keys = '', limit]) => sortCall(keys, 'asc', limit),
  in: ([field = '', not = '', tilde, values = ''], { dialect }) => {
    // In a filter of this language, as in a search of SPL, "*" is any text.
    const arePatterns = dialect?.isExact !== true;
    const ignoresCase = dialect?.ignoresCase === true || tilde === '~';
    const all = listed(values);
    // Elsewhere, a word is a column.
    const isColumn = (one: string) => dialect?.isExact === true && /^(?!true$|false$)[A-Za-z_]/i.test(one);
    const filter = all.some(isColumn) ? '' : oneOf(field, all, { not: not && '!', ignoresCase, arePatterns });
    return filter !== '' && /^not/i.test(not) ? `${filter} ${field}=*` : filter;
  },
  // A string in the other case is never equal.
  lower: ([name = '', field, text = ''], { dialect }) => {
    // Elsewhere, a word is a column.
    if (/^\w/.test(text) && dialect?.isExact === true) return undefined;
    const content = contentOf(text);
    const changed = /^l/i.test(name) ? content.toLowerCase() : content.toUpperCase();
    return content === changed ? `${field}=${comparand(text, 'equals', true)}` : '';
  },
  // In CloudWatch, it is a regex or a part of the text.
  unlike: ([name = '', text = ''], { dialect }) => {
    const field = written(name);
    const isPart = text.startsWith('"') && !text.includes('%') && !dialect?.matchesAll;
    const part = isPart ? comparand(text, 'contains') : pattern(text, dialect);
    const value = text.startsWith('/') ? text : part;
    return value && `${field}!=${value}${field === '@rawstring' ? '' : ` ${field}=*`}`;
  },
  // With double quotes and without "%", it is valid.
  like: ([field, text = ''], { dialect }) =>
    dialect?.matchesAll || /%|^'/.test(text) ? `${field}=${pattern(text, dialect)}` : undefined,
});

const pattern = (text: string, dialect?: Dialect) =>
  dialect?.matchesAll ? exactly(contentOf(text)) : like(text);

const CALL = /\b(count|sum|avg|min|max)\([^()]*\)/gi;

/** A whole SELECT as steps; empty if a part of it has no equivalent. */
function selectQuery(
  [distinct, columns = '', where, group, having, order, limit]: readonly (string | undefined)[],
  context: WriteContext,
): string {
  const steps: string[] = [];
  const add = (part: string, step: string): void => {
    if (step === '') context.fail?.(part);
    steps.push(step);
  };
  if (where !== undefined) add(`WHERE ${where}`, context.filter(where, WHERE));
  const parts = splitOutside(columns, /,/).map((part) => part.replace(/\)\s+(?="?\w+"?$)/, ') as '));
  const keys = parts.filter((part) => !part.includes('(') && part !== '*').join(', ');
  const read = `${having ?? ''} ${order ?? ''}`.match(CALL) ?? [];
  const others = read.filter((call) => !columns.toLowerCase().includes(call.toLowerCase()));
  const calls = [...parts.filter((part) => part.includes('(')), ...new Set(others)].join(', ');
  const isGrouped = group !== undefined || calls !== '' || distinct !== undefined;
  const groups = group ?? (distinct && keys) ?? '';
  // Other keys than those of the rows would need a join.
  if (!isNames(keys) || (isGrouped && sorted(groups) !== sorted(keys))) add(columns, '');
  else if (isGrouped) add(columns, groupedBy(keys, calls));
  if (having !== undefined) add(`HAVING ${having}`, context.filter(outputNames(having, parts), WHERE));
  const sort = order === undefined ? '' : sortCall(outputNames(order, parts), 'asc', limit);
  if (order !== undefined) add(`ORDER BY ${order}`, sort);
  else if (limit !== undefined && !isGrouped) add(`LIMIT ${limit}`, context.rows('first', limit));
  else if (limit !== undefined && keys !== '') steps.push(sortCall(keys, 'asc', limit));
  if (others.length > 0) steps.push(`drop([${outputNames([...new Set(others)].join(', '), parts)}])`);
  if (!isGrouped && keys !== '') steps.push(`select(${fieldArray(keys)})`);
  return steps.includes('') ? '' : steps.join(' | ') || '*';
}

function groupedBy(keys: string, calls: string): string {
  if (calls === '') return `groupBy(${fieldList(keys)}, function=[])`;
  return keys === '' ? aggregates(calls) : groupCall(calls, keys);
}

const sorted = (names: string) => splitOutside(names, /,/).sort().join();

/** `count(*)` and `avg(ms)` of an aggregate, as the names of its fields. */
function outputNames(text: string, columns: readonly string[]): string {
  return text.replace(CALL, (call, name: string) => {
    const column = columns.find((one) => one.toLowerCase().startsWith(`${call.toLowerCase()} as `));
    return column?.slice(call.length + 4).trim() ?? `_${name.toLowerCase()}`;
  });
}
