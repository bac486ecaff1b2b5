import { regexLiteral } from '../../printer.ts';
import { aggregates, fieldArray, fieldList, present, written } from './conversions.ts';
import { OWN, SEARCH, WHERE, type WriteContext } from './dialect.ts';
import {
  asTerm,
  contentOf,
  freeText,
  grepped,
  like,
  ofWholeText,
  quoted,
  TEXT,
  term,
  wholeValue,
} from './strings.ts';
import { epochMs, known, timeField } from './times.ts';

const FIELD = '(?!(?:and|or|not|by|as|asc|desc)\\b)[A-Za-z_@#][\\w.@#-]*';

/** Patterns of the placeholders, and examples of them. */
export const PLACEHOLDERS: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  field: [FIELD, 'field'],
  fields: [`${FIELD}(?:(?:\\s*,\\s*|\\s+)${FIELD})*`, 'field'],
  listed: [`${FIELD}(?:\\s*,\\s*${FIELD})+`, 'field, field2'],
  count: ['\\d+', '10'],
  number: ['-?\\d+(?:\\.\\d+)?', '10'],
  time: [`${TEXT}|datetime\\([^()]*\\)`, '"2026-01-01"'],
  span: ['\\d+[a-z]+', '5m'],
  text: [TEXT, '"text"'],
  value: [`${TEXT}|[^\\s"'()|,;=<>{}[\\]/~^:]+`, 'value'],
  word: ['\\w[\\w-]*', 'text'],
  values: ['[^()[\\]]*', '"a", "b"'],
  regex: ['/[^/\\n]*/[a-z]*', '/text/'],
  calls: ['\\S.*?', 'count()'],
  filter: [
    '(?=.*(?:[=<>~!:]|\\bis\\s+(?:not\\s+)?null|\\b(?:in|between|[ir]?like|regexp|matches|similar to|(?:contains|includes|has|starts|ends)\\w*)\\b|\\w\\())\\S.*?',
    'field="value"',
  ],
  term: ['[^\\s(),=](?:[^(),=]*[^\\s(),=])?', 'value'],
  rest: ['\\S.*?', 'field'],
};

/** How the parts are written, by name or by the form after it; otherwise as typed. */
export const WRITTEN: Readonly<Record<string, (text: string, context: WriteContext) => string>> = {
  field: written,
  '.time': (name) => written(timeField(name)),
  fields: fieldList,
  listed: fieldArray,
  '.array': fieldArray,
  '.timed': (names, { rest = '' }) => {
    const needed = [TIMED.test(rest) ? '_time' : '', SEARCHED.test(rest) ? '_raw' : ''];
    return fieldArray(
      [...needed.filter((name) => !fieldArray(names).includes(known(name))), names].join(' '),
    );
  },
  '.tabular': (names, { rest = '' }) => (SEARCHED.test(rest) && !/_raw/.test(names) ? '' : fieldArray(names)),
  '.present': present,
  text: quoted,
  value: (text) => (/^@?["']/.test(text) ? quoted(text) : text),
  '.plain': contentOf,
  '.free': freeText,
  '.term': (text) => term(text),
  '.grep': (text) => grepped(text),
  '.search': (text) => grepped(text, 'i'),
  '.regex': (text, { dialect }) =>
    dialect?.matchesAll ? wholeValue(`(?:${contentOf(text)})`) : regexLiteral(ofWholeText(contentOf(text))),
  '.re2': (text) => regexLiteral(ofWholeText(contentOf(text), '\\z')),
  '.lines': (text) => regexLiteral(contentOf(text)),
  '.pattern': (text) => ofWholeText(quoted(text)),
  '.like': (text) => like(text),
  '.ilike': (text) => like(text, true),
  '.lowered': (text) => (CAPITAL.test(text) ? '' : like(text, true)),
  '.matched': (text) => (CAPITAL.test(text) ? '' : `${regexLiteral(ofWholeText(contentOf(text)))}i`),
  '.words': anyTerm,
  time: (text) => epochMs(text.replace(/^datetime\((.*)\)$/, '$1')) ?? '',
  filter: (text, context) => context.filter(text, WHERE),
  '.own': (text, context) => context.filter(text, OWN),
  '.spl': (text, context) => context.filter(text, SEARCH),
  '.first': (count, context) => context.rows('first', count),
  '.oldest': (count, context) => context.rows('oldest', count),
  // The first of sorted rows can be of any time.
  '.newest': (text, { rows }) => /^tail.*/.exec(rows('first', /^\d+$/.exec(text)?.[0] ?? '1'))?.[0] ?? '',
  calls: aggregates,
};

/** A letter that no result of lower() has. */
const CAPITAL = /(?<!\\)[A-Z]/;

/** Steps that need the time of events, which `fields` of SPL keeps. */
const TIMED = /\|\s*(?:head|tail|dedup)\b|\b(?:timechart|bucket|bin|_time)\b|@timestamp/i;

/** Steps that read the whole text of events, which `fields` of SPL keeps, and `table` does not. */
const SEARCHED =
  /\|\s*(?:(?:rex|regex)\s+"|(?:spath|extract|kv|xmlkv)\s*(?:\||$)|search\s(?:[^|]*\s)?(?:"[^"|]*"|[\w*]+)\s*(?![\s=<>!:"\w*(),]))|\b_raw\b|@rawstring|@message/i;

/** `"a", "b"` as the alternatives of a regular expression without case. */
function anyTerm(values: string): string {
  const texts = [...values.matchAll(new RegExp(TEXT, 'g'))].map(([text]) => contentOf(text));
  if (texts.length === 0 || values.replace(new RegExp(TEXT, 'g'), '').replace(/[\s,]/g, '') !== '') return '';
  return regexLiteral(texts.map((text) => asTerm(text)).join('|'), 'i');
}

/** Phrases of several languages. */
export const SHARED: Readonly<Record<string, string>> = {
  'and-mark': 'SPL, KQL or Lucene',
  'aggregate-by': 'SPL or LogQL',
  'count-if': 'SPL or KQL',
  between: 'SQL or KQL',
  eql: 'EQL',
  esql: 'ES|QL',
  'curly-quotes': 'not a string: curly quotes are part of the text',
  'sql-as': 'SQL or SPL',
  'sql-in': 'SQL or KQL',
  'sql-union': 'SQL, SPL or KQL',
  'wildcard-words': 'several filters, because of the space',
  'percentile-range': 'not from 0 to 100',
  'round-digits': 'not possible: round() returns whole numbers',
  'now-filter': 'an expression, which needs test() and milliseconds',
  'keep-fields': 'ES|QL or LogQL',
  sigma: 'Sigma',
  where: 'SPL, SQL or KQL',
};
