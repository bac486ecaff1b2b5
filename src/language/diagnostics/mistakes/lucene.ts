import { type MistakeRow, mistakesOf } from './mistake.ts';

const NAME = '([A-Za-z_@][\\w.@#-]*)';

const ROWS: readonly MistakeRow[] = [
  ['query', 'lucene-all', '*:*', '*'],
  ['part', 'lucene-exists', '_exists_:{field}', '{field}=*'],
  ['part', 'lucene-missing', '_missing_:{field}', '{field}!=*'],
  [
    'part',
    'lucene-range',
    /[\w.@#]+:[[{]\s*(?:\S*now\S*\s+to\s+\S+|\S+\s+to\s+now\S*)\s*[\]}]/,
    undefined,
    'Set the time interval of the query instead, or start it with setTimeInterval(start=1h).',
  ],
  ['part', 'lucene-range', '{field}:[* TO {end}]', '{field} <= {end}'],
  ['part', 'lucene-range', '{field}:[{end} TO *]', '{field} >= {end}'],
  ['part', 'lucene-range', '{field}:[{end} TO {end2}]', '{field} >= {end} {field} <= {end2}'],
  ['part', 'lucene-range', '{field}:{{end} TO {end2}}', '{field} > {end} {field} < {end2}'],
  ['part', 'lucene-range', '{field}:[{end} TO {end2}}', '{field} >= {end} {field} < {end2}'],
  ['part', 'lucene-range', '{field}:{{end} TO {end2}]', '{field} > {end} {field} <= {end2}'],
  [
    'part',
    'lucene-comparison',
    new RegExp(`${NAME}:\\s*([<>]=?)\\s*(-?[\\d.]+)`),
    '$1 $2 $3',
    'Write field > 5.',
  ],
  ['part', 'lucene-regex', new RegExp(`${NAME}:\\s?(\\/[^/\\n]+\\/)`), '$1=$2', 'Write field=/text/.'],
  [
    'part',
    'lucene-proximity',
    new RegExp(`(?:${NAME}:)?"[^"]*"~\\d+`),
    undefined,
    'Words near each other are a regex: write field=/one.{0,20}two/.',
  ],
  [
    'part',
    'lucene-fuzzy',
    new RegExp(`(?:${NAME}:|(?<![^\\s(]))\\w+~\\d?(?![^\\s)])`),
    undefined,
    'Write test(text:editDistance(target=field, reference="value") <= 1).',
  ],
  [
    'part',
    'lucene-boost',
    new RegExp(`${NAME}:([\\w.-]+)\\^[\\d.]+`),
    '$1=$2',
    'Write field=value: all events count the same.',
  ],
  [
    'part',
    'lucene-excluded',
    new RegExp(`(?<![^\\s(])[-!]${NAME}:("[^"]*"|[\\w*][\\w*.-]*)(?![^\\s)])`),
    '$1!=$2',
    'Write field!=value.',
  ],
  ['part', 'lucene-required', /(?<!\S)\+[a-z]\w*\s+[-+]\w+(?!\S)/, undefined, 'Write one not other.'],
  [
    'part',
    'lucene-required',
    new RegExp(`(?<![^\\s(])\\+${NAME}:("[^"]*"|[\\w*][\\w*.-]*)(?![^\\s)])`),
    '$1=$2',
    'Write field=value.',
  ],
  ['part', 'lucene-string', new RegExp(`${NAME}\\s?:\\s?("[^"]*")(?!~)`), '$1=$2', 'Write field="value".'],
  ['part', 'lucene-alternatives', '{field}:({value} OR {value2})', 'in({field}, values=[{value}, {value2}])'],
  [
    'part',
    'lucene-alternatives',
    '{field}:({value} OR {value2} OR {value3})',
    'in({field}, values=[{value}, {value2}, {value3}])',
  ],
  ['part', 'lucene-alternatives', '{field}:({value} {value2})', 'in({field}, values=[{value}, {value2}])'],
  [
    'part',
    'lucene-alternatives',
    new RegExp(`${NAME}:\\(.*\\)`),
    undefined,
    'Write in(field, values=[a, b]).',
  ],
  [
    'part',
    'lucene-wildcard',
    new RegExp(`${NAME}[:=](?=[\\w.*-]*\\w\\?)([\\w.*-]+\\?[\\w.*?-]*)(?![^\\s)])`),
    (field, text = '') =>
      `${field}=/^${text.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')}$/`,
    'Write field=/^web.1$/.',
  ],
  [
    'part',
    'lucene-field',
    // Not a drive.
    new RegExp(`(?<![^\\s(])(?!\\w:)${NAME}:([\\w*][\\w*.-]*)(?![^\\s)])`),
    '$1=$2',
    'Write field=value.',
  ],
  [
    'part',
    'lucene-field',
    /(?<![^\s(])((?:level|status|host|service|method|severity|log\.level)(?=\s?:\s)|[A-Za-z]\w*(?:\.\w+)+(?=\s:\s))\s?:\s([\w*][\w*.-]*)(?![^\s)])/,
    '$1=$2',
    'Write field=value.',
  ],
];

export const LUCENE = mistakesOf('Lucene', ROWS);
