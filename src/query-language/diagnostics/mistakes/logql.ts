import { splitOutside } from './conversions.ts';
import { type MistakeRow, mistakesOf } from './mistake.ts';

const STREAM = '\\{([^{}]*)\\}\\s*((?:\\|[=~]?|!=|!~|\\s)[^[\\]]*)?';

const ROWS: readonly MistakeRow[] = [
  [
    'query',
    'logql-metric',
    new RegExp(`(?:count_over_time|rate)\\s*\\(\\s*${STREAM}\\[(\\w+)\\]\\s*\\)`),
    (labels, stages, span) => metric(labels, stages, `timeChart(span=${span}, function=count())`),
    'Write filter | timeChart(span=5m).',
  ],
  [
    'query',
    'logql-metric',
    new RegExp(
      `sum\\s+by\\s*\\(([^()]*)\\)\\s*\\(\\s*(?:count_over_time|rate)\\s*\\(\\s*${STREAM}\\[(\\w+)\\]\\s*\\)\\s*\\)`,
    ),
    (keys = '', labels, stages, span) =>
      metric(labels, stages, `timeChart(${keys.trim()}, span=${span}, function=count())`),
    'Write filter | timeChart(field, span=5m).',
  ],
  [
    'query',
    'logql-stream',
    new RegExp(STREAM),
    (labels, stages) => stream(labels, stages),
    'Write field=value | "text".',
  ],
  ['pipe', 'logql-contains', '= {text}', '{text}'],
  ['pipe', 'logql-matches', '~ {text}', '{text.regex}'],
  ['pipe', 'logql-json', 'json', 'parseJson()'],
  ['pipe', 'logql-logfmt', 'logfmt', 'kvParse()'],
  ['pipe', 'logql-regexp', 'regexp {text}', 'regex({text})'],
  ['pipe', 'logql-line-format', /line_format\s.*/, undefined, 'Write line := format("%s %s", field=[a, b]).'],
  ['pipe', 'logql-label-format', 'label_format {field}={field2}', 'rename({field2}, as={field})'],
  ['pipe', 'logql-pattern', /pattern\s+\S.*/, undefined, 'Write regex("(?<name>[^ ]+)").'],
];

const OPERATORS: Readonly<Record<string, (field: string, text: string) => string>> = {
  '=': (field, text) => `${field}=${text}`,
  '!=': (field, text) => `${field}!=${text}`,
  '=~': (field, text) => `${field}=${regex(text, true)}`,
  '!~': (field, text) => `${field}!=${regex(text, true)}`,
};

function regex(text: string, isWhole: boolean): string {
  const body = text.slice(1, -1).replaceAll('/', '\\/');
  return isWhole ? `/^(?:${body})$/` : `/${body}/`;
}

/** `{app="x"} |= "text" | json` as filters and steps; empty if a part is unknown. */
function stream(labels = '', stages = ''): string | undefined {
  if (!/^\s*[\w.]+\s*(?:=~?|![=~])\s*["`]/.test(labels)) return undefined;
  const filters = splitOutside(labels, /,/).map((label) => {
    const [, field = '', operator = '', text = ''] =
      /^([\w.]+)\s*(=~|!~|!=|=)\s*(["`].*["`])$/s.exec(label) ?? [];
    return OPERATORS[operator]?.(field, `"${text.slice(1, -1)}"`) ?? '';
  });
  const steps = stagesOf(stages);
  if (steps === undefined || filters.includes('')) return '';
  return [filters.join(' '), ...steps].join(' | ');
}

const STAGE = /\s*(?:(\|=|\|~|!=|!~)\s*("(?:[^"\\]|\\.)*"|`[^`]*`)|\|\s*([^|"]*(?:"[^"]*"[^|"]*)*))/y;

function stagesOf(text: string): string[] | undefined {
  const steps: string[] = [];
  STAGE.lastIndex = 0;
  for (let end = 0; end < text.trimEnd().length; end = STAGE.lastIndex) {
    const [found, operator, quotedText = '', step] = STAGE.exec(text) ?? [];
    if (found === undefined || found === '') return undefined;
    const plain = `"${quotedText.slice(1, -1)}"`;
    if (operator === '|=') steps.push(plain);
    else if (operator === '!=') steps.push(`not ${plain}`);
    else if (operator !== undefined)
      steps.push(`${operator === '!~' ? 'not ' : ''}${regex(quotedText, false)}`);
    else
      steps.push(
        step!.trim() === 'json' ? 'parseJson()' : step!.trim() === 'logfmt' ? 'kvParse()' : step!.trim(),
      );
  }
  return steps;
}

function metric(labels: string | undefined, stages: string | undefined, step: string): string | undefined {
  const events = stream(labels, stages);
  return events === undefined || events === '' ? events : `${events} | ${step}`;
}

export const LOGQL = mistakesOf('LogQL', ROWS);
