import {
  aggregates,
  caseClauses,
  fieldList,
  groupCall,
  ifCall,
  known,
  sortCall,
  splitOutside,
  toExpression,
} from './conversions.ts';
import { type MistakeRow, mistakesOf } from './mistake.ts';

const TIME = 'Set the time interval of the query instead, or start it with setTimeInterval(start=24h).';

const ROWS: readonly MistakeRow[] = [
  ['pipe', 'spl-search', 'search {filter}', '{filter}'],
  ['pipe', 'spl-search', 'search {value}', '{value}'],
  ['step', 'spl-dedup', 'dedup {fields}', 'groupBy({fields}, function=tail(1))'],
  [
    'step',
    'spl-dedup',
    /dedup\s+(\d+)\s+([\w.@#]+)/,
    (count, key) => `groupBy(${key}, function=tail(${count}))`,
    'Write groupBy(field, function=tail(1)).',
  ],
  ['pipe', 'spl-fields-drop', 'fields - {fields}', 'drop({fields.array})'],
  ['pipe', 'spl-fields', 'fields + {fields}', 'select({fields.array})'],
  ['pipe', 'spl-fields', 'fields {fields}', 'select({fields.array})'],
  ['step', 'spl-fields', 'fields {listed}', 'select({listed})'],
  ['pipe', 'spl-table', 'table {fields}', 'table({fields.array})'],
  ['pipe', 'spl-rex', 'rex {text}', 'regex({text})'],
  ['pipe', 'spl-rex', 'rex field={field} {text}', 'regex({text}, field={field})'],
  ['pipe', 'spl-rex', /rex\s+field=(\S+)/, undefined, 'Write regex("(?<name>.+)", field=field).'],
  [
    'pipe',
    'spl-rex',
    /rex\s+(?:field=\S+\s+)?mode=sed\s.*/,
    undefined,
    'Write replace("old", with="new", field=field).',
  ],
  ['pipe', 'spl-regex', 'regex {field} = {text}', '{field}={text.regex}'],
  ['pipe', 'spl-regex', 'regex {field} != {text}', '{field}!={text.regex}'],
  ['pipe', 'spl-regex', 'regex {text}', '{text.regex}'],
  ['step', 'spl-stats-by', 'stats {calls} by {rest}', groupCall],
  [
    'step',
    'spl-stats-by',
    'chart {calls} over {field} by {field2}',
    (calls = '', a, b) => groupCall(calls, `${a} ${b}`),
  ],
  ['step', 'spl-stats-by', 'chart {calls} by {rest}', groupCall],
  ['step', 'spl-stats', 'stats {calls}', '{calls}'],
  [
    'step',
    'spl-eventstats',
    /(?:event|stream)stats\s+\S.*/,
    undefined,
    'Write join({ groupBy(key, function=count()) }, field=key, include=_count), or accumulate(count()) after sort().',
  ],
  [
    'pipe',
    'spl-eval',
    /eval\s+([\w.@#]+)\s*=\s*case\((.*)\)/,
    (field = '', body = '') => caseClauses(field, body),
    'Write case { filter | field := value; * | field := value }.',
  ],
  [
    'pipe',
    'spl-eval',
    /eval\s+([\w.@#]+)\s*=\s*if\((.*)\)/,
    (field = '', body = '') => ifCall(field, body),
    'Write field := if(a == b, then=value, else=value).',
  ],
  [
    'pipe',
    'spl-eval',
    /eval\s+([\w.@#]+)\s*=\s*strftime\(\s*_time\s*,\s*("[^"]*")\s*\)/,
    (field, format) => `${field} := formatTime(${format}, field=@timestamp)`,
    'Write field := formatTime("%H:%M", field=@timestamp).',
  ],
  [
    'pipe',
    'spl-eval',
    /eval\s+([\w.@#]+)\s*=\s*(?:tonumber|tostring|tointeger)\(\s*([\w.@#]+)\s*\)/,
    (field, from) => `${field} := ${from}`,
    'Write field := other. All values are text, and are compared as numbers where possible.',
  ],
  [
    'pipe',
    'spl-eval',
    /eval\s+([\w.@#]+)\s*=\s*round\(\s*([^(),]+)\s*,\s*0\s*\)/,
    (field, value) => `${field} := ${value!.trim()} | round(${field})`,
    'Write round(field).',
  ],
  ['pipe', 'spl-eval', /eval\s+([\w.@#]+\s*=[^=].*)/, evalSteps, 'Write field := expression.'],
  [
    'pipe',
    'spl-timechart',
    /timechart\s+(?:span=(\S+)\s+)?(.+?)(?:\s+by\s+(\S+))?/,
    timeChart,
    'Write timeChart(span=5m, function=count()).',
  ],
  ['pipe', 'spl-top', 'top limit={count} {fields}', 'top({fields}, limit={count})'],
  [
    'pipe',
    'spl-top',
    /top\s+(\d+)\s+(?!by\b)([\w.@#]+(?:[\s,]+[\w.@#]+)*)/,
    (count, names = '') => (/\bby\b/.test(names) ? '' : `top(${fieldList(names)}, limit=${count})`),
    'Write top(field, limit=10).',
  ],
  ['pipe', 'spl-top', 'top {field} by {field2}', 'groupBy([{field2}, {field}]) | sort(_count)'],
  ['pipe', 'spl-top', 'top {fields}', 'top({fields})'],
  ['pipe', 'spl-rare', 'rare {field}', 'groupBy({field}) | sort(_count, order=asc)'],
  [
    'pipe',
    'spl-rare',
    'rare limit={count} {field}',
    'groupBy({field}) | sort(_count, order=asc, limit={count})',
  ],
  [
    'pipe',
    'spl-sort',
    /sort\s+(?:(\d+)\s+)?([+-]?\s*(?!by\b)[\w.@#]+(?:\s*,?\s*[+-]?\s*(?!desc\b|asc\b|d$)[\w.@#]+)*)(?:\s+asc)?(\s+desc|\s+d)?/,
    sortSigned,
    'Write sort(field, order=desc).',
  ],
  [
    'pipe',
    'spl-sort',
    /sort\s+([+-]?)\s*(?:num|str|ip)\(\s*([\w.@#]+)\s*\)/,
    (sign, name) => `sort(${name}, order=${sign === '-' ? 'desc' : 'asc'})`,
    'Write sort(field, order=desc).',
  ],
  ['pipe', 'spl-head', 'head {count}', 'head({count})'],
  ['pipe', 'spl-head', 'tail {count}', 'tail({count})'],
  ['pipe', 'spl-head', 'head', 'head(10)'],
  ['pipe', 'spl-head', 'tail', 'tail(10)'],
  ['pipe', 'spl-rename', 'rename {field} as {text}', 'rename({field}, as={text})'],
  ['pipe', 'spl-rename', 'rename {field} as {field2}', 'rename({field}, as={field2})'],
  [
    'pipe',
    'spl-rename',
    /rename\s+(\S+\s+as\s+\S+(?:\s*,\s*\S+\s+as\s+\S+)+)/,
    renameAll,
    'Write rename([[a, b], [c, d]]).',
  ],
  ['pipe', 'spl-spath', 'spath', 'parseJson()'],
  ['pipe', 'spl-spath', 'spath input={field}', 'parseJson({field})'],
  ['pipe', 'spl-mvexpand', 'mvexpand {field}', 'split({field})'],
  ['pipe', 'spl-makemv', 'makemv delim={text} {field}', 'splitString({field}, by={text}, as={field})'],
  [
    'pipe',
    'spl-transaction',
    'transaction {fields}',
    'groupBy({fields}, function=session([count(), collect(@rawstring)]))',
  ],
  ['pipe', 'spl-inputlookup', 'inputlookup {value}', 'readFile("{value.inner}")'],
  [
    'pipe',
    'spl-lookup',
    'lookup {value} {field}',
    'match(file="{value.inner}", field={field}, column={field}, strict=false)',
  ],
  [
    'pipe',
    'spl-lookup',
    'lookup {value} {field} as {field2}',
    'match(file="{value.inner}", field={field2}, column={field}, strict=false)',
  ],
  [
    'pipe',
    'spl-lookup',
    /lookup\s+([\w.-]+)\s+([\w.@#]+)\s+output(?:new)?\s+([\w.@#]+(?:[\s,]+[\w.@#]+)*)/,
    (file, key, names = '') =>
      `match(file="${file}", field=${key}, column=${key}, include=${fieldList(names)}, strict=false)`,
    'Write match(file="lookup.csv", field=key).',
  ],
  ['pipe', 'spl-fillnull', 'fillnull value={value} {fields}', 'default(value={value}, field={fields.array})'],
  ['pipe', 'spl-fillnull', 'fillnull {fields}', 'default(value=0, field={fields.array})'],
  [
    'rest',
    'spl-bin',
    'bin _time span={span} | stats {calls} by _time',
    'bucket(span={span}, function={calls})',
  ],
  [
    'rest',
    'spl-bin',
    'bin span={span} _time | stats {calls} by _time',
    'bucket(span={span}, function={calls})',
  ],
  [
    'rest',
    'spl-bin',
    'bucket _time span={span} | stats {calls} by _time',
    'bucket(span={span}, function={calls})',
  ],
  [
    'rest',
    'spl-bin',
    'bin _time span={span} | stats {calls} by _time, {field}',
    'bucket(span={span}, field={field}, function={calls})',
  ],
  [
    'rest',
    'spl-bin',
    'bin span={span} _time | stats {calls} by _time, {field}',
    'bucket(span={span}, field={field}, function={calls})',
  ],
  [
    'pipe',
    'spl-bin',
    /(?:bin|bucket)\s+\S.*/,
    undefined,
    'Write bucket(span=5m, function=count()) in place of the step and the stats by _time.',
  ],
  ['pipe', 'spl-iplocation', 'iplocation {field}', 'ipLocation({field})'],
  ['pipe', 'spl-transpose', 'transpose', 'transpose()'],
  ['pipe', 'spl-reverse', 'reverse', undefined, 'Write sort(@timestamp, order=asc).'],
  [
    'pipe',
    'spl-append',
    /append(?:pipe|cols)?\s*\[.*/,
    undefined,
    'Write one query, with "or" between the filters.',
  ],
  [
    'pipe',
    'spl-join',
    /join\s+(?:\w+=\S+\s+)*[\w.]+\s*\[.*/,
    undefined,
    'Write join({ other query }, field=key).',
  ],
  [
    'pipe',
    'spl-addtotals',
    /add(?:col)?totals\b.*/,
    undefined,
    'Write total := a + b, or stats(sum(field)).',
  ],
  ['step', 'spl-time', 'earliest=-{span}', 'setTimeInterval(start={span})'],
  [
    'query',
    'spl-time',
    /earliest=-(\d+[a-z]+)\s+(?!latest)(\S.*)/,
    (span, rest) => `setTimeInterval(start=${span}) | ${rest}`,
    TIME,
  ],
  ['part', 'spl-time', /(?:earliest|latest)=-?\S+/, undefined, TIME],
  ['part', 'spl-isnotnull', 'isnotnull({field})', '{field}=*'],
  ['part', 'spl-isnull', 'isnull({field})', '{field}!=*'],
  ['part', 'spl-match', 'match({field}, {text})', '{field}={text.regex}'],
  ['part', 'spl-cidrmatch', 'cidrmatch({text}, {field})', 'cidr({field}, subnet={text})'],
  ['part', 'spl-length', 'len({field})', 'length({field})'],
];

/** `a=b, c=d` as assignments. */
function evalSteps(text = ''): string {
  const steps = splitOutside(text, /,/).map((part) => {
    const [, name = '', value = ''] = /^([\w.@#]+)\s*=\s*(.+)$/s.exec(part) ?? [];
    return name === '' ? '' : `${name} := ${toExpression(value)}`;
  });
  return steps.includes('') ? '' : steps.join(' | ');
}

function timeChart(span = '', calls = '', series = ''): string {
  const functions = aggregates(calls);
  const parts = [series, span && `span=${span}`, `function=${functions}`];
  return functions === undefined ? '' : `timeChart(${parts.filter(Boolean).join(', ')})`;
}

/** `-a, +b` */
function sortSigned(limit = '', text = '', desc = ''): string {
  const keys = [...text.matchAll(/([+-]?)\s*([\w.@#]+)/g)].map(
    ([, sign, name = '']) => `${known(name)} ${sign === '-' || desc !== '' ? 'desc' : 'asc'}`,
  );
  return sortCall(keys.join(', '), limit);
}

function renameAll(text = ''): string {
  const pairs = text.split(/\s*,\s*/).map((pair) => `[${pair.replace(/\s+as\s+/i, ', ')}]`);
  return `rename([${pairs.join(', ')}])`;
}

export const SPL = mistakesOf('SPL', ROWS);
