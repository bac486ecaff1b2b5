import { groupCall } from './conversions.ts';
import { commands, type MistakeRow, mistakesOf } from './mistake.ts';

const KEYS = '((?!by\\b)[\\w.@#]+(?:(?:\\s*,\\s*|\\s+)(?!by\\b)[\\w.@#]+)*)';

const ROWS: readonly MistakeRow[] = [
  [
    'query',
    'logql-stream',
    /\{\s*([\w.]+)\s*(!?=)\s*("[^"]*")\s*\}(\s*\|(?![=~]).*)?/,
    '$1$2$3$4',
    'Write app=web host!=db | "text" | parseJson().',
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
    /(?:(?:sum|avg|max|min|topk|bottomk)\b.*?\()?\s*(?:\w+_over_time|(?:bytes_)?rate|increase)\s*\(.*/,
    undefined,
    'Write app=web | timeChart(host, span=5m, function=count()).',
  ],
  ...commands('logql-command', {
    decolorize: 'Write replace("\\x1b\\[[0-9;]*m", with="", field=@rawstring).',
    keep: 'Write select([a, b]).',
    unpack: 'Write parseJson().',
    unwrap: 'Write avg(field).',
  }),
  ['pipe', 'logql-contains', '= {text}', '{text}'],
  ['pipe', 'logql-matches', '~ {text}', '{text.regex}'],
  ['pipe', 'logql-json', 'json', 'parseJson()'],
  ['pipe', 'logql-logfmt', 'logfmt', 'kvParse()'],
  ['pipe', 'logql-regexp', 'regexp {text}', 'regex({text})'],
  ['pipe', 'logql-line-format', /line_format\s.*/, undefined, 'Write line := format("%s %s", field=[a, b]).'],
  ['pipe', 'logql-label-format', 'label_format {field}={field2}', 'rename({field2}, as={field})'],
  ['pipe', 'logql-pattern', /pattern\s+\S.*/, undefined, 'Write regex("(?<name>[^ ]+)").'],
  [
    'step',
    'aggregate-by',
    new RegExp(`(\\w+(?:\\([^()]*\\))?(?:\\s+as\\s+\\w+)?)\\s+by\\s+\\(?${KEYS}\\)?`),
    (calls, keys) => groupCall(calls, keys) || undefined,
    'Write groupBy(field, function=count()).',
  ],
  [
    'step',
    'aggregate-by',
    new RegExp(`(\\w+)\\s+by\\s*\\(${KEYS}\\)\\s*\\(\\s*([\\w.@#]+)\\s*\\)`),
    (name, keys, field) => groupCall(`${name}(${field})`, keys) || undefined,
    'Write groupBy(field, function=sum(field)).',
  ],
];

export const LOGQL = mistakesOf('LogQL', ROWS);
