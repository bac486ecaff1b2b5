import { readDuration } from '../../../core/duration.ts';
import { DAY_MS } from '../../../core/epoch.ts';
import { isFieldName } from '../../character-classes.ts';
import { maskPhrases, replaceOutside, spansBetween, withDoubleQuotes } from '../masked-text.ts';
import { WHERE, type WriteContext } from './dialect.ts';
import { known, timeField } from './times.ts';

function splitNames(names: string): string[] {
  return names
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .map(written);
}

/** The name of a field, in quotes where it needs them. */
export function written(name: string): string {
  return name.startsWith('"') || isFieldName(known(name)) ? known(name) : `"${name}"`;
}

/** The elements of `'a', b` or `a or b`; none if one is neither text nor a word. */
export function listed(values: string): readonly string[] {
  const elements = splitOutside(withDoubleQuotes(values), /,|\sor\s/);
  return elements.every((one) => /^(?:"[^"]*"|[^\s"'=<>]+)$/.test(one)) ? elements : [];
}

export const TYPE = String.raw`(?:(?:big|small)?int|integer|float|double|numeric|text|varchar|date|timestamp|bool(?:ean)?)\b`;
/** A conversion of a field. All values are text, and are compared as numbers where possible. */
export const CAST = String.raw`\b(?:to(?:int|long|double|real|decimal|number|string)\(\s*[\w.@#]+\s*\)|cast\(\s*[\w.@#]+\s+as\s+\w+\s*\))|[\w.@#]+::${TYPE}`;

/** A string without conversions to numbers: values are numbers if possible. */
function withoutCasts(text: string, before = ''): string {
  const cast = `(?<=${before})\\b(?:num|to(?:int|long|double|real|number))\\(\\s*([\\w.@#]+)\\s*\\)`;
  return text.replace(new RegExp(cast, 'gi'), '$1');
}

/** Keys such as `-ms`, `host asc, ms desc` as a call of `sort()` for all rows; empty for other keys. */
export function sortCall(keys: string, order: 'asc' | 'desc', limit = 'max'): string {
  const parts = splitOutside(withoutCasts(keys.trim()), /,/).flatMap((part) =>
    /\s(?:asc|desc)$/i.test(part) ? [part] : part.split(/\s+(?=[-+\w])(?<![-+]\s+)/),
  );
  const sorted = parts.map((part) => {
    const [, sign, name, word] =
      /^([-+]?)\s*("[^"]+"|(?!(?:asc|desc|nulls|first|last)$)[A-Za-z_@#][\w.@#-]*(?:\([\w.@#]+\))?)(?:\s+(asc|desc))?$/i.exec(
        part,
      ) ?? [];
    const own = word?.toLowerCase() ?? (sign === '-' ? 'desc' : order);
    return name === undefined ? undefined : { name: written(name), order: own };
  });
  if (!sorted.every((one) => one !== undefined)) return '';
  const [first, ...others] = sorted;
  const fields = others.length === 0 ? first!.name : `[${sorted.map(({ name }) => name).join(', ')}]`;
  const orders = others.length === 0 ? first!.order : `[${sorted.map((one) => one.order).join(', ')}]`;
  return `sort(${fields}, order=${orders}, limit=${limit === '0' ? 'max' : limit})`;
}

/** A string with the names that fields of all events have here. */
function withKnownFields(text: string): string {
  return replaceOutside(text, /(?<![\w.@#:])@?[A-Za-z_]\w*(?![\w.(])/g, known);
}

/** Whether the text is names of fields between commas, or empty. */
export function isNames(text: string): boolean {
  return text === '' || splitOutside(text, /,/).every((name) => /^[A-Za-z_@#][\w.@#-]*$/.test(name));
}

/** `a`, or `[a, b]` for several names. */
export function fieldList(names: string): string {
  const [first = '', ...others] = splitNames(names);
  return others.length === 0 ? first : fieldArray(names);
}

export function fieldArray(names: string): string {
  return `[${splitNames(names).join(', ')}]`;
}

/** A filter for events that have all fields: groups of SPL have no others. */
export function present(names: string): string {
  return splitNames(names)
    .map((name) => `${name}=*`)
    .join(' ');
}

/** The parts of a query between separators that are in no string and no bracket. */
export function splitOutside(text: string, separator: RegExp): string[] {
  return spansBetween(maskPhrases(text), separator).map(({ start, end }) => text.slice(start, end).trim());
}

/** Functions of other languages in expressions. All values are text, and are numbers where they can be. */
const VALUES: readonly (readonly [typed: RegExp, write: string])[] = [
  [/^tostring\(\s*([\w.@#]+)\s*\)$/i, '$1'],
  [/^(?:strlen|len)(?=\()/i, 'length'],
  [/^array_length\(([\w.@#]+)\)$/i, 'array:length($1[])'],
  [/^to(lower|upper)(?=\()/i, '$1'],
  // What separates is a regular expression here.
  [
    /^mvindex\(\s*split\(\s*([\w.@#]+)\s*,\s*("[\w ,;:/@=&%-]+")\s*\)\s*,\s*(\d+)\s*\)$/i,
    'splitString($1, by=$2, index=$3)',
  ],
];

const HOUR = /\bhourofday\(@timestamp\)|\btonumber\(strftime\(@timestamp,\s*"%H"\)\)/i;

/** A value in an expression. `.` joins text in SPL. */
export function toExpression(text: string, hasTimes = false): string {
  const known = withKnownFields(withDoubleQuotes(text)).replace(HOUR, 'time:hour()');
  // Without spaces, `%` is part of a name.
  const plain = replaceOutside(known, /\s*%\s*/g, () => ' % ');
  // Other languages calculate with seconds or spans. Here, lower("A") reads a field.
  if (!hasTimes && /.@timestamp|@timestamp(?:\W)|^\d+[a-z]+$|\b(?:lower|upper)\("/i.test(plain)) return '';
  const value = VALUES.reduce((all, [typed, write]) => all.replace(typed, write), withoutCasts(plain));
  // With text, "+" joins, unless a field is a number.
  if (value.includes('"') && splitOutside(value, /\+/).length > 1) return '';
  const parts = splitOutside(value, /\s\.\s|\.(?=")/).flatMap((part) => splitOutside(part, /(?<=")\s*\./));
  return parts.length === 1 ? value : formatted(parts);
}

/** Writes a step that assigns a value; empty if the value has no equivalent. */
type Assign = (field: string, value: string) => string;

/** `a = x, b = y` as steps; empty if one has no equivalent, or reads another where all are assigned at the same time. */
export function assigned(text: string, context: WriteContext, assign: Assign, isParallel = false): string {
  const pairs = splitOutside(text, /,/).map((part) => /^([\w.@#]+)\s*=(?!=)\s*(.+)$/s.exec(part) ?? []);
  const values = pairs.map(([, , value]) => value).join(' ');
  const isRead = pairs.some(([, name = '']) => new RegExp(`(?<![\\w.])${name}(?![\\w.(])`).test(values));
  const steps = pairs.map(
    ([, name = '', value = '']) =>
      name && (assignment(written(name), value, context, assign) || (context.fail?.(value) ?? '')),
  );
  return steps.includes('') || (isParallel && isRead && steps.length > 1) ? '' : steps.join(' | ');
}

function assignment(field: string, value: string, context: WriteContext, assign: Assign): string {
  const [, cases] = /^case\((.*)\)$/s.exec(value) ?? [];
  if (cases !== undefined) return caseOf(field, cases, context);
  const [, term, digits = '0'] = /^round\(((?:[^()]|\([^()]*\))+?)(?:,\s*(\d)\s*)?\)$/.exec(value) ?? [];
  const step = assign(field, term ?? value);
  if (term === undefined || step === '') return step;
  if (digits === '0') return `${step} | round(${field})`;
  return `${step} | case { ${field}=* | ${field} := format("%.${digits}f", field=${field}); * }`;
}

/** `a > 1, "b", true(), "c"` or `a > 1, "b", "c"` as `case { … }`; empty if a part has no equivalent. */
export function caseOf(field = '', text = '', context: WriteContext, dialect = WHERE): string {
  const parts = splitOutside(withDoubleQuotes(text), /,/);
  const clauses: string[] = [];
  for (const [index, value] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (index % 2 === 0 && !isLast) continue;
    const condition =
      index % 2 === 0 ? '*' : parts[index - 1]!.replace(/^(?:true(?:\(\))?|(\d) *==? *\1)$/i, '*');
    const filter = condition === '*' ? '*' : context.filter(condition, dialect).trim();
    if (filter === '' || !/^(?:"[^"]*"|-?\d+(?:\.\d+)?)$/.test(value)) return '';
    clauses.push(`${filter} | ${written(field)} := ${value}`);
  }
  // Without a condition that is true, there is no value.
  if (!clauses.at(-1)?.startsWith('* ')) clauses.push(`* | drop(${written(field)})`);
  return `case { ${clauses.join('; ')} }`;
}

/** `host, "-", level` as `format("%s-%s", field=[host, level])`; empty if a part is no field and no text. */
export function formatted(values: string | readonly string[]): string {
  const parts = typeof values === 'string' ? splitOutside(withDoubleQuotes(values), /,/) : values;
  const isText = (part: string) => part.startsWith('"');
  if (!parts.every((part) => isText(part) || /^[\w.@#[\]]+$/.test(part))) return '';
  const fields = parts.filter((part) => !isText(part)).map(known);
  // Other languages write a time as a date.
  if (fields.includes('@timestamp')) return '';
  const pattern = parts
    .map((part) => (isText(part) ? part.slice(1, -1).replaceAll('%', '%%') : '%s'))
    .join('');
  return `format("${pattern}", field=[${fields.join(', ')}])`;
}

/** An event for each element of a field, which has one value in events without an array. What was collected has lines. */
export function expanded(field = '', others: string, { filter }: WriteContext): string {
  const isArray = filter(`${field}[0]=*`, WHERE);
  return isArray === '' ? `split(${field})` : `case { ${isArray} | split(${field}); ${others} }`;
}

/** Functions of other languages, as functions of this one. */
const AGGREGATES: readonly (readonly [typed: RegExp, write: string])[] = [
  [/^(?:c|count)(?:\([*1]?\))?$/i, 'count()'],
  [
    /^(?:(?:dc|distinct_count|dcount|count_distinct)\(|count\(distinct )([\w.@#]+)\)$/i,
    'count($1, distinct=true)',
  ],
  [/^(?:mean|average)\(([\w.@#]+)\)$/i, 'avg($1)'],
  [/^st(?:d_?)?dev(?:p|_?(?:pop|samp))?\(([\w.@#]+)\)$/i, 'stdDev($1)'],
  [/^median\(([\w.@#]+)\)$/i, 'percentile($1, percentiles=[50])'],
  [/^(?:p|perc|percentile|quantile)(\d+)\(([\w.@#]+)\)$/i, 'percentile($2, percentiles=[$1])'],
  [/^percentiles?\(([\w.@#]+), (\d+(?:, \d+)*)\)$/i, 'percentile($1, percentiles=[$2])'],
  [/^(?:values|make_set)\(([\w.@#]+)\)$/i, 'collect($1, limit=1000000)'],
  [/^make_set\(([\w.@#]+), (\d+)\)$/i, 'collect($1, limit=$2)'],
  [/^earliest\(@timestamp\)$/i, 'min(@timestamp)'],
  [/^latest\(@timestamp\)$/i, 'max(@timestamp)'],
  [/^latest\(([\w.@#]+)\)$/i, 'selectLast($1)'],
  // A call of this language.
  [/^\w+\((?:[\w.@#]+, )?\w+=(?!=)[^()]+\)$/, '$&'],
  // Here, the least and the greatest are numbers.
  [
    /^(?!range\(@timestamp|m..\((?:level|severity|host|user|service|\w*name)\))(count|sum|avg|min|max|range)\(([\w.@#]+)\)$/i,
    '$1($2)',
  ],
];

/** `count`, `count(*) as n`, `n=dc(host)` as functions of this language; empty if one is unknown. */
export function aggregates(text: string, context?: WriteContext): string {
  const spaced = replaceOutside(withKnownFields(withDoubleQuotes(text)), /\s*,\s*/g, () => ', ');
  const calls = splitOutside(withoutCasts(spaced, '\\b(?:sum|avg|min|max|percentile)\\('), /,/)
    .flatMap((part) => part.split(/(?<=\)|^\w+|\sas\s+[\w@]+)\s+(?!as\b)(?=\w)/i))
    .filter((part) => part !== '')
    .map((part) => aggregate(part, context) || (context?.fail?.(part) ?? ''));
  // Alone, queries in braces leave out groups without rows.
  const isAlone =
    calls.every((call) => call.startsWith('{')) && calls.some((call) => call.includes(' | count('));
  const list = withNames(calls).join(', ');
  if (calls.includes('') || isAlone || SAME_FIELD.test(list)) return '';
  return calls.length > 1 || list.startsWith('{') ? `[${list}]` : list;
}

/** Two calls that keep the name of their field. */
const SAME_FIELD = /(?:^|, )(?:collect|selectLast)\(([\w.@#]+)[,)].*, (?:collect|selectLast)\(\1[,)]/;

/** A call with the usual name of its result. */
const UNNAMED = /^(\{.*\| )?((?!collect|select)\w+)\((?!.*as=)([\w.@#]*)/;

/** Two averages would have the same name. Names of counts with a condition are those of KQL. */
function withNames(calls: readonly string[]): readonly string[] {
  const parts = calls.map((call) => UNNAMED.exec(call) ?? []);
  let conditions = 0;
  return calls.map((call, place) => {
    const [, filter, name, field] = parts[place]!;
    const isAlone = parts.filter(([, , other]) => other === name).length < 2;
    if (isAlone || !(filter || field)) return call;
    if (filter) return `${named(call.slice(0, -2), `countif_${conditions++ || ''}`)} }`;
    return named(call, `${/distinct/.test(call) ? 'd' : ''}${name}_${field!.replace(/\W/g, '_')}`);
  });
}

function aggregate(text: string, context?: WriteContext): string {
  const [, name, body = text] = /^([\w@]+)\s*=\s*(\w+\(.*\))$/s.exec(text) ?? [];
  const [, typed = '', word, as = word ?? name] =
    /^(.*?)(?:\s+as\s+(?:"?([\w@]+)"?|("[^"]+")))?$/is.exec(body) ?? [];
  const [, condition = ''] =
    /^(?:count(?:if\(|\(\s*eval\()(.*?)|sum\((?:eval\()?iff?\((.*), 1, 0)\)+$/is
      .exec(typed)
      ?.filter(Boolean) ?? [];
  const filter = condition && context?.filter(condition, WHERE);
  if (filter) return `{ ${filter.trim()} | count(${as === undefined ? '' : `as=${as}`}) }`;
  const [pattern = /.*/s, write = ''] = AGGREGATES.find(([one]) => one.test(typed)) ?? [];
  const call = typed.replace(pattern, write).replace(/^[A-Z]+\b/, (name) => name.toLowerCase());
  if (as === undefined || call === '') return call;
  // The name of a percentile ends with its number, and others have no parameter for it.
  const [, rank] = /^percentile\(.*\[(\d+)\]\)$/.exec(call) ?? [];
  const [, field = rank && `_${rank}`] = /^(?:collect|selectLast)\(([^,)]*)/.exec(call) ?? [];
  if (field !== undefined) return `{ ${call} | rename(${field}, as=${as}) }`;
  return named(call, as);
}

/** A call with a name for its result. */
export function named(call: string, as: string): string {
  return `${call.slice(0, -1)}${call.endsWith('()') ? '' : ', '}as=${as})`;
}

/** {@link aggregates}, with a count of all events, and its removal, beside counts that would leave out groups without any. */
function countedAll(functions: string, context?: WriteContext): readonly [calls: string, removal: string] {
  const calls = aggregates(functions, context) || aggregates(`${functions}, count as _events`, context);
  return [calls, calls.includes('as=_events') ? ' | drop(_events)' : ''];
}

/** Aggregates of all events as steps. */
export function summary(functions: string, context?: WriteContext): string {
  return countedAll(functions, context).join('');
}

/** A key that is the start of a span of time. */
export const BIN =
  /(?:([\w@]+)\s*=\s*)?\b(?:bin|bin_at|span|startofday)\(\s*([\w.@]+)\s*(?:,\s*(\w+)\s*)?\)/i;

/** {@link present} for the keys of {@link groupCall} that an event can be without. */
export function presentKeys(keys: string): string {
  const names = present(keys.replace(BIN, ''));
  return names && `${names} | `;
}

/** `groupBy()`, also by a key such as `bin(time, 5m)`: `bucket()` returns at most 500 groups. Empty without an equivalent. */
export function groupCall(functions = '', keys = '', context?: WriteContext): string {
  const [all, removal] = countedAll(functions, context);
  // A list of one query in braces would leave out groups without rows, too.
  const [, calls = all, rename = ''] = /^\[\{ ([^{}]*)( \| rename\([^()]*\)) \}\]$/.exec(all) ?? [];
  const [bin = '', as = '@timestamp', time, span] = BIN.exec(keys) ?? [];
  // Aggregates read the time of each event.
  const isOwn = known(as) === '@timestamp' && /@timestamp|selectLast/.test(calls);
  if (isOwn && rename === '' && /(?<!\{ )(?:collect|selectLast)\(@timestamp/.test(calls)) return '';
  const name = isOwn ? '_bucket' : as;
  const names = splitNames(bin === '' ? keys : keys.replace(bin, name));
  if (calls === '' || names.length === 0 || !names.every((one) => /^[\w.@#]+$/.test(one))) return '';
  const group = `${emptyTexts(functions)}groupBy(${fieldList(names.join(' '))}, function=${calls})${rename}${removal}`;
  if (bin === '') return group;
  const start = timeBin(name, time, span);
  return start && `${start} | ${group}${isOwn ? ' | rename(_bucket, as=@timestamp)' : ''}`;
}

const NO_TEXT =
  /(?:^ms|status|code|port|size|bytes|length|duration|count|number|pid|eventid|timestamp|TimeGenerated)$/i;

/** A step for what KQL also counts: a string that is absent is empty. A number is not. */
export function emptyTexts(functions: string): string {
  const counted = functions.match(/(?<=\b(?:dcount|make_set)\(\s*)[\w.@#]+/gi) ?? [];
  const texts = [...new Set(counted)].filter((name) => !NO_TEXT.test(name));
  return texts.length === 0 ? '' : `default(value="", field=${fieldArray(texts.join(' '))}) | `;
}

/** The start of the span that a time is in. Empty for longer spans, which start at other times in other systems. */
export function timeBin(name = '', time = '', span = '1d'): string {
  const ms = readDuration(span) ?? 0;
  if (timeField(time) !== '@timestamp' || DAY_MS % ms !== 0) return '';
  return `${written(name)} := @timestamp - (@timestamp % ${ms})`;
}
