import { tryOr } from '../../../core/try-or.ts';
import { regexLiteral } from '../../printer.ts';
import { groupCall, splitOutside, written } from './conversions.ts';
import { mistakesOf, TIME } from './mistake.ts';
import { comparand, contentOf, exactly, freeText, ofWholeText, oneOf, term, wholeValue } from './strings.ts';
import { epochMs } from './times.ts';

const NAME = String.raw`([A-Za-z_@][\w.@#-]*)`;
const VALUE = String.raw`("[^"]*"|(?:[\w*]|\\[^\w\s"])(?:[\w*.$/-]|\\.)*)(?![^\s)])`;
const START = String.raw`(?<![^\s(])`;

const LUCENE_ROWS = String.raw`
query lucene-all: *:* ==> *
test lucene-exists: _exists_:{field} ==> {field}=*
test lucene-missing: _missing_:{field} ==> {field}!=*
test lucene-range: /[\w.@#]+:(?:[[{]\s*(?:\S*now\S*\s+to\s+\S+|\S+\s+to\s+now\S*)\s*[\]}]|\s*[<>]=?\s*now\b\S*)/ ## ${TIME}
test lucene-range: /@NAME@:[[{]\s*\d+(?:\.\d+){3}\s+to\s.*?[\]}]/ ## Write cidr($1, subnet="10.0.0.0/8").
test lucene-range: /@NAME@:([[{])\s*("[^"]*"|\S+)\s+to\s+("[^"]*"|\S+?)\s*([\]}])/ ==> @range ## Write field >= 5 field < 10.
test lucene-range: /${NAME}:\s*\(\s*[<>][^()]*\)/ ## Write $1 > 5 $1 < 10.
test lucene-comparison: /${NAME}:\s*([<>]=?)\s*("[^"]*"|[^\s()"]+)/ ==> @compared ## Write $1 > 5, or in($1, values=[a, b]) for text.
test lucene-regex: /${NAME}:\s?\/([^\/\n]+)\// ==> @regex ## Write field=/text/.
test lucene-fuzzy: /(?:${NAME}:|${START})(?:\w+~[\d.]*|"[^"]*"~)(?![^\s)])/ ## Write test(text:editDistance(target=field, reference="value", maxDistance=2) <= 1).
test lucene-proximity: /(?:${NAME}:|${START})"[^"]*"~\d+(?![^\s)])/ ## Write field=/one.{0,20}two/ for words near each other.
test lucene-boost: /(?:${NAME}:|${START})("[^"]*"|[A-Za-z][\w.-]*)\^\d[\d.]*(?![^\s)])/ ==> @equals ## Write field=value: all events count the same.
test lucene-excluded: /${START}(?:-|!(?=[\w.@#-]+:))${NAME}[:=]${VALUE}/ ==> @differs ## Write field!=value.
test lucene-required: /(?<!\S)\+[a-z]\w*\s+[-+]\w+(?!\S)/ ## Write one not other.
test lucene-required: /${START}\+${NAME}:${VALUE}/ ==> @equals ## Write field=value.
test lucene-string: /${NAME}\s?:\s?("[^"]*")(?!~)/ ==> @equals ## Write field="value".
test lucene-alternatives: /${NAME}\s?:\s?\(([^()]*)\)/ ==> @listed ## Write in(field, values=[a, b]).
test lucene-wildcard: /${NAME}(?::|\s*=\s*)(?=[\w.*-]*[\w.-]\?)([\w.*-]+\?[\w.*?-]*)(?![^\s)])/ ==> @equals ## Write field=/\Aweb.1\z/.
test lucene-field: /${START}(?!\w:)${NAME}:${VALUE}/ ==> @equals ## Write field=value.
test lucene-field: /${START}${NAME}\s?:\s(?!\s)${VALUE}(?=\s*(?:$|[|&)]|(?:and|or|not)\b))/ ==> @spaced ## Write field=value.
`;

/** Clauses that only spaces join, neither excluded nor both required: some services mean `or`. */
export const CLAUSES_IN_ROW = new RegExp(
  String.raw`(?<![^\s(+]|\bnot\s+)${NAME}:(?:[<>]=?\s*)?(?:["/[({][^"/\])}]*["/\])}]|[^\s=:"/[({<>][^\s"]*)\s+(?!(?:and|or|not)\b|[-+!&|)=<>]|[\w.@#]+\s*[=<>!])\S`,
  'i',
);

const MESSAGE = /(?:^|\.)(?:message|msg)$/;

/** What a value, alone or in a list, is compared with. The words of a message are searched for, without case. */
function ofIndex(field: string, value: string): string {
  if (!MESSAGE.test(field)) return exactly(value);
  if (value.startsWith('"')) return term(value);
  return term(value.replace(/\\(.)/g, '$1'), '[a-z0-9]', /[a-z0-9?]/i);
}

/** Whether `field: value`, which may be words of a message, has the name of a field. */
function isField(field: string, phrase: string): boolean {
  if (/(?:error|exception|warning|info|debug|fatal)$/i.test(field)) return false;
  return (
    /^(?:level|status|host|service|method|severity)$|[a-z][A-Z]|\w\.\w/.test(field) ||
    /\S\s+(?:and|or)(?:\s+not)?\s+\(?[\w.@-]+\s?:/i.test(phrase)
  );
}

export const LUCENE = mistakesOf('Lucene', LUCENE_ROWS, {
  // A regex matches a whole value, or a word of a message.
  regex: ([field = '', body = '']) =>
    `${field}=${MESSAGE.test(field) ? regexLiteral(body) : wholeValue(body.includes('|') ? `(?:${body})` : body)}`,
  // A bracket includes its bound, and a brace doesn't.
  range([name = '', open, least = '', most = '', close]) {
    const limit = (operator: string, text: string) =>
      text === '*' ? '' : `${written(name)} ${operator} ${epochMs(text, operator) ?? text}`;
    const from = limit(open === '[' ? '>=' : '>', least);
    const to = limit(close === ']' ? '<=' : '<', most);
    return `${from} ${to}`.trim() || `${written(name)}=*`;
  },
  compared([name = '', operator, text = '']) {
    const number = epochMs(text, operator) ?? /^-?\d+(?:\.\d+)?$/.exec(text)?.[0];
    return number === undefined ? '' : `${written(name)} ${operator} ${number}`;
  },
  spaced: ([field = '', value = ''], { phrase = '' }) =>
    value.includes('*') || isField(field, phrase) ? `${field}=${ofIndex(field, value)}` : undefined,
  equals: ([field = '', value = '']) => (field ? `${field}=${ofIndex(field, value)}` : term(value)),
  differs: ([field = '', value = '']) => `${field}!=${ofIndex(field, value)}`,
  listed([field = '', values = '']) {
    const words = values.match(/"(?:\\.|[^"\\])*"|(?:\\.|[^\s"\\])+/g) ?? [];
    const operator = /^(?:and|not|to|null|&&|\|\|)$|^[-+!/<>~^]|^[^"].*(?<!\\)[~^:]/i;
    if (words.some((one) => operator.test(one))) return '';
    const all = words.filter((one) => !/^or$/i.test(one)).map((one) => ofIndex(field, one));
    // A list contains neither regexes nor subnets.
    if (all.some((one) => /^\/|^[\d.]+\/\d+$/.test(one)))
      return all.map((one) => `${field}=${one}`).join(' or ');
    return oneOf(field, all, { arePatterns: true });
  },
});

const KEYS = String.raw`((?!by\b)[\w.@#]+(?:(?:\s*,\s*|\s+)(?!by\b)[\w.@#]+)*)`;

const LOGQL_ROWS = String.raw`
query logql-stream: /\{(\s*[\w.]+\s*(?:=~?|![=~])\s*["${'`'}'][^{}]*)\}(.*)/ ==> @stream ## For example, write app=web host!=db | "text" | parseJson().
query logql-metric: /(?:(?:sum|avg|max|min|topk|bottomk)\b.*?\()?\s*(?:\w+_over_time|(?:bytes_)?rate|increase)\s*\(.*/ ## For example, write app=web | timeChart(host, span=5m, function=count()).
command logql-command: decolorize line_format pattern unpack unwrap ## For example, write replace("a", with="b", field=field), select([a, b]), parseJson() or format("%s", field=a).
command keep-fields: keep ## Write select([a, b]).
pipe logql-contains: = {text} ==> {text.free}
pipe logql-matches: ~ {text} ==> {text.re2}
pipe logql-json: json ==> parseJson()
pipe logql-logfmt: logfmt ==> kvParse()
pipe logql-label-format: label_format {field}={field2} ==> rename({field2}, as={field})
step aggregate-by: /(\w+(?:\([^()]*\))?(?:\s+as\s+\w+)?)\s+by\s+\(?${KEYS}\)?/ ==> @group ## Write groupBy(field, function=count()).
step aggregate-by: /(\w+)\s+by\s*\(${KEYS}\)\s*\(\s*([\w.@#]+)\s*\)/ ==> @groupOf ## Write groupBy(field, function=sum(field)).
`;

export const LOGQL = mistakesOf('LogQL', LOGQL_ROWS, {
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
    const value = isRegex ? wholeValue(`(?:${ofWholeText(content, '\\z')})`) : comparand(text, 'equals');
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
    const filter = mark.endsWith('~') ? regexLiteral(ofWholeText(contentOf(text), '\\z')) : freeText(text);
    steps.push(mark.startsWith('!') ? `not ${filter}` : filter);
    left = left.slice(found.length);
  }
  return filters.includes('') || !/^\s*(?:\||$)/.test(left) ? '' : steps.join(' | ') + left;
}
