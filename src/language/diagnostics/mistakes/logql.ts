import { tryOr } from '../../../core/try-or.ts';
import { groupCall, splitOutside } from './conversions.ts';
import { mistakesOf } from './mistake.ts';
import { comparand, contentOf, freeText, regexLiteral } from './strings.ts';

const STREAM = 'Write app=web host!=db | "text" | parseJson().';
const KEYS = String.raw`((?!by\b)[\w.@#]+(?:(?:\s*,\s*|\s+)(?!by\b)[\w.@#]+)*)`;

const ROWS = String.raw`
query logql-stream: /\{(\s*[\w.]+\s*(?:=~?|![=~])\s*["${'`'}'][^{}]*)\}(.*)/ ==> @stream ## ${STREAM}
query logql-metric: /(?:(?:sum|avg|max|min|topk|bottomk)\b.*?\()?\s*(?:\w+_over_time|(?:bytes_)?rate|increase)\s*\(.*/ ## Write app=web | timeChart(host, span=5m, function=count()).
command logql-command: decolorize ## Write replace("\x1b\[[0-9;]*m", with="", field=@rawstring).
command logql-command: keep ## Write select([a, b]).
command logql-command: unpack ## Write parseJson().
command logql-command: unwrap ## Write avg(field).
pipe logql-contains: = {text} ==> {text.free}
pipe logql-matches: ~ {text} ==> {text.regex}
pipe logql-json: json ==> parseJson()
pipe logql-logfmt: logfmt ==> kvParse()
pipe logql-regexp: regexp {text} ==> regex({text}, strict=false)
pipe logql-line-format: /line_format\s.*/ ## Write line := format("%s %s", field=[a, b]).
pipe logql-label-format: label_format {field}={field2} ==> rename({field2}, as={field})
pipe logql-pattern: /pattern\s+\S.*/ ## Write regex("(?<name>[^ ]+)").
step aggregate-by: /(\w+(?:\([^()]*\))?(?:\s+as\s+\w+)?)\s+by\s+\(?${KEYS}\)?/ ==> @group ## Write groupBy(field, function=count()).
step aggregate-by: /(\w+)\s+by\s*\(${KEYS}\)\s*\(\s*([\w.@#]+)\s*\)/ ==> @groupOf ## Write groupBy(field, function=sum(field)).
`;

export const LOGQL = mistakesOf('LogQL', ROWS, {
  stream,
  group: ([calls, keys]) => groupCall(calls, keys) || undefined,
  groupOf: ([name, keys, field]) => groupCall(`${name}(${field})`, keys) || undefined,
});

const STRING = '"[^"]*"|`[^`]*`';
const LABEL = new RegExp(`^([\\w.]+)\\s*(=~|!~|!?=)\\s*(${STRING})$`);
const LINE = new RegExp(`^\\s*(\\|=|!=|\\|~|!~)\\s*(${STRING})`);

/** `{host="a", level=~"b"} |= "c" != "d" | json` as filters and steps; empty if a part of it is something else. */
function stream([labels = '', rest = '']: readonly string[]): string {
  const filters = splitOutside(labels, /,/).map((label) => {
    const [, name = '', mark = '', text = ''] = LABEL.exec(label) ?? [];
    const content = contentOf(text);
    const isRegex = mark.endsWith('~');
    const isNot = mark.startsWith('!');
    // The regex of a label matches all of it.
    const value = isRegex ? regexLiteral(`^(?:${content})$`) : comparand(text, 'equals');
    const filter = `${name}${isNot ? '!=' : '='}${value}`;
    // A label that is absent is empty.
    const matchesEmpty = () => new RegExp(`^(?:${content.replace(/^\(\?i\)/, '')})$`).test('');
    if (name === '') return '';
    if (!(isRegex ? tryOr(false, matchesEmpty) : content === '')) return filter;
    return isNot ? `${name}=* ${filter}` : `(${filter} or ${name}!=*)`;
  });
  const steps = [filters.join(' ')];
  let left = rest;
  for (let line = LINE.exec(left); line !== null; line = LINE.exec(left)) {
    const [found, mark = '', text = ''] = line;
    const filter = mark.endsWith('~') ? regexLiteral(contentOf(text)) : freeText(text);
    steps.push(mark.startsWith('!') ? `not ${filter}` : filter);
    left = left.slice(found.length);
  }
  return filters.includes('') || !/^\s*(?:\||$)/.test(left) ? '' : steps.join(' | ') + left;
}
