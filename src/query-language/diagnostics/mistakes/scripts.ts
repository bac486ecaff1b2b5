import { CASE, type MistakeRow, mistakesOf } from './mistake.ts';

const JQ_ROWS: readonly MistakeRow[] = [
  [
    'step',
    'jq-select',
    /(?:map\()?select\(\s*\.([\w.]+)\s*(==|!=|<=?|>=?)\s*("[^"]*"|-?[\d.]+)\s*\)\)?/,
    '$1 $2 $3',
    'Write field=value.',
  ],
  ['query', 'jq-select', /\.\[\]\s*\|\s*(.*)/, '$1', 'Write field=value.'],
  ['step', 'jq-test', 'select(.{field} | test({text}))', '{field}={text.regex}'],
  ['step', 'jq-contains', 'select(.{field} | contains({text}))', '{field}="*{text.inner}*"'],
  ['step', 'jq-has', 'select(has({text}))', '{text.inner}=*'],
  ['step', 'jq-group-by', 'group_by(.{field})', 'groupBy({field})'],
  ['step', 'jq-sort-by', 'sort_by(.{field})', 'sort({field}, order=asc)'],
  ['step', 'jq-sort-by', 'sort_by(-.{field})', 'sort({field}, order=desc)'],
  ['step', 'jq-unique-by', 'unique_by(.{field})', 'groupBy({field}, function=tail(1))'],
  ['step', 'jq-del', 'del(.{field})', 'drop([{field}])'],
  [
    'part',
    'jq-field',
    /(?<!\S)\.([A-Za-z_][\w.]*)\s*(==|=|!=|<=?|>=?)\s*("[^"]*"|[\w.*-]+)/,
    '$1 $2 $3',
    'Write field=value.',
  ],
  ['pipe', 'jq-length', 'length', 'count()'],
];

const SHELL_ROWS: readonly MistakeRow[] = [
  ['step', 'grep', 'grep {text}', '{text}'],
  ['step', 'grep', 'grep -i {value}', '/{value.inner}/i'],
  ['step', 'grep', 'grep -v {value}', 'not "{value.inner}"'],
  ['step', 'grep', 'grep -E {text}', '{text.regex}'],
  ['step', 'grep', 'grep -P {text}', '{text.regex}'],
  ['pipe', 'grep', 'grep {value}', '{value}'],
  ['pipe', 'shell-wc', 'wc -l', 'count()'],
  ['pipe', 'shell-head', 'head -n {count}', 'head({count})'],
  ['pipe', 'shell-head', 'head -{count}', 'head({count})'],
  ['pipe', 'shell-head', 'tail -n {count}', 'tail({count})'],
  ['pipe', 'shell-head', 'tail -{count}', 'tail({count})'],
  ['pipe', 'shell-uniq', 'uniq -c', undefined, 'Write groupBy(field) | sort(_count).'],
  ['pipe', 'shell-uniq', 'uniq', undefined, 'Write groupBy(field, function=[]).'],
];

const SCRIPT_ROWS: readonly MistakeRow[] = [
  [
    'part',
    'if-braces',
    'if ({filter}) { {field} := {value} } else { {field2} := {value2} }',
    'case { {filter} | {field} := {value}; * | {field2} := {value2} }',
    CASE,
  ],
  [
    'part',
    'if-braces',
    'if ({filter}) { {field} := {value} }',
    'case { {filter} | {field} := {value}; * }',
    CASE,
  ],
  ['part', 'if-braces', /if\s*\([^()]*\)\s*\{.*\}/, undefined, CASE],
  ['part', 'script-method', '{field}.includes({text})', '{field}="*{text.inner}*"'],
  ['part', 'script-method', '{field}.contains({text})', '{field}="*{text.inner}*"'],
  ['part', 'script-method', '{field}.startsWith({text})', '{field}="{text.inner}*"'],
  ['part', 'script-method', '{field}.endsWith({text})', '{field}="*{text.inner}"'],
  ['part', 'script-call', 'contains({field}, {text})', '{field}="*{text.inner}*"'],
  ['part', 'script-call', 'contains({text})', '{text}'],
  ['part', 'script-call', 'startsWith({field}, {text})', '{field}="{text.inner}*"'],
  ['part', 'script-call', 'endsWith({field}, {text})', '{field}="*{text.inner}"'],
  ['part', 'script-call', 'exists({field})', '{field}=*'],
  ['part', 'script-call', 'missing({field})', '{field}!=*'],
  ['step', 'script-call', 'dedup({field})', 'groupBy({field}, function=tail(1))'],
  ['step', 'script-call', 'where({filter})', '{filter}'],
  ['step', 'script-call', 'filter({filter})', '{filter}'],
  ['step', 'script-call', 'limit({count})', 'head({count})'],
  ['part', 'regex-match', '{field} ~ {regex}', '{field}={regex}'],
  ['part', 'regex-match', '{field} ~= {regex}', '{field}={regex}'],
  ['part', 'regex-match', '{field} !~ {regex}', '{field}!={regex}'],
  ['part', 'regex-match', '{field} ~ {text}', '{field}={text.regex}'],
  ['part', 'strict-equality', /([\w.@#]+)\s*(!?)===?\s*("[^"]*"|'[^']*')/, '$1$2=$3', 'Write field="value".'],
  [
    'part',
    'subnet',
    /([\w.@#]+)\s*(!?)=\s*(\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2})(?!\S)/,
    '$2cidr($1, subnet="$3")',
    'Write cidr(ip, subnet="10.0.0.0/8").',
  ],
  [
    'part',
    'alternatives',
    /([\w.@#]+)[=:]((?!\d+,)[\w-]+(?:,[\w-]+)+)(?=\s|$)/,
    (field, values = '') => `in(${field}, values=[${values.split(',').join(', ')}])`,
    'Write in(field, values=[a, b]).',
  ],
  ['part', 'and-mark', '&&', 'and'],
  ['part', 'and-mark', /(?<=\S\s)&(?=\s\S)/, 'and', 'Write and.'],
];

export const JQ = mistakesOf('jq', JQ_ROWS);
export const SHELL = mistakesOf('a shell command', SHELL_ROWS);
export const SCRIPT = mistakesOf('syntax of another language', SCRIPT_ROWS);

/** Has to be last: a condition of a script has the same form. */
export const ASSIGNMENTS = mistakesOf('a comparison here', [
  [
    'part',
    'assignment',
    /([A-Za-z_][\w.]*)\s*(?<![!<>:=])=(?![~=])\s*([\w.]+)\s+([*+-])\s+([\w.]+)/,
    '$1 := $2 $3 $4',
    'Write field := a + b.',
  ],
]);

export const TYPOGRAPHY = [
  ...mistakesOf('not a string: curly quotes are part of the text', [
    ['part', 'curly-quotes', /[“„‘]([^“”„‘’"\n]{0,200})[”‘’]/, '"$1"', 'Write "text".'],
    ['part', 'curly-quotes', /[^\s“”„‘’]*[“”„‘’]\S*/, undefined, 'Write straight double quotes: "text".'],
  ]),
  ...mistakesOf('not a comment: the words of its line are searched for', [
    ['part', 'comment', /(?<!\S)(?:#|--)(?=[ \t]+\S)/, '//', 'Write // at the start of a comment.'],
  ]),
];
