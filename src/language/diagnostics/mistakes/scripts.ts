import { CASE, commands, type MistakeRow, mistakesOf } from './mistake.ts';

const TIME = 'Set the time interval of the query instead, or start it with setTimeInterval(start=24h).';

const JQ_ROWS: readonly MistakeRow[] = [
  [
    'step',
    'jq-select',
    /(?:map\()?select\(\s*\.([\w.]+)\s*(==|!=|<=?|>=?)\s*("[^"]*"|-?[\d.]+)\s*\)\)?/,
    '$1 $2 $3',
    'Write field=value.',
  ],
  ['step', 'jq-select', 'select(.{field} == null)', '{field}!=*'],
  ['step', 'jq-select', 'select(.{field} != null)', '{field}=*'],
  ['step', 'jq-test', 'select(.{field} | startswith({text}))', '{field}="{text.inner}*"'],
  ['step', 'jq-test', 'select(.{field} | endswith({text}))', '{field}="*{text.inner}"'],
  ['query', 'jq-select', /\.\[\]\s*\|\s*(.*)/, '$1', 'Write field=value.'],
  ['pipe', 'jq-field', '.{field}', 'select([{field}])'],
  ['step', 'jq-test', 'select(.{field} | test({text}))', '{field}={text.regex}'],
  ['step', 'jq-contains', 'select(.{field} | contains({text}))', '{field}="*{text.inner}*"'],
  ['step', 'jq-has', 'select(has({text}))', '{text.inner}=*'],
  ['query', 'jq-select', /(?:map\()?select\(\s*\..*/, undefined, 'Write field=value.'],
  [
    'query',
    'jq-reduce',
    /(?:\[\s*\.\[\]|map\(|with_entries\(|any\(|all\(|limit\(\d+;|first\(\.|\[?\.\w*\s*\|\s*length\b).*/,
    undefined,
    'Write sum(field), or filter | count().',
  ],
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
  ['query', 'jq-length', /\.\s*\|\s*length/, 'count()', 'Write count().'],
  ['pipe', 'jq-length', 'length', 'count()'],
  ...commands('jq-command', {
    'to_entries keys paths': 'Write fieldset().',
    'ascii_downcase ascii_upcase': 'Write lower(field), or upper(field).',
    unique: 'Write groupBy(field, function=[]).',
    'max min': 'Write sum(field), or max(field).',
    '@csv @tsv': 'Write table([a, b]).',
  }),
];

const SHELL_ROWS: readonly MistakeRow[] = [
  ['step', 'grep', 'grep {text}', '{text}'],
  ['query', 'grep', 'grep {word}', '{word}'],
  [
    'query',
    'grep',
    /grep\s+-[A-Za-z]*[crnlow][A-Za-z]*\s.*/,
    undefined,
    'Write /text/, or filter | count().',
  ],
  [
    'query',
    'shell-cat',
    /(?:cat|tail\s+-f|zcat|less)\s+\S+(?:\s*\|\s*(.*))?/,
    (rest = '') => rest,
    'Leave the file out: the query searches the repository.',
  ],
  [
    'query',
    'shell-awk',
    /(?:awk|sed|jq)\s+["'].*/,
    undefined,
    'Write field=value | replace("a", with="b", field=field).',
  ],
  ['step', 'grep', 'grep -i {value}', '/{value.inner}/i'],
  ['step', 'grep', 'grep -v {value}', 'not "{value.inner}"'],
  ['step', 'grep', 'grep -E {text}', '{text.regex}'],
  ['step', 'grep', 'grep -P {text}', '{text.regex}'],
  ['pipe', 'grep', 'grep {value}', '{value}'],
  ['pipe', 'shell-wc', 'wc -l', 'count()'],
  ...commands('shell-command', {
    'awk cut sed tr': 'Write regex("(?<name>.+)", field=field), or replace("a", with="b", field=field).',
    'less tee xargs': 'Leave the step out.',
    jq: 'Write parseJson() | field=value.',
    wc: 'Write count().',
  }),
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
  ['part', 'if-values', 'if({filter}, {value}, {value2})', 'if({ {filter} }, then={value}, else={value2})'],
  ['step', 'if-then', /if\s+\S.*\sthen\s.*|case\s+\S+\s+when\s.*/, undefined, CASE],
  [
    'part',
    'ternary',
    /[\w.]+\s*:=\s*\S.*\s\?\s.*\s:\s.*/,
    undefined,
    'Write field := if(a == b, then=1, else=2).',
  ],
  ['step', 'increment', '{field} += {expression}', '{field} := {field} + {expression}'],
  ['step', 'increment', '{field} -= {expression}', '{field} := {field} - {expression}'],
  [
    'step',
    'declaration',
    /(?:var|const|set)\s+([A-Za-z_]\w*)\s*=\s*([\w."]+);?/,
    '$1 := $2',
    'Write field := value.',
  ],
  ['step', 'time-words', /(?:last|past)\s+(\d+\s?(?:ms|s|m|h|d|w))/, 'setTimeInterval(start=$1)', TIME],
  ['clause', 'time-words', /(?:last|past|since)\s+\d+\s*[a-z]+(?:\s+ago)?/, undefined, TIME],
  [
    'part',
    'numbers-range',
    /((?!in\b)[A-Za-z_@#][\w.@#]*)(?:\s*[=:]\s*|\s+in\s+|\s+)(\d+)\.\.(\d+)(?!\S)/,
    '$1 >= $2 $1 <= $3',
    'Write field >= 1 field <= 5.',
  ],
  [
    'part',
    'status-class',
    /((?:[\w.]*_)?status(?:_?code)?)\s*[=:]\s*([1-5])xx(?!\S)/,
    '$1=/^$2..$/',
    'Write status=/^4..$/.',
  ],
  [
    'part',
    'word-operator',
    /((?:log)?level|severity|(?:status|host|service|method)(?=\s+e))\s+(?:is|equals|eq)\s+(?!not\b|null\b|missing\b)("[^"]*"|'[^']*'|[\w*.-]+)/,
    (field, value = '') => `${field}=${value.replaceAll("'", '"')}`,
    'Write field=value.',
  ],
  [
    'part',
    'word-operator',
    /((?:log)?level|severity|(?:status|host|service|method)(?=\s+ne))\s+(?:is\s+not|ne)\s+(?!null\b|missing\b)("[^"]*"|'[^']*'|[\w*.-]+)/,
    (field, value = '') => `${field}!=${value.replaceAll("'", '"')}`,
    'Write field!=value.',
  ],
  [
    'part',
    'word-operator',
    /([\w.@#]+)\s+(gt|ge|lt|le|gte|lte)\s+(-?[\d.]+)(?!\S)/,
    (field, word = '', number) =>
      `${field} ${word.startsWith('g') ? '>' : '<'}${word.includes('e') ? '=' : ''} ${number}`,
    'Write field > 5.',
  ],
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
  ['step', 'regex-match', /([A-Za-z_]\w*)\s?~\s?([a-z_]\w*)/, '$1=/$2/', 'Write field=/text/.'],
  ['part', 'regex-flags', /\(\?i\)\s*\S*/, undefined, 'Write /text/i.'],
  ['part', 'sql-percent', /(?<!\S)%(\w+)%(?!\S)/, '*$1*', 'Write *text*.'],
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

const NAME = '([A-Za-z_@#][\\w.@#]*)';
const SUBNET = '(\\d{1,3}(?:\\.\\d{1,3}){3}\\/\\d{1,2})';

/** Values without the name of their parameter, which are read as further fields. */
const CALL_ROWS: readonly MistakeRow[] = [
  ...['asc', 'desc'].flatMap((order): MistakeRow[] => [
    ['call', 'sort-order', `sort({field} ${order})`, `sort({field}, order=${order})`],
    ['call', 'sort-order', `sort({field}, ${order})`, `sort({field}, order=${order})`],
  ]),
  [
    'call',
    'sort-order',
    new RegExp(`sort\\(\\s*${NAME}\\s*,\\s*("[^"]*")\\s*\\)`),
    (field, text = '') =>
      /^"(?:asc|desc)"$/i.test(text) ? `sort(${field}, order=${text.slice(1, -1)})` : undefined,
    'Write sort(field, order=desc).',
  ],
  ['call', 'sort-order', 'sort(-{field})', 'sort({field}, order=desc)'],
  ...['top', 'sort'].flatMap((name): MistakeRow[] => [
    ['call', 'unnamed-limit', `${name}({field}, {count})`, `${name}({field}, limit={count})`],
    ['call', 'unnamed-limit', `${name}({count}, {field})`, `${name}({field}, limit={count})`],
  ]),
  ...['timeChart', 'bucket'].map(
    (name): MistakeRow => [
      'call',
      'unnamed-span',
      new RegExp(`${name}\\(\\s*(\\d+(?:ms|s|m|h|d|w))(?=\\s*[,)])`),
      `${name}(span=$1`,
      'Write timeChart(span=5m).',
    ],
  ),
  ['call', 'unnamed-function', 'groupBy({field}, count)', 'groupBy({field}, function=count())'],
  [
    'call',
    'unnamed-function',
    /groupBy\(\s*(\[[^\]]*\]|[A-Za-z_@#][\w.@#]*)\s*,\s*((?:sum|avg|min|max|count|collect)\([^()]*\))\s*\)/,
    'groupBy($1, function=$2)',
    'Write groupBy(field, function=count()).',
  ],
  ...['groupBy', 'select', 'table', 'drop'].map(
    (name): MistakeRow => [
      'call',
      'fields-in-quotes',
      new RegExp(`${name}\\(\\s*("[^"]*")\\s*\\)`),
      (text = '') => (/^"\w+(?:,\s*\w+)+"$/.test(text) ? `${name}([${text.slice(1, -1)}])` : undefined),
      'Write groupBy([a, b]).',
    ],
  ),
  [
    'call',
    'unnamed-values',
    new RegExp(`in\\(\\s*${NAME}\\s*,\\s*([^()=[\\]]+)\\)`),
    'in($1, values=[$2])',
    'Write in(field, values=[a, b]).',
  ],
  [
    'call',
    'unnamed-subnet',
    new RegExp(`cidr\\(\\s*${NAME}\\s*,\\s*"?${SUBNET}"?\\s*\\)`),
    'cidr($1, subnet="$2")',
    'Write cidr(ip, subnet="10.0.0.0/8").',
  ],
  ['call', 'jq-select', 'select(.{field})', '{field}=*'],
];

export const JQ = mistakesOf('jq', JQ_ROWS);
export const SHELL = mistakesOf('a shell command', SHELL_ROWS);
export const CALLS = mistakesOf('a list of fields here', CALL_ROWS);
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
