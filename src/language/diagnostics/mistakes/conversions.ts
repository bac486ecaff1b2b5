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

/** A query with the names of the fields that every event of Splunk has. */
function withKnownFields(text: string): string {
  return replaceOutside(text, /(?<![\w.@#:])(?:_time|_raw)(?![\w.(])/g, known);
}

/** `a`, or `[a, b]` for several names. */
export function fieldList(names: string): string {
  const [first = '', ...others] = splitNames(names);
  return others.length === 0 ? first : fieldArray(names);
}

export function fieldArray(names: string): string {
  return `[${splitNames(names).join(', ')}]`;
}

/** The parts of a query between separators that are in no string and no bracket. */
function splitOutside(text: string, separator: RegExp): string[] {
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
  const marks = replaceOutside(
    withKnownFields(withDoubleQuotes(text)),
    /===?|!==|<>|&&|\|\|/g,
    (mark) => FILTER_MARKS[mark]!,
  );
  const filter = marks.replace(/ {2,}(and|or) {2,}/g, ' $1 ');
  const alternatives = splitOutside(filter, /\sor\s/);
  if (alternatives.length === 1) return filter;
  return alternatives.map((one) => (splitOutside(one, /\sand\s/).length > 1 ? `(${one})` : one)).join(' or ');
}

/** A value in an expression. `.` joins text in SPL. */
export function toExpression(text: string): string {
  const value = withKnownFields(withDoubleQuotes(text));
  const parts = splitOutside(value, /\s\.\s|\.(?=")/).flatMap((part) => splitOutside(part, /(?<=")\s*\./));
  return parts.length === 1 ? value : formatted(parts);
}

/** `host, "-", level` as `format("%s-%s", field=[host, level])`; empty if a part is no field and no text. */
export function formatted(values: string | readonly string[]): string {
  const parts = typeof values === 'string' ? splitOutside(withDoubleQuotes(values), /,/) : values;
  const isText = (part: string) => part.startsWith('"');
  if (!parts.every((part) => isText(part) || /^[\w.@#[\]]+$/.test(part))) return '';
  const fields = parts.filter((part) => !isText(part));
  const pattern = parts
    .map((part) => (isText(part) ? part.slice(1, -1).replaceAll('%', '%%') : '%s'))
    .join('');
  return `format("${pattern}", field=[${fields.join(', ')}])`;
}

/** Functions of other languages, as functions of this one. */
const AGGREGATES: readonly (readonly [typed: RegExp, write: string])[] = [
  [/^(?:c|count)(?:\([*1]?\))?$/i, 'count()'],
  [
    /^(?:(?:dc|distinct_count|dcount|count_distinct)\(|count\(distinct )([\w.@#]+)\)$/i,
    'count($1, distinct=true)',
  ],
  [/^(?:mean|average)\(([\w.@#]+)\)$/i, 'avg($1)'],
  [/^median\(([\w.@#]+)\)$/i, 'percentile($1, percentiles=[50])'],
  [/^(?:p|perc|percentile|quantile)(\d+)\(([\w.@#]+)\)$/i, 'percentile($2, percentiles=[$1])'],
  [/^percentile\(([\w.@#]+), (\d+)\)$/i, 'percentile($1, percentiles=[$2])'],
  [/^std(?:d?ev)\(([\w.@#]+)\)$/i, 'stdDev($1)'],
  [/^(?:values|list|make_set|make_list|array_agg)\(([\w.@#]+)\)$/i, 'collect($1)'],
  [/^(?:latest|last)\(([\w.@#]+)\)$/i, 'selectLast($1)'],
  [/^(count|sum|avg|min|max|range)\(([\w.@#]+)\)$/i, '$1($2)'],
];

/** `count`, `count(*) as n`, `n=dc(host)` as functions of this language; empty if one is unknown. */
export function aggregates(text: string): string {
  const spaced = replaceOutside(withKnownFields(withDoubleQuotes(text)), /\s*,\s*/g, () => ', ');
  const calls = splitOutside(spaced, /,/)
    .flatMap((part) => part.split(/(?<=\)|^\w+|\sas\s+\w+)\s+(?!as\b)(?=\w)/i))
    .filter((part) => part !== '')
    .map(aggregate);
  if (calls.includes('')) return '';
  return calls.length > 1 ? `[${calls.join(', ')}]` : (calls[0] ?? '');
}

function aggregate(text: string): string {
  const [, name, body = text] = /^(\w+)\s*=\s*(\w+\(.*\))$/s.exec(text) ?? [];
  const [, typed = '', as = name] = /^(.*?)(?:\s+as\s+"?(\w+)"?)?$/is.exec(body) ?? [];
  const [pattern, write = ''] = AGGREGATES.find(([one]) => one.test(typed)) ?? [];
  const call = pattern === undefined ? '' : typed.replace(pattern, write).replace(/^\w+/, lowerFirst);
  if (as === undefined || call === '') return call;
  return `${call.slice(0, -1)}${call.endsWith('()') ? '' : ', '}as=${as})`;
}

function lowerFirst(name: string): string {
  return /^[A-Z]+$/.test(name) ? name.toLowerCase() : name;
}

/** `groupBy()` or, for a key such as `bin(time, 5m)`, `bucket()`; empty if there is no equivalent. */
export function groupCall(functions = '', keys = ''): string {
  const calls = aggregates(functions);
  const [bin, span = ''] = /\b(?:bin|bin_at|span)\(\s*[\w.@]+\s*,\s*(\w+)\s*\)/i.exec(keys) ?? [];
  const others = splitNames(keys.replace(bin ?? '', ''));
  if (calls === '' || others.some((name) => !/^[\w.@#]+$/.test(name) || name === '@timestamp')) return '';
  const field = others.length === 0 ? '' : fieldList(others.join(' '));
  if (bin === undefined) return field === '' ? '' : `groupBy(${field}, function=${calls})`;
  return `bucket(${[`span=${span}`, field && `field=${field}`, `function=${calls}`].filter(Boolean).join(', ')})`;
}

/** A pattern of `LIKE`, in which `%` is any text; empty if it has `_`, which is any character. */
export function like(text: string): string {
  return text.includes('_') ? '' : quoted(text.slice(1, -1).replaceAll('%', '*'));
}

/** `=~` compares without case in KQL, and matches a regex elsewhere. */
export function equalOrRegex(text: string): string {
  const inner = text.slice(1, -1).replaceAll('/', '\\/');
  return /[.*+?^$|()[\]\\]/.test(inner) ? `/${inner}/` : `/^${inner}$/i`;
}
