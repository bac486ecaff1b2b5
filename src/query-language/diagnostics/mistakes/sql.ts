import { like } from './conversions.ts';
import { CASE, type MistakeRow, mistakesOf } from './mistake.ts';

const NO_JOIN = 'Write join({ other query }, field=key) or match(file="lookup.csv", field=key).';

/** Clauses that can follow SELECT and WHERE. */
const ENDS: readonly (readonly [typed: string, write: string])[] = [
  [' order by {field3} desc limit {count}', ' | sort({field3}, order=desc, limit={count})'],
  [' order by count(*) desc limit {count}', ' | sort(_count, order=desc, limit={count})'],
  [' order by {field3} desc', ' | sort({field3}, order=desc)'],
  [' order by {field3}', ' | sort({field3}, order=asc)'],
  [' limit {count}', ' | head({count})'],
  ['', ''],
];

function selects([columns, step]: readonly [string, string], keys = ''): MistakeRow[] {
  return ENDS.flatMap(([typed, write]): MistakeRow[] => [
    [
      'step',
      'sql-select',
      `select ${columns} from {name} where {filter}${keys}${typed}`,
      `{filter} | ${step}${write}`,
    ],
    ['step', 'sql-select', `select ${columns} from {name}${keys}${typed}`, `${step}${write}`],
  ]).map((row) => [row[0], row[1], row[2], String(row[3]).replace(/\* \| | \| \*$/, '')]);
}

const ROWS: readonly MistakeRow[] = [
  ...selects(['*', '*']),
  ...selects(['distinct {fields}', 'groupBy({fields}, function=[])']),
  ...selects(['{field}, {calls}', 'groupBy({field}, function={calls})'], ' group by {field2}'),
  ...selects(['{fields}', 'select({fields.array})']),
  ...selects(['{calls}', '{calls}']),
  ['step', 'sql-select', 'select distinct {fields}', 'groupBy({fields}, function=[])'],
  [
    'step',
    'sql-select',
    /select\s+\S.*/,
    undefined,
    'Write filter | groupBy(key, function=count()) | sort(_count, limit=10).',
  ],
  ['clause', 'sql-group-by', 'group by {fields}', 'groupBy({fields})'],
  ['clause', 'sql-group-by', /group\s+by\s+\S.*\(.*/, undefined, 'Write bucket(span=5m, field=key).'],
  ['clause', 'sql-order-by', 'order by {field} asc', 'sort({field}, order=asc)'],
  ['clause', 'sql-order-by', 'order by {field} desc', 'sort({field}, order=desc)'],
  ['clause', 'sql-order-by', 'order by count(*) desc', 'sort(_count, order=desc)'],
  ['clause', 'sql-order-by', 'order by {field}', 'sort({field}, order=asc)'],
  [
    'clause',
    'sql-order-by',
    /order\s+by\s+[\w.@#]+.*,.*/,
    undefined,
    'Write sort([a, b], order=[asc, desc]).',
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
    '$1($2, as=$3)',
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
  ['part', 'sql-like', '{field} not like {text}', '{field}!={text.like}'],
  [
    'part',
    'sql-like',
    /([\w.@#]+)\s+like\s+("[^"]*"|'[^']*')/,
    // With double quotes and without "%", it is valid.
    (field, text = '') => (/%|^'/.test(text) ? like(text) && `${field}=${like(text)}` : undefined),
    'Write field="*text*".',
  ],
  ['part', 'sql-like', 'like({field}, {text})', '{field}={text.like}'],
  ['part', 'sql-ilike', '{field} ilike {text}', undefined, 'Write field=/text/i.'],
  ['part', 'sql-regexp', '{field} regexp {text}', '{field}={text.regex}'],
  ['part', 'sql-regexp', '{field} rlike {text}', '{field}={text.regex}'],
  ['part', 'sql-regexp', '{field} similar to {text}', '{field}={text.regex}'],
  ['part', 'sql-lower', 'lower({field}) = {value}', '{field}={value.regex}'],
  ['part', 'sql-lower', 'upper({field}) = {value}', '{field}={value.regex}'],
  ['part', 'sql-length', 'length({field}) > {number}', 'test(length({field}) > {number})'],
  ['part', 'sql-length', 'len({field}) > {number}', 'test(length({field}) > {number})'],
  ['step', 'sql-case', /[\w.@]+\s*:=\s*case\s+when\s+\S.*/, undefined, CASE],
];

export const SQL = mistakesOf('SQL', ROWS);
