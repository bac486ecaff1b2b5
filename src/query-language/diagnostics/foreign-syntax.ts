/** A phrase of another query language, and what to write in this one. */
export interface ForeignPhrase {
  /** Stable, such as `spl-dedup`. */
  readonly code: string;
  /** Where the phrase comes from. */
  readonly language: string;
  /** Matches the text of a step, without surrounding whitespace. Strings in it are blank. Has the flag `d`. */
  readonly pattern: RegExp;
  /** What to write instead, built from the groups of the pattern with their strings. */
  readonly write: (...groups: readonly string[]) => string;
  /** Only at the start of a step after the first `|`: in the first step, these words may be search text. */
  readonly isCommand?: true;
}

const FIELD = '((?!(?:and|or|not)\\b)[\\w.@#-]+)';
const STRING = '("[^"]*")';
const REST = '(\\S.*)$';

function command(
  code: string,
  pattern: string,
  language: string,
  write: ForeignPhrase['write'],
): ForeignPhrase {
  return { code, language, pattern: new RegExp(`^${pattern}`, 'dis'), write, isCommand: true };
}

function infix(
  code: string,
  pattern: string,
  language: string,
  write: ForeignPhrase['write'],
): ForeignPhrase {
  return { code, language, pattern: new RegExp(`(?<![\\w.])${pattern}`, 'dis'), write };
}

/** Phrases of other query languages that people type here. The first match in a step is used. */
export const FOREIGN_PHRASES: readonly ForeignPhrase[] = [
  command('sql-select', `select\\s+${REST}`, 'SQL', selectQuery),
  command('sql-group-by', `group\\s+by\\s+${REST}`, 'SQL', (keys) => `groupBy(${fieldList(keys)})`),
  command('sql-order-by', `order\\s+by\\s+${FIELD}(?:\\s+(asc|desc))?`, 'SQL', sortCall),
  command('sql-limit', 'limit\\s+(\\d+)', 'SQL', (count) => `head(${count})`),
  command('sql-having', `having\\s+${REST}`, 'SQL', (condition) => condition),
  command('where', `where\\s+${REST}`, 'SPL, SQL or KQL', (condition) => condition),

  command('spl-search', `search\\s+${REST}`, 'SPL', (filter) => filter),
  command('spl-dedup', `dedup\\s+${REST}`, 'SPL', (keys) => `groupBy(${fieldList(keys)}, function=tail(1))`),
  command('spl-fields-drop', `fields\\s+-\\s*${REST}`, 'SPL', (names) => `drop(${fieldArray(names)})`),
  command('spl-fields', `fields\\s+\\+?\\s*${REST}`, 'SPL', (names) => `select(${fieldArray(names)})`),
  command('spl-table', `table\\s+${REST}`, 'SPL', (names) => `table(${fieldArray(names)})`),
  command(
    'spl-rex',
    `rex\\s+(?:field=${FIELD}\\s+)?${STRING}`,
    'SPL',
    (field = '', pattern = '') => `regex(${pattern}${field === '' ? '' : `, field=${field}`})`,
  ),
  command(
    'spl-rex',
    'rex\\s+field=(\\S*)',
    'SPL',
    (field) => `regex("(?<name>…)", field=${field || 'field'})`,
  ),
  command(
    'spl-regex',
    `regex\\s+${FIELD}\\s*=\\s*${STRING}`,
    'SPL',
    (field, text) => `${field}=${asRegex(text)}`,
  ),
  command('spl-stats-by', `(?:stats|chart)\\s+(.+?)\\s+by\\s+${REST}`, 'SPL', groupCall),
  command('spl-stats', `stats\\s+${REST}`, 'SPL', (functions) => aggregates(functions)),
  command('spl-eval', `eval\\s+${FIELD}\\s*=\\s*${REST}`, 'SPL', (name, value) => `${name} := ${value}`),
  command(
    'spl-timechart',
    'timechart\\s+(?:span=(\\S+)\\s+)?(.+?)(?:\\s+by\\s+(\\S+))?$',
    'SPL',
    (span = '', functions = '', series = '') =>
      `timeChart(${[series, span && `span=${span}`, `function=${aggregates(functions)}`].filter(Boolean).join(', ')})`,
  ),
  command(
    'kql-top',
    `top\\s+(\\d+)\\s+by\\s+${FIELD}`,
    'KQL',
    (count, field) => `sort(${field}, limit=${count})`,
  ),
  command(
    'spl-top',
    `top\\s+(?:limit=)?(\\d+)\\s+${FIELD}`,
    'SPL',
    (count, field) => `top(${field}, limit=${count})`,
  ),
  command('spl-top', `top\\s+${REST}`, 'SPL', (names) => `top(${fieldList(names)})`),
  command('spl-rare', `rare\\s+${FIELD}`, 'SPL', (field) => `groupBy(${field}) | sort(order=asc)`),
  command('kql-sort', `sort\\s+by\\s+${FIELD}(?:\\s+(asc|desc))?`, 'KQL', sortCall),
  command('spl-sort', `sort\\s+-\\s*${FIELD}`, 'SPL', (field) => `sort(${field}, order=desc)`),
  command('spl-sort', `sort\\s+\\+?\\s*${FIELD}`, 'SPL', (field) => `sort(${field}, order=asc)`),
  command('spl-head', '(head|tail)\\s+(\\d+)', 'SPL', (name, count) => `${name?.toLowerCase()}(${count})`),
  command(
    'spl-rename',
    `rename\\s+${FIELD}\\s+as\\s+${FIELD}`,
    'SPL',
    (from, to) => `rename(${from}, as=${to})`,
  ),
  command('spl-spath', 'spath(?=\\s|$)', 'SPL', () => 'parseJson()'),
  command('spl-mvexpand', `mvexpand\\s+${FIELD}`, 'SPL', (field) => `split(${field})`),
  command(
    'spl-transaction',
    `transaction\\s+${FIELD}`,
    'SPL',
    (field) => `groupBy(${field}, function=session([count(), collect(@rawstring)]))`,
  ),
  command(
    'spl-inputlookup',
    'inputlookup\\s+(\\S+)',
    'SPL',
    (file = '') => `readFile("${file.replaceAll('"', '')}")`,
  ),
  command(
    'spl-fillnull',
    `fillnull\\s+value=(\\S+)\\s+${REST}`,
    'SPL',
    (value, names) => `default(value=${value}, field=${fieldArray(names)})`,
  ),
  command(
    'spl-bin',
    '(?:bin|bucket)\\s+(?:_time\\s+)?span=(\\S+)(?:\\s+_time)?',
    'SPL',
    (span) => `bucket(span=${span})`,
  ),

  command('kql-extend', `extend\\s+${FIELD}\\s*=\\s*${REST}`, 'KQL', (name, value) => `${name} := ${value}`),
  command('kql-project-away', `project-away\\s+${REST}`, 'KQL', (names) => `drop(${fieldArray(names)})`),
  command('kql-project', `project\\s+${REST}`, 'KQL', (names) => `select(${fieldArray(names)})`),
  command('kql-summarize', `summarize\\s+(.+?)\\s+by\\s+${REST}`, 'KQL', groupCall),
  command('kql-summarize', `summarize\\s+${REST}`, 'KQL', (functions) => aggregates(functions)),
  command('kql-take', 'take\\s+(\\d+)', 'KQL', (count) => `tail(${count})`),
  command('kql-distinct', `distinct\\s+${REST}`, 'KQL', (keys) => `groupBy(${fieldList(keys)}, function=[])`),
  command('kql-mv-expand', `mv-expand\\s+${FIELD}`, 'KQL', (field) => `split(${field})`),
  command('kql-render', 'render\\s+timechart', 'KQL', () => 'timeChart()'),
  command(
    'kql-parse',
    `parse\\s+${FIELD}\\s+with\\s+${REST}`,
    'KQL',
    (field) => `regex("(?<name>…)", field=${field})`,
  ),

  infix(
    'sql-as',
    '(count|sum|avg|min|max)\\(([^()]*)\\)\\s+as\\s+(\\w+)',
    'SQL or SPL',
    (name, argument = '', output) =>
      `${name}(${[argument.replace(/^\s*\*\s*$/, ''), `as=${output}`].filter(Boolean).join(', ')})`,
  ),
  infix(
    'sql-in',
    `${FIELD}\\s+(not\\s+)?in\\s*[([]([^()[\\]]*)[)\\]]`,
    'SQL or KQL',
    (field, not = '', values = '') =>
      `${not === '' ? '' : '!'}in(${field}, values=[${values.trim().replace(/'([^'"]*)'/g, '"$1"')}])`,
  ),
  infix(
    'sql-count-distinct',
    `count\\s*\\(\\s*distinct\\s+${FIELD}\\s*\\)`,
    'SQL',
    (field) => `count(${field}, distinct=true)`,
  ),
  infix(
    'if-braces',
    'if\\s*\\(([^()]*)\\)\\s*\\{([^{}]*)\\}(?:\\s*else\\s*\\{([^{}]*)\\})?',
    'a script',
    (filter = '', then = '', otherwise = '') =>
      `case { ${filter.replaceAll('==', '=').trim()} | ${then.trim()}; *${otherwise.trim() === '' ? '' : ` | ${otherwise.trim()}`} }`,
  ),
  infix(
    'contains',
    `${FIELD}\\s+(?:contains|has)\\s+${STRING}`,
    'KQL',
    (field, text) => `${field}=${starred(text, '*', '*')}`,
  ),
  infix(
    'startswith',
    `${FIELD}\\s+startswith\\s+${STRING}`,
    'KQL',
    (field, text) => `${field}=${starred(text, '', '*')}`,
  ),
  infix(
    'endswith',
    `${FIELD}\\s+endswith\\s+${STRING}`,
    'KQL',
    (field, text) => `${field}=${starred(text, '*', '')}`,
  ),
  infix(
    'matches-regex',
    `${FIELD}\\s+matches\\s+regex\\s+${STRING}`,
    'KQL',
    (field, text) => `${field}=${asRegex(text)}`,
  ),
  infix(
    'between',
    `${FIELD}\\s+between\\s+\\(?\\s*(-?[\\d.]*\\d)\\s*(?:and|\\.\\.)\\s*(-?[\\d.]*\\d)\\s*\\)?`,
    'SQL or KQL',
    (field, from, to) => `${field} >= ${from} ${field} <= ${to}`,
  ),
  infix('is-not-null', `${FIELD}\\s+is\\s+not\\s+null\\b`, 'SQL', (field) => `${field}=*`),
  infix('is-null', `${FIELD}\\s+is\\s+null\\b`, 'SQL', (field) => `${field}!=*`),
  infix('and-mark', '&&', 'SPL, KQL or Lucene', () => 'and'),
  infix('lucene-exists', `_exists_:\\s*${FIELD}`, 'Lucene', (field) => `${field}=*`),
  infix(
    'lucene-range',
    '([\\w.@#-]+):[[{]\\s*(\\S+)\\s+TO\\s+([^\\s\\]}]+)\\s*[\\]}]',
    'Lucene',
    (field, from, to) =>
      [from !== '*' && `${field} >= ${from}`, to !== '*' && `${field} <= ${to}`].filter(Boolean).join(' ') ||
      `${field}=*`,
  ),
  infix(
    'lucene-comparison',
    '([\\w.@#-]+):\\s*([<>]=?)\\s*(-?[\\d.]+)',
    'Lucene',
    (field, mark, value) => `${field} ${mark} ${value}`,
  ),
  infix(
    'lucene-regex',
    '([A-Za-z_][\\w.@#-]+):(\\/[^/\\s]+\\/)',
    'Lucene',
    (field, pattern) => `${field}=${pattern}`,
  ),
  infix('lucene-string', `([A-Za-z_][\\w.@#-]*):${STRING}`, 'Lucene', (field, text) => `${field}=${text}`),
  infix(
    'lucene-alternatives',
    '([A-Za-z_][\\w.@#-]*):\\(([^()]*)\\)',
    'Lucene',
    (field, values = '') =>
      `in(${field}, values=[${values
        .split(/\s+(?:or\s+)?/i)
        .filter(Boolean)
        .join(', ')}])`,
  ),
  infix(
    'lucene-field',
    '(?<!\\S)([A-Za-z_][\\w.@#-]+):([\\w*][\\w*.-]*)(?!\\S)',
    'Lucene',
    (field, value) => `${field}=${value}`,
  ),
  infix(
    'assignment',
    '([A-Za-z_][\\w.]*)\\s*(?<![!<>:=])=(?![~=])\\s*([\\w.]+)\\s+([*+-])\\s+([\\w.]+)',
    'a comparison here',
    (name, left, operator, right) => `${name} := ${left} ${operator} ${right}`,
  ),
];

function splitNames(names: string): string[] {
  return names.split(/[\s,]+/).filter((name) => name !== '');
}

/** `a`, or `[a, b]` for several names. */
function fieldList(names = ''): string {
  const [first = '', ...others] = splitNames(names);
  return others.length === 0 ? first : fieldArray(names);
}

function fieldArray(names = ''): string {
  return `[${splitNames(names).join(', ')}]`;
}

function sortCall(field = '', order = ''): string {
  return order.toLowerCase() === 'desc' ? `sort(${field}, order=desc)` : `sort(${field}, order=asc)`;
}

function groupCall(functions = '', keys = ''): string {
  return `groupBy(${fieldList(keys)}, function=${aggregates(functions)})`;
}

/** `SELECT host, count(*) FROM logs WHERE level = 'error' GROUP BY host`, as far as one line can express it. */
function selectQuery(text = ''): string {
  const [, columns = '', rest = ''] = /^(.*?)(?:\s+from\s+\S+(.*))?$/is.exec(text) ?? [];
  const [, filter] = /\bwhere\s+(.+?)(?:\s+(?:group|order|limit)\b|$)/is.exec(rest) ?? [];
  const [, keys] = /\bgroup\s+by\s+(.+?)(?:\s+(?:order|limit|having)\b|$)/is.exec(rest) ?? [];
  const functions = splitCalls(columns).filter((column) => column.includes('('));
  const names = splitCalls(columns).filter((column) => !column.includes('(') && column !== '*');
  const last =
    keys !== undefined || (functions.length > 0 && names.length > 0)
      ? groupCall(functions.join(', ') || 'count()', keys ?? names.join(' '))
      : functions.length > 0
        ? aggregates(functions.join(', '))
        : names.length > 0 && `select(${fieldArray(names.join(' '))})`;
  return [filter?.replaceAll("'", '"'), last].filter(Boolean).join(' | ') || '*';
}

/** The parts between commas or spaces that are not inside parentheses; `as name` belongs to the part before it. */
function splitCalls(text: string): string[] {
  return (text.match(/[^\s,()]+(?:\([^()]*\))?(?:\s+as\s+\w+)?/gi) ?? []).map((part) => part.trim());
}

/** `count`, `count(*) as n`, `dc(host)` as functions of this language. */
function aggregates(text = ''): string {
  const calls = splitCalls(text.replace(/(\w+)\s*=\s*(\w+\([^()]*\))/g, '$2 as $1')).map((part) => {
    const [, name = part, argument = '', output] =
      /^([^\s()]+)(?:\(([^()]*)\))?(?:\s+as\s+(\w+))?/i.exec(part) ?? [];
    const isDistinct = /^(?:dc|distinct_count|dcount)$/i.test(name);
    const values = [
      argument.trim() === '*' ? '' : argument.trim(),
      isDistinct && 'distinct=true',
      output && `as=${output}`,
    ];
    return `${isDistinct ? 'count' : name}(${values.filter(Boolean).join(', ')})`;
  });
  return calls.length === 1 ? calls[0]! : `[${calls.join(', ')}]`;
}

function starred(text = '""', before: string, after: string): string {
  return `"${before}${text.slice(1, -1)}${after}"`;
}

function asRegex(text = '""'): string {
  return `/${text.slice(1, -1).replaceAll('/', '\\/')}/`;
}
