import { groupCall } from './conversions.ts';
import { mistakesOf } from './mistake.ts';

const STREAM = 'Write app=web host!=db | "text" | parseJson().';
const KEYS = String.raw`((?!by\b)[\w.@#]+(?:(?:\s*,\s*|\s+)(?!by\b)[\w.@#]+)*)`;

const ROWS = String.raw`
query logql-stream: /\{\s*([\w.]+)\s*(!?=)\s*("[^"]*")\s*\}(\s*\|(?![=~]).*)?/ ==> $1$2$3$4 ## ${STREAM}
query logql-stream: {{field}={text}} |= {text2} ==> {field}={text} | {text2}
query logql-stream: {{field}={text}} |~ {text2} ==> {field}={text} | {text2.regex}
query logql-stream: {{field}={text}} != {text2} ==> {field}={text} | not {text2}
query logql-stream: {{field}={text}, {field2}={text2}} ==> {field}={text} {field2}={text2}
query logql-stream: /\{\s*[\w.]+\s*(?:=~?|![=~])\s*["${'`'}].*/ ## ${STREAM}
query logql-metric: /(?:(?:sum|avg|max|min|topk|bottomk)\b.*?\()?\s*(?:\w+_over_time|(?:bytes_)?rate|increase)\s*\(.*/ ## Write app=web | timeChart(host, span=5m, function=count()).
command logql-command: decolorize ## Write replace("\x1b\[[0-9;]*m", with="", field=@rawstring).
command logql-command: keep ## Write select([a, b]).
command logql-command: unpack ## Write parseJson().
command logql-command: unwrap ## Write avg(field).
pipe logql-contains: = {text} ==> {text}
pipe logql-matches: ~ {text} ==> {text.regex}
pipe logql-json: json ==> parseJson()
pipe logql-logfmt: logfmt ==> kvParse()
pipe logql-regexp: regexp {text} ==> regex({text})
pipe logql-line-format: /line_format\s.*/ ## Write line := format("%s %s", field=[a, b]).
pipe logql-label-format: label_format {field}={field2} ==> rename({field2}, as={field})
pipe logql-pattern: /pattern\s+\S.*/ ## Write regex("(?<name>[^ ]+)").
step aggregate-by: /(\w+(?:\([^()]*\))?(?:\s+as\s+\w+)?)\s+by\s+\(?${KEYS}\)?/ ==> @group ## Write groupBy(field, function=count()).
step aggregate-by: /(\w+)\s+by\s*\(${KEYS}\)\s*\(\s*([\w.@#]+)\s*\)/ ==> @groupOf ## Write groupBy(field, function=sum(field)).
`;

export const LOGQL = mistakesOf('LogQL', ROWS, {
  group: ([calls, keys]) => groupCall(calls, keys) || undefined,
  groupOf: ([name, keys, field]) => groupCall(`${name}(${field})`, keys) || undefined,
});
