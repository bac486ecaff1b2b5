import { escapeRegex } from '../../../core/escape-regex.ts';
import { mistakesOf, TIME } from './mistake.ts';
import { exactly, oneOf } from './strings.ts';

const NAME = String.raw`([A-Za-z_@][\w.@#-]*)`;
const VALUE = String.raw`("[^"]*"|[\w*][\w*.-]*)(?![^\s)])`;
const START = String.raw`(?<![^\s(])`;

const ROWS = String.raw`
query lucene-all: *:* ==> *
test lucene-exists: _exists_:{field} ==> {field}=*
test lucene-missing: _missing_:{field} ==> {field}!=*
test lucene-range: /[\w.@#]+:[[{]\s*(?:\S*now\S*\s+to\s+\S+|\S+\s+to\s+now\S*)\s*[\]}]/ ## ${TIME}
test lucene-range: {field}:[* TO {end}] ==> {field} <= {end}
test lucene-range: {field}:[{end} TO *] ==> {field} >= {end}
test lucene-range: {field}:[{end} TO {end2}] ==> {field} >= {end} {field} <= {end2}
test lucene-range: {field}:{{end} TO {end2}} ==> {field} > {end} {field} < {end2}
test lucene-comparison: /${NAME}:\s*([<>]=?)\s*(-?[\d.]+)/ ==> $1 $2 $3 ## Write field > 5.
test lucene-regex: /${NAME}:\s?(\/[^\/\n]+\/)/ ==> $1=$2 ## Write field=/text/.
test lucene-proximity: /(?:${NAME}:)?"[^"]*"~\d+/ ## Words near each other are a regex: write field=/one.{0,20}two/.
test lucene-fuzzy: /(?:${NAME}:|${START})\w+~\d?(?![^\s)])/ ## Write test(text:editDistance(target=field, reference="value") <= 1).
test lucene-boost: /${NAME}:([\w.-]+)\^[\d.]+/ ==> $1=$2 ## Write field=value: all events count the same.
test lucene-excluded: /${START}[-!]${NAME}:${VALUE}/ ==> @differs ## Write field!=value.
test lucene-required: /(?<!\S)\+[a-z]\w*\s+[-+]\w+(?!\S)/ ## Write one not other.
test lucene-required: /${START}\+${NAME}:${VALUE}/ ==> @equals ## Write field=value.
test lucene-string: /${NAME}\s?:\s?("[^"]*")(?!~)/ ==> @equals ## Write field="value".
test lucene-alternatives: /${NAME}:\(([^()]*)\)/ ==> @listed ## Write in(field, values=[a, b]).
test lucene-wildcard: /${NAME}[:=](?=[\w.*-]*\w\?)([\w.*-]+\?[\w.*?-]*)(?![^\s)])/ ==> @wildcard ## Write field=/^web.1$/.
test lucene-field: /${START}(?!\w:)${NAME}:([\w*][\w*.-]*)(?![^\s)])/ ==> $1=$2 ## Write field=value.
test lucene-field: /${START}((?:level|status|host|service|method|severity|log\.level)(?=\s?:\s)|[A-Za-z]\w*(?:\.\w+)+(?=\s:\s))\s?:\s([\w*][\w*.-]*)(?![^\s)])/ ==> $1=$2 ## Write field=value.
`;

export const LUCENE = mistakesOf('Lucene', ROWS, {
  equals: ([field, value = '']) => `${field}=${exactly(value)}`,
  differs: ([field, value = '']) => `${field}!=${exactly(value)}`,
  listed([field = '', values = '']) {
    if (/\b(?:AND|NOT|TO)\b|[+-]/.test(values)) return '';
    const all = values.match(/"[^"]*"|[^\s"]+/g) ?? [];
    return oneOf(
      field,
      all.filter((one) => !/^or$/i.test(one)),
    );
  },
  wildcard: ([field, text = '']) =>
    `${field}=/^${escapeRegex(text).replaceAll('\\?', '.').replaceAll('\\*', '.*')}$/`,
});
