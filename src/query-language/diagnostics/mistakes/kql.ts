import {
  caseClauses,
  equalOrRegex,
  formatted,
  groupCall,
  splitOutside,
  toExpression,
} from './conversions.ts';
import { type MistakeRow, mistakesOf } from './mistake.ts';

const TIME = 'Set the time interval of the query instead, or start it with setTimeInterval(start=1h).';

const ROWS: readonly MistakeRow[] = [
  ['pipe', 'kql-summarize', 'summarize {calls} by {rest}', groupCall],
  ['pipe', 'kql-summarize', 'summarize by {fields}', 'groupBy({fields}, function=[])'],
  ['pipe', 'kql-summarize', 'summarize {calls}', '{calls}'],
  ['pipe', 'kql-project', 'project {fields}', 'select({fields.array})'],
  ['pipe', 'kql-project', 'project-keep {fields}', 'select({fields.array})'],
  ['pipe', 'kql-project', 'project-reorder {fields}', 'table({fields.array})'],
  ['pipe', 'kql-project', 'project {field} = {field2}', '{field} := {field2} | select([{field}])'],
  ['step', 'kql-project', 'project {listed}', 'select({listed})'],
  ['pipe', 'kql-project-away', 'project-away {fields}', 'drop({fields.array})'],
  ['pipe', 'kql-project-rename', 'project-rename {field} = {field2}', 'rename({field2}, as={field})'],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*case\((.*)\)/,
    (field = '', body = '') => caseClauses(field, body),
    'Write case { filter | field := value; * | field := value }.',
  ],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*iif{1,2}\((.*)\)/,
    iff,
    'Write field := if(a == b, then=value, else=value).',
  ],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*strcat\((.*)\)/,
    (field, body = '') => `${field} := ${formatted(splitOutside(toExpression(body), /,/))}`,
    'Write field := format("%s-%s", field=[a, b]).',
  ],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*strlen\(([\w.@#]+)\)/,
    (field, from) => `${field} := length(${from})`,
    'Write field := length(other).',
  ],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*to(lower|upper)\(([\w.@#]+)\)/,
    (field, name, from) => `${field} := ${name!.toLowerCase()}(${from})`,
    'Write field := lower(other).',
  ],
  [
    'pipe',
    'kql-extend',
    /extend\s+([\w.@#]+)\s*=\s*to(?:int|long|double|real|string)\(([\w.@#]+)\)/,
    (field, from) => `${field} := ${from}`,
    'Write field := other.',
  ],
  ['pipe', 'kql-extend', 'extend {field} = {expression}', '{field} := {expression}'],
  [
    'pipe',
    'kql-sort',
    /sort\s+by\s+([\w.@#]+)/,
    (field) => `sort(${field}, order=desc)`,
    'Write sort(field, order=desc).',
  ],
  ['pipe', 'kql-sort', 'sort by {field} desc', 'sort({field}, order=desc)'],
  ['pipe', 'kql-sort', 'sort by {field} asc', 'sort({field}, order=asc)'],
  ['pipe', 'kql-top', 'top {count} by {field} asc', 'sort({field}, order=asc, limit={count})'],
  ['pipe', 'kql-top', 'top {count} by {field} desc', 'sort({field}, limit={count})'],
  ['pipe', 'kql-top', 'top {count} by {field}', 'sort({field}, limit={count})'],
  ['step', 'kql-take', 'take {count}', 'tail({count})'],
  ['step', 'kql-distinct', 'distinct {fields}', 'groupBy({fields}, function=[])'],
  ['pipe', 'kql-mv-expand', 'mv-expand {field}', 'split({field})'],
  [
    'pipe',
    'kql-render',
    /render\s+(?:timechart|linechart|areachart)\b.*/,
    () => 'timeChart()',
    'Write timeChart(span=5m).',
  ],
  [
    'pipe',
    'kql-render',
    /render\s+\w+.*/,
    undefined,
    'Leave the step out: the chart is chosen where the result is shown.',
  ],
  [
    'pipe',
    'kql-parse',
    /parse\s+[\w.@#]+\s+with\s+\S.*/,
    undefined,
    'Write regex("user=(?<user>[^ ]+)", field=field).',
  ],
  ['pipe', 'kql-getschema', 'getschema', 'fieldset()'],
  ['pipe', 'kql-join', /join\s+kind\s*=.*/, undefined, 'Write join({ other query }, field=key).'],
  ['step', 'kql-let', /let\s+\w+\s*=.*/, undefined, 'Write ?{name=value} where the value is used.'],
  ['pipe', 'kql-make-series', /make-series\s.*/, undefined, 'Write timeChart(span=1h, function=count()).'],
  ['part', 'kql-ago', /\w+\s*>=?\s*ago\([^()]*\)/, undefined, TIME],
  ['part', 'kql-datetime', /[\w.@]+\s*[<>]=?\s*datetime\([^()]*\)/, undefined, TIME],
  ['part', 'contains', '{field} contains {text}', '{field}="*{text.inner}*"'],
  ['part', 'contains', '{field} contains_cs {text}', '{field}="*{text.inner}*"'],
  ['part', 'contains', '{field} has {text}', '{field}="*{text.inner}*"'],
  ['part', 'not-contains', '{field} !contains {text}', '{field}!="*{text.inner}*"'],
  ['part', 'not-contains', '{field} !has {text}', '{field}!="*{text.inner}*"'],
  ['part', 'not-contains', '{field} not contains {text}', '{field}!="*{text.inner}*"'],
  ['part', 'startswith', '{field} startswith {text}', '{field}="{text.inner}*"'],
  ['part', 'startswith', '{field} hasprefix {text}', '{field}="{text.inner}*"'],
  ['part', 'not-startswith', '{field} !startswith {text}', '{field}!="{text.inner}*"'],
  ['part', 'endswith', '{field} endswith {text}', '{field}="*{text.inner}"'],
  ['part', 'not-endswith', '{field} !endswith {text}', '{field}!="*{text.inner}"'],
  ['part', 'has-any', '{field} has_any ({values})', anyOf],
  ['part', 'has-all', '{field} has_all ({values})', (field, values) => anyOf(field, values, ' and ')],
  ['part', 'matches-regex', '{field} matches regex {text}', '{field}={text.regex}'],
  ['part', 'matches-regex', '{field} matches {text}', '{field}={text.regex}'],
  ['part', 'isempty', 'isempty({field})', '{field}!=* or {field}=""'],
  ['part', 'isempty', 'isnotempty({field})', '{field}=* {field}!=""'],
  [
    'part',
    'equals-ignoring-case',
    /([\w.@#]+)\s*!~\s*("[^"]*"|'[^']*')/,
    (field, text = '') => `${field}!=${equalOrRegex(text)}`,
    'Write field!=/^value$/i.',
  ],
  ['part', 'dcount', 'dcount({field})', 'count({field}, distinct=true)'],
  ['part', 'dcount', 'dc({field})', 'count({field}, distinct=true)'],
];

function iff(field = '', body = ''): string {
  const [condition = '', then = '', otherwise = '', ...others] = splitOutside(body, /,/);
  if (otherwise === '' || others.length > 0) return '';
  const isPlain = !/\b(?:and|or|not)\b|\w\(/i.test(condition);
  const written = isPlain ? condition : `{ ${condition.replaceAll('==', '=')} }`;
  return `${field} := if(${written}, then=${toExpression(then)}, else=${toExpression(otherwise)})`;
}

function anyOf(field = '', values = '', operator = ' or '): string {
  const texts = splitOutside(values, /,/).map((text) => `${field}="*${text.slice(1, -1)}*"`);
  return texts.join(operator);
}

export const KQL = mistakesOf('KQL', ROWS);
