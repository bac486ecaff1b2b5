import { type MistakeRow, mistakesOf } from './mistake.ts';

const ROWS: readonly MistakeRow[] = [
  [
    'query',
    'logql-stream',
    /\{\s*([\w.]+)\s*(!?=)\s*("[^"]*")\s*\}(\s*\|(?![=~]).*)?/,
    '$1$2$3$4',
    'Write app=web.',
  ],
  ['query', 'logql-stream', '{{field}={text}} |= {text2}', '{field}={text} | {text2}'],
  ['query', 'logql-stream', '{{field}={text}} |~ {text2}', '{field}={text} | {text2.regex}'],
  ['query', 'logql-stream', '{{field}={text}} != {text2}', '{field}={text} | not {text2}'],
  ['query', 'logql-stream', '{{field}={text}, {field2}={text2}}', '{field}={text} {field2}={text2}'],
  [
    'query',
    'logql-stream',
    /\{\s*[\w.]+\s*(?:=~?|![=~])\s*["`].*/,
    undefined,
    'Write app=web host!=db | "text" | parseJson().',
  ],
  [
    'query',
    'logql-metric',
    /(?:sum\b.*?\()?\s*(?:count_over_time|rate)\s*\(.*/,
    undefined,
    'Write app=web | timeChart(host, span=5m, function=count()).',
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

export const LOGQL = mistakesOf('LogQL', ROWS);
