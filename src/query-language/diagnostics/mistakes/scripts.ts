import { splitOutside, toFilter } from './conversions.ts';
import { type MistakeRow, mistakesOf } from './mistake.ts';

const JQ_ROWS: readonly MistakeRow[] = [
  [
    'rest',
    'jq-select',
    /(?:\.\[\]\s*\|\s*)?select\(\s*\.([\w.]+)\s*(==|!=|<=?|>=?)\s*("[^"]*"|-?[\d.]+)\s*\)/,
    comparison,
    'Write field=value.',
  ],
  [
    'step',
    'jq-select',
    /(?:map\()?select\(\s*\.([\w.]+)\s*(==|!=|<=?|>=?)\s*("[^"]*"|-?[\d.]+)\s*\)\)?/,
    comparison,
    'Write field=value.',
  ],
  [
    'part',
    'jq-test',
    /select\(\s*\.([\w.]+)\s*\|\s*test\(\s*("[^"]*")\s*\)\s*\)/,
    (field, text = '') => `${field}=/${text.slice(1, -1).replaceAll('/', '\\/')}/`,
    'Write field=/text/.',
  ],
  [
    'rest',
    'jq-test',
    /(?:\.\[\]\s*\|\s*)?select\(\s*\.([\w.]+)\s*\|\s*test\(\s*("[^"]*")\s*\)\s*\)/,
    (field, text = '') => `${field}=/${text.slice(1, -1).replaceAll('/', '\\/')}/`,
    'Write field=/text/.',
  ],
  [
    'rest',
    'jq-contains',
    /(?:\.\[\]\s*\|\s*)?select\(\s*\.([\w.]+)\s*\|\s*contains\(\s*("[^"]*")\s*\)\s*\)/,
    (field, text = '') => `${field}="*${text.slice(1, -1)}*"`,
    'Write field="*text*".',
  ],
  ['step', 'jq-has', 'select(has({text}))', (text = '') => `${text.slice(1, -1)}=*`],
  ['step', 'jq-group-by', 'group_by(.{field})', 'groupBy({field})'],
  ['step', 'jq-sort-by', 'sort_by(.{field})', 'sort({field}, order=asc)'],
  ['step', 'jq-sort-by', 'sort_by(-.{field})', 'sort({field}, order=desc)'],
  ['step', 'jq-unique-by', 'unique_by(.{field})', 'groupBy({field}, function=tail(1))'],
  ['step', 'jq-del', 'del(.{field})', 'drop([{field}])'],
  [
    'part',
    'jq-field',
    /(?<!\S)\.([A-Za-z_][\w.]*)\s*(==|=|!=|<=?|>=?)\s*("[^"]*"|[\w.*-]+)/,
    comparison,
    'Write field=value.',
  ],
  ['pipe', 'jq-length', 'length', 'count()'],
];

function comparison(field = '', operator = '', value = ''): string {
  return /^[<>]/.test(operator)
    ? `${field} ${operator} ${value}`
    : `${field}${operator.replace('==', '=')}${value}`;
}

const SHELL_ROWS: readonly MistakeRow[] = [
  ['step', 'grep', 'grep {text}', '{text}'],
  ['step', 'grep', 'grep -i {value}', (text = '') => `/${bare(text)}/i`],
  ['step', 'grep', 'grep -v {value}', (text = '') => `not "${bare(text)}"`],
  ['step', 'grep', /grep\s+-[EP]\s+("[^"]*"|'[^']*')/, (text = '') => `/${bare(text)}/`, 'Write /text/.'],
  ['pipe', 'grep', 'grep {value}', '{value}'],
  ['pipe', 'shell-wc', 'wc -l', 'count()'],
  ['pipe', 'shell-head', 'head -n {count}', 'head({count})'],
  ['pipe', 'shell-head', 'head -{count}', 'head({count})'],
  ['pipe', 'shell-head', 'tail -n {count}', 'tail({count})'],
  ['pipe', 'shell-head', 'tail -{count}', 'tail({count})'],
  ['rest', 'shell-uniq', 'sort | uniq -c', undefined, 'Write groupBy(field) | sort(_count).'],
  ['pipe', 'shell-uniq', 'uniq', undefined, 'Write groupBy(field, function=[]).'],
];

function bare(text: string): string {
  return text.replace(/^["']|["']$/g, '').replaceAll('/', '\\/');
}

const SCRIPT_ROWS: readonly MistakeRow[] = [
  [
    'part',
    'if-braces',
    /if\s*\(([^()]*)\)\s*\{([^{}]*)\}(?:\s*else\s*\{([^{}]*)\})?/,
    ifBraces,
    'Write case { filter | field := value; * | field := value }.',
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
  [
    'part',
    'strict-equality',
    /([\w.@#]+)\s*(!?)===?\s*("[^"]*"|'[^']*')/,
    (field, not, text = '') => `${field}${not}="${text.slice(1, -1)}"`,
    'Write field="value".',
  ],
  [
    'part',
    'subnet',
    /([\w.@#]+)\s*(!?)=\s*(\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2})(?!\S)/,
    (field, not, subnet) => `${not}cidr(${field}, subnet="${subnet}")`,
    'Write cidr(ip, subnet="10.0.0.0/8").',
  ],
  [
    'part',
    'alternatives',
    /([\w.@#]+)[=:]((?!\d+,)[\w-]+(?:,[\w-]+)+)(?=\s|$)/,
    (field, values = '') => `in(${field}, values=[${values.split(',').join(', ')}])`,
    'Write in(field, values=[a, b]).',
  ],
  ['part', 'and-mark', /&&/, () => 'and', 'Write and.'],
  ['part', 'and-mark', /(?<=\S\s)&(?=\s\S)/, () => 'and', 'Write and.'],
];

/** `if (a == b) { x := 1 } else { x := 2 }` */
function ifBraces(filter = '', then = '', otherwise = ''): string {
  const rest = otherwise.trim() === '' ? '' : ` | ${otherwise.trim()}`;
  const [condition = ''] = splitOutside(filter, /;/);
  return `case { ${toFilter(condition)} | ${then.trim()}; *${rest} }`;
}

export const JQ = mistakesOf('jq', JQ_ROWS);
export const SHELL = mistakesOf('a shell command', SHELL_ROWS);
export const SCRIPT = mistakesOf('a script', SCRIPT_ROWS);

/** Has to be last: a condition of a script has the same form. */
export const ASSIGNMENTS = mistakesOf('a comparison here', [
  [
    'part',
    'assignment',
    /([A-Za-z_][\w.]*)\s*(?<![!<>:=])=(?![~=])\s*([\w.]+)\s+([*+-])\s+([\w.]+)/,
    (name, left, operator, right) => `${name} := ${left} ${operator} ${right}`,
    'Write field := a + b.',
  ],
]);
