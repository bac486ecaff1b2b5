import { type MistakeRow, mistakesOf } from './mistake.ts';

const NAME = '([A-Za-z_@][\\w.@#-]*)';

const ROWS: readonly MistakeRow[] = [
  ['query', 'lucene-all', '*:*', '*'],
  ['part', 'lucene-exists', '_exists_:{field}', '{field}=*'],
  ['part', 'lucene-missing', '_missing_:{field}', '{field}!=*'],
  [
    'part',
    'lucene-range',
    new RegExp(`${NAME}:\\s*([[{])\\s*(\\S+)\\s+TO\\s+([^\\s\\]}]+)\\s*([\\]}])`),
    range,
    'Write field >= 1 field <= 5.',
  ],
  [
    'part',
    'lucene-comparison',
    new RegExp(`${NAME}:\\s*([<>]=?)\\s*(-?[\\d.]+)`),
    (field, mark, value) => `${field} ${mark} ${value}`,
    'Write field > 5.',
  ],
  [
    'part',
    'lucene-regex',
    new RegExp(`${NAME}:(\\/[^/\\n]+\\/)`),
    (field, pattern) => `${field}=${pattern}`,
    'Write field=/text/.',
  ],
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
    new RegExp(`${NAME}:\\w+~\\d?(?![\\w/])`),
    undefined,
    'Write test(text:editDistance(target=field, reference="value") <= 1).',
  ],
  [
    'part',
    'lucene-boost',
    new RegExp(`${NAME}:([\\w.-]+)\\^[\\d.]+`),
    (field, value) => `${field}=${value}`,
    'Write field=value: all events count the same.',
  ],
  [
    'part',
    'lucene-excluded',
    new RegExp(`(?<!\\S)[-!]${NAME}:("[^"]*"|[\\w*][\\w*.-]*)(?!\\S)`),
    (field, value) => `${field}!=${value}`,
    'Write field!=value.',
  ],
  [
    'part',
    'lucene-required',
    new RegExp(`(?<!\\S)\\+${NAME}:("[^"]*"|[\\w*][\\w*.-]*)(?!\\S)`),
    (field, value) => `${field}=${value}`,
    'Write field=value.',
  ],
  [
    'part',
    'lucene-string',
    new RegExp(`${NAME}\\s?:\\s?("[^"]*")(?!~)`),
    (field, text) => `${field}=${text}`,
    'Write field="value".',
  ],
  [
    'part',
    'lucene-alternatives',
    new RegExp(`${NAME}:\\(([^()]*)\\)`),
    alternatives,
    'Write in(field, values=[a, b]).',
  ],
  [
    'part',
    'lucene-wildcard',
    new RegExp(`${NAME}[:=](?=[\\w.*-]*\\w\\?)([\\w.*-]+\\?[\\w.*?-]*)(?!\\S)`),
    (field, text = '') =>
      `${field}=/^${text.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')}$/`,
    'Write field=/^web.1$/.',
  ],
  [
    'part',
    'lucene-field',
    new RegExp(`(?<!\\S)${NAME}:([\\w*][\\w*.-]*)(?!\\S)`),
    (field, value = '') => (isName(field) ? `${field}=${value}` : undefined),
    'Write field=value.',
  ],
  [
    'part',
    'lucene-field',
    /(?<!\S)(level|status|host|service|method|severity|log\.level)\s?:\s([\w*][\w*.-]*)(?!\S)/,
    (field, value) => `${field}=${value}`,
    'Write field=value.',
  ],
];

/** Not a drive or a protocol. */
function isName(field = ''): boolean {
  return field.length > 1;
}

/** `[1 TO 5]`, or `{1 TO 5}` without the ends. */
function range(field = '', opening = '', from = '', to = '', closing = ''): string {
  const lower = from !== '*' && `${field} >${opening === '[' ? '=' : ''} ${from}`;
  const upper = to !== '*' && `${field} <${closing === ']' ? '=' : ''} ${to}`;
  return [lower, upper].filter(Boolean).join(' ') || `${field}=*`;
}

function alternatives(field = '', text = ''): string {
  if (/\band\b/i.test(text)) return '';
  const values = text.match(/"[^"]*"|[^\s,]+/g)?.filter((value) => !/^or$/i.test(value)) ?? [];
  return values.length === 0 ? '' : `in(${field}, values=[${values.join(', ')}])`;
}

export const LUCENE = mistakesOf('Lucene', ROWS);
