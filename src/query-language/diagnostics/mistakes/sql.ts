import { caseClauses, groupCall, selectQuery, sortCall, splitOutside } from './conversions.ts';
import { type MistakeRow, mistakesOf } from './mistake.ts';

const NO_JOIN = 'Write join({ other query }, field=key) or match(file="lookup.csv", field=key).';

const ROWS: readonly MistakeRow[] = [
  [
    'step',
    'sql-select',
    /select\s+(\S.*)/,
    selectQuery,
    'Write filter | groupBy(key, function=count()) | sort(_count).',
  ],
  ['rest', 'sql-select', /select\s+(\S[^|]*?);?/, selectQuery, 'Write filter | select([fields]).'],
  ['clause', 'sql-group-by', 'group by {fields}', 'groupBy({fields})'],
  [
    'clause',
    'sql-group-by',
    /group\s+by\s+(\S.*\(.*)/,
    (keys = '') => groupCall('count()', keys),
    'Write bucket(span=5m, field=key).',
  ],
  [
    'clause',
    'sql-order-by',
    /order\s+by\s+([\w.@#]+(?:\([^()]*\))?(?:\s+(?:asc|desc)(?:ending)?)?(?:\s*,\s*[\w.@#]+(?:\s+(?:asc|desc))?)*)/,
    (keys = '') => sortCall(keys),
    'Write sort(field, order=desc).',
  ],
  ['clause', 'sql-limit', 'limit {count}', 'head({count})'],
  [
    'clause',
    'sql-limit',
    'limit {count} offset {count2}',
    undefined,
    "Write sort(field, limit=100): rows can't be skipped.",
  ],
  ['clause', 'sql-limit', 'fetch first {count} rows only', 'head({count})'],
  ['step', 'sql-having', 'having {filter}', '{filter}'],
  ['step', 'where', 'where {filter}', '{filter}'],
  ['step', 'sql-join', /(?:inner|left|outer|full|cross)\s+join\s+\S.*/, undefined, NO_JOIN],
  [
    'step',
    'sql-union',
    /union(?:\s+all)?\s+select\b.*/,
    undefined,
    'Write one query, with "or" between the filters.',
  ],
  [
    'part',
    'sql-count-distinct',
    'count(distinct {field}) as {field2}',
    'count({field}, distinct=true, as={field2})',
  ],
  ['part', 'sql-count-distinct', 'count(distinct {field})', 'count({field}, distinct=true)'],
  ['part', 'sql-as', 'count(*) as {field}', 'count(as={field})'],
  ['part', 'sql-as', 'count(1) as {field}', 'count(as={field})'],
  ['part', 'sql-as', 'count() as {field}', 'count(as={field})'],
  [
    'part',
    'sql-as',
    /(count|sum|avg|min|max)\(\s*([\w.@#]+)\s*\)\s+as\s+"?(\w+)"?/,
    (name, field, as) => `${name!.toLowerCase()}(${field}, as=${as})`,
    'Write count(as=n).',
  ],
  ['part', 'is-not-null', '{field} is not null', '{field}=*'],
  ['part', 'is-null', '{field} is null', '{field}!=*'],
  ['part', 'is-not-null', '{field} is not missing', '{field}=*'],
  ['part', 'is-null', '{field} = null', '{field}!=*'],
  ['part', 'is-null', '{field} == null', '{field}!=*'],
  ['part', 'is-not-null', '{field} != null', '{field}=*'],
  ['part', 'is-not-null', '{field} <> null', '{field}=*'],
  ['part', 'sql-in', '{field} not in ({values})', '!in({field}, values=[{values}])'],
  ['part', 'sql-in', '{field} not in [{values}]', '!in({field}, values=[{values}])'],
  ['part', 'sql-in', '{field} !in ({values})', '!in({field}, values=[{values}])'],
  ['part', 'sql-in', '{field} in ({values})', 'in({field}, values=[{values}])'],
  ['part', 'sql-in', '{field} in [{values}]', 'in({field}, values=[{values}])'],
  ['part', 'sql-in', '{field} in~ ({values})', 'in({field}, values=[{values}], ignoreCase=true)'],
  [
    'part',
    'not-between',
    '{field} not between {number} and {number2}',
    'not ({field} >= {number} and {field} <= {number2})',
  ],
  ['part', 'between', '{field} between {number} and {number2}', '{field} >= {number} {field} <= {number2}'],
  ['part', 'between', '{field} between ({number} .. {number2})', '{field} >= {number} {field} <= {number2}'],
  [
    'part',
    'sql-like',
    /([\w.@#]+)\s+not\s+like\s+("[^"]*"|'[^']*')/,
    (field, text) => like('!=', field, text),
    'Write field!="*text*".',
  ],
  [
    'part',
    'sql-like',
    /([\w.@#]+)\s+like\s+("[^"]*"|'[^']*')/,
    (field, text = '') => (/%|^'/.test(text) ? like('=', field, text) : undefined),
    'Write field="*text*".',
  ],
  [
    'part',
    'sql-ilike',
    /([\w.@#]+)\s+ilike\s+("[^"]*"|'[^']*')/,
    (field, text = '') => `${field}=/${likePattern(text)}/i`,
    'Write field=/text/i.',
  ],
  [
    'part',
    'sql-like',
    /like\(\s*([\w.@#]+)\s*,\s*("[^"]*"|'[^']*')\s*\)/,
    (field, text) => like('=', field, text),
    'Write field="*text*".',
  ],
  ['part', 'sql-regexp', '{field} regexp {text}', '{field}={text.regex}'],
  ['part', 'sql-regexp', '{field} rlike {text}', '{field}={text.regex}'],
  ['part', 'sql-regexp', '{field} similar to {text}', '{field}={text.regex}'],
  ['part', 'sql-lower', 'lower({field}) = {value}', '{field}={value.regex}'],
  ['part', 'sql-lower', 'upper({field}) = {value}', '{field}={value.regex}'],
  ['part', 'sql-length', 'length({field}) > {number}', 'test(length({field}) > {number})'],
  ['part', 'sql-length', 'len({field}) > {number}', 'test(length({field}) > {number})'],
  [
    'step',
    'sql-case',
    /([\w.@]+)\s*:=\s*case\s+when\s+(\S.*?)\s+end/,
    caseWhen,
    'Write case { filter | field := value; * | field := value }.',
  ],
];

/** A `LIKE` pattern: `%` is any text, `_` is one character. */
function like(operator: string, field = '', text = ''): string {
  const pattern = text.slice(1, -1);
  if (pattern.includes('_')) return `${field}${operator}/${likePattern(text)}/`;
  return `${field}${operator}"${pattern.replaceAll('%', '*')}"`;
}

function likePattern(text: string): string {
  const escaped = text.slice(1, -1).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return `^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`.replace(/^\^\.\*|\.\*\$$/g, '');
}

/** `a then b when c then d else e` */
function caseWhen(field = '', text = ''): string {
  return caseClauses(field, splitOutside(text, /\b(?:when|then|else)\b/).join(', '));
}

export const SQL = mistakesOf('SQL', ROWS);
