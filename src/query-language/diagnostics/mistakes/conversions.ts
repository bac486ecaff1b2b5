import { replaceOutside, withDoubleQuotes } from '../masked-text.ts';

/** The content of a string in double quotes. */
export function quoted(content: string, original = ''): string {
  return original.startsWith('"') ? original : `"${content.replaceAll('"', '\\"')}"`;
}

function splitNames(names: string): string[] {
  return names
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .map(known);
}

/** Fields that every event of Splunk has. */
export function known(name: string): string {
  return { _time: '@timestamp', _raw: '@rawstring' }[name] ?? name;
}

/** `a`, or `[a, b]` for several names. */
export function fieldList(names: string): string {
  const [first = '', ...others] = splitNames(names);
  return others.length === 0 ? first : fieldArray(names);
}

export function fieldArray(names: string): string {
  return `[${splitNames(names).join(', ')}]`;
}

/** The parts of a text between separators that are in no string and no bracket. */
export function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  const marks = new RegExp(`[([{]|[)\\]}]|${separator.source}`, 'gi');
  replaceOutside(withDoubleQuotes(text), marks, (found, index) => {
    if (/^[([{]$/.test(found)) depth += 1;
    else if (/^[)\]}]$/.test(found)) depth -= 1;
    else if (depth === 0) {
      parts.push(text.slice(start, index));
      start = index + found.length;
    }
    return found;
  });
  return [...parts, text.slice(start)].map((part) => part.trim());
}

const FILTER_MARKS: Readonly<Record<string, string>> = {
  '===': '=',
  '==': '=',
  '!==': '!=',
  '<>': '!=',
  '&&': ' and ',
  '||': ' or ',
};

/** A condition as a filter. Elsewhere `and` binds tighter than `or`, which takes parentheses here. */
export function toFilter(text: string): string {
  const marks = replaceOutside(withDoubleQuotes(text), /===?|!==|<>|&&|\|\|/g, (mark) => FILTER_MARKS[mark]!);
  const filter = marks.replace(/ {2,}(and|or) {2,}/g, ' $1 ');
  const alternatives = splitOutside(filter, /\sor\s/);
  if (alternatives.length === 1) return filter;
  return alternatives.map((one) => (splitOutside(one, /\sand\s/).length > 1 ? `(${one})` : one)).join(' or ');
}

/** A value in an expression. */
export function toExpression(text: string): string {
  const value = withDoubleQuotes(text);
  const parts = splitOutside(value, /\s\.\s|\.(?=")/).flatMap((part) => splitOutside(part, /(?<=")\s*\./));
  return parts.length === 1 ? value : formatted(parts);
}

/** `host, "-", level` as `format("%s-%s", field=[host, level])`. */
export function formatted(parts: readonly string[]): string {
  const isText = (part: string) => part.startsWith('"');
  const fields = parts.filter((part) => !isText(part));
  const pattern = parts
    .map((part) => (isText(part) ? part.slice(1, -1).replaceAll('%', '%%') : '%s'))
    .join('');
  return `format("${pattern}", field=[${fields.join(', ')}])`;
}

/** `a, 1, b, 2, true(), 3` as clauses of a `case` that set a field. */
export function caseClauses(field: string, text: string): string {
  const values = splitOutside(text, /,/);
  const clauses: string[] = [];
  for (let place = 0; place + 1 < values.length; place += 2) {
    const condition = toFilter(values[place]!);
    const isElse = /^(?:true\(\)|true|1\s*=\s*1)$/i.test(condition);
    clauses.push(`${isElse ? '*' : condition} | ${field} := ${toExpression(values[place + 1]!)}`);
  }
  const hasElse = clauses.some((clause) => clause.startsWith('* |'));
  if (values.length % 2 === 1) clauses.push(`* | ${field} := ${toExpression(values.at(-1)!)}`);
  else if (!hasElse) clauses.push('*');
  return `case { ${clauses.join('; ')} }`;
}

/** `a == b, 1, 2` as a call of `if()`. */
export function ifCall(field = '', body = ''): string {
  const [condition = '', then = '', otherwise = '', ...others] = splitOutside(body, /,/);
  if (otherwise === '' || others.length > 0) return '';
  const isPlain = !/\b(?:and|or|not)\b|\w\(/i.test(condition);
  const written = isPlain
    ? replaceOutside(condition, /(?<![=!<>])=(?![=~])/g, () => '==')
    : `{ ${toFilter(condition)} }`;
  return `${field} := if(${written}, then=${toExpression(then)}, else=${toExpression(otherwise)})`;
}

/** Names of functions in other languages. The value is the call, with the argument in place of `$`. */
const AGGREGATES: Readonly<Record<string, string>> = {
  c: 'count()',
  dc: 'count($, distinct=true)',
  distinct_count: 'count($, distinct=true)',
  dcount: 'count($, distinct=true)',
  count_distinct: 'count($, distinct=true)',
  mean: 'avg($)',
  average: 'avg($)',
  median: 'percentile($, percentiles=[50])',
  stdev: 'stdDev($)',
  stddev: 'stdDev($)',
  values: 'collect($)',
  list: 'collect($)',
  make_set: 'collect($)',
  make_list: 'collect($)',
  array_agg: 'collect($)',
  latest: 'selectLast($)',
  last: 'selectLast($)',
};

/** `count`, `count(*) as n`, `n=dc(host)` as functions of this language; `undefined` if one is unknown. */
export function aggregates(text: string): string | undefined {
  const parts = splitOutside(
    replaceOutside(withDoubleQuotes(text), /\s*,\s*/g, () => ', '),
    /,/,
  )
    .flatMap((part) => part.split(/(?<=\)|^\w+|\s(?:as)\s+\w+)\s+(?!as\b)(?=\w)/i))
    .filter((part) => part !== '');
  const calls = parts.map(aggregate);
  if (calls.length === 0 || calls.includes(undefined)) return undefined;
  return calls.length === 1 ? calls[0] : `[${calls.join(', ')}]`;
}

function aggregate(text: string): string | undefined {
  const [, name = '', body = ''] = /^(\w+)\s*=\s*(\w+\(.*\))$/s.exec(text) ?? [];
  const found = /^(\w+)(?:\((.*)\))?(?:\s+as\s+"?(\w+)"?)?$/is.exec(
    name === '' ? text : `${body} as ${name}`,
  );
  if (found === null) return undefined;
  const [, written = '', inside = '', output] = found;
  const as = output === undefined ? '' : `as=${output}`;
  const argument = inside.trim().replace(/^(?:\*|1)$/, '');
  const rank = /^(?:p|perc|percentile|quantile)(\d+)$/i.exec(written)?.[1];
  const [, ranked = '', given] = /^([\w.@]+)\s*,\s*(\d+)$/.exec(argument) ?? [];
  if (rank !== undefined) return withOutput(`percentile(${argument}, percentiles=[${rank}])`, as);
  if (/^percentile$/i.test(written) && given !== undefined)
    return withOutput(`percentile(${ranked}, percentiles=[${given}])`, as);
  const condition = /^count$/i.test(written) ? /^eval\((.*)\)$/is.exec(argument)?.[1] : undefined;
  const counted = condition ?? (/^countif$/i.test(written) ? argument : undefined);
  if (counted !== undefined) return `{ ${toFilter(counted)} | count(${as}) }`;
  const distinct = /^distinct\s+([\w.@]+)$/i.exec(argument)?.[1];
  if (distinct !== undefined) return withOutput(`count(${distinct}, distinct=true)`, as);
  if (!/^[\w.@#]*$/.test(argument)) return undefined;
  const known = AGGREGATES[written.toLowerCase()];
  if (known !== undefined) return withOutput(known.replace('$', argument), as);
  return withOutput(`${written.toLowerCase()}(${argument})`, as);
}

function withOutput(call: string, as: string): string {
  if (as === '') return call;
  return `${call.slice(0, -1)}${call.endsWith('()') ? '' : ', '}${as})`;
}

/** `groupBy()` or, for a key such as `bin(time, 5m)`, `bucket()`. */
export function groupCall(functions: string, keys: string): string {
  const calls = aggregates(functions);
  const [bin, span = ''] = /\b(?:bin|bin_at|span)\(\s*[\w.@]+\s*,\s*(\w+)\s*\)/i.exec(keys) ?? [];
  const others = splitNames(keys.replace(bin ?? '', ''));
  if (calls === undefined || others.some((name) => !/^[\w.@#]+$/.test(name) || name === '@timestamp'))
    return '';
  const field = others.length === 0 ? '' : fieldList(others.join(' '));
  if (bin === undefined) return field === '' ? '' : `groupBy(${field}, function=${calls})`;
  return `bucket(${[`span=${span}`, field && `field=${field}`, `function=${calls}`].filter(Boolean).join(', ')})`;
}

/** `sort()` for `a desc, b`. */
export function sortCall(keys: string, limit = ''): string {
  const last = limit === '' ? ')' : `, limit=${limit})`;
  const parts = splitOutside(keys, /,/).map((part) => {
    const [, name = '', order = 'asc'] = /^(.*?)(?:\s+(asc|desc)(?:ending)?)?$/is.exec(part) ?? [];
    const output = /^(count|sum|avg|min|max)\(.*\)$/is.exec(name)?.[1];
    return { name: output === undefined ? name : `_${output.toLowerCase()}`, order: order.toLowerCase() };
  });
  if (parts.some(({ name }) => !/^[\w.@#]+$/.test(name))) return '';
  const [first] = parts;
  if (parts.length === 1) return `sort(${first!.name}, order=${first!.order}${last}`;
  return `sort([${parts.map(({ name }) => name).join(', ')}], order=[${parts.map(({ order }) => order).join(', ')}]${last}`;
}

/** `SELECT host, count(*) FROM logs WHERE level = 'error' GROUP BY host HAVING … ORDER BY … LIMIT 5`. */
export function selectQuery(text: string): string {
  const clauses = splitOutside(text, /\b(?:from|where|group\s+by|having|order\s+by|limit)\b/);
  const names = [...text.matchAll(/\b(?:from|where|group|having|order|limit)\b/gi)].map(([name]) =>
    name.toLowerCase(),
  );
  if (names.length + 1 !== clauses.length || /\b(?:join|union|offset|over)\b/i.test(text)) return '';
  const clause = (name: string) => clauses[names.indexOf(name) + 1] ?? '';
  const has = (name: string) => names.includes(name);
  const columns = clauses[0]!.replace(/^distinct\s+/i, '');
  const rows = rowsCall(columns, has('group') ? clause('group') : undefined, columns !== clauses[0]);
  const steps = [
    has('where') && toFilter(clause('where')),
    rows,
    has('having') &&
      replaceOutside(
        toFilter(clause('having')),
        /\b(?:count|sum|avg|min|max)\([^()]*\)/gi,
        (call) => `_${call.toLowerCase().replace(/\(.*/, '')}`,
      ),
    has('order') && sortCall(clause('order'), has('limit') ? clause('limit') : ''),
    has('limit') && !has('order') && `head(${clause('limit')})`,
  ];
  return rows === '' ? '' : steps.filter((step) => step !== false && step !== '*').join(' | ') || '*';
}

/** The step for the columns of `SELECT`; `*` for all events. */
function rowsCall(columns: string, keys: string | undefined, isDistinct: boolean): string {
  const parts = splitOutside(columns, /,/);
  const functions = parts.filter((part) => part.includes('('));
  const names = parts.filter((part) => !part.includes('(') && part !== '*');
  if (names.some((name) => !/^[\w.@#]+$/.test(name))) return '';
  if (isDistinct)
    return functions.length > 0 || names.length === 0
      ? ''
      : `groupBy(${fieldList(names.join(' '))}, function=[])`;
  if (keys !== undefined) return groupCall(functions.join(', ') || 'count()', keys);
  if (functions.length > 0 && names.length > 0) return groupCall(functions.join(', '), names.join(' '));
  if (functions.length > 0) return aggregates(functions.join(', ')) ?? '';
  return names.length === 0 ? '*' : `select(${fieldArray(names.join(' '))})`;
}

/** `=~` compares without case in KQL, and matches a regex elsewhere. */
export function equalOrRegex(text: string): string {
  const inner = text.slice(1, -1).replaceAll('/', '\\/');
  return /[.*+?^$|()[\]\\]/.test(inner) ? `/${inner}/` : `/^${inner}$/i`;
}
