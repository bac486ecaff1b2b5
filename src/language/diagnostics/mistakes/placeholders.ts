import { escapeRegex } from '../../../core/escape-regex.ts';
import { aggregates, fieldArray, fieldList, formatted, list, toExpression, written } from './conversions.ts';
import { OWN, SEARCH, WHERE, type WriteContext } from './dialect.ts';
import { asTerm, comparand, contentOf, like, quoted, regexLiteral, TEXT } from './strings.ts';
import { epochMs, timeField } from './times.ts';

const FIELD = '(?!(?:and|or|not|by|as|asc|desc)\\b)[A-Za-z_@#][\\w.@#-]*';

/** Patterns of the placeholders, and examples of them. */
export const PLACEHOLDERS: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  field: [FIELD, 'field'],
  fields: [`${FIELD}(?:(?:\\s*,\\s*|\\s+)${FIELD})*`, 'field'],
  listed: [`${FIELD}(?:\\s*,\\s*${FIELD})+`, 'field, field2'],
  name: ['[\\w.-]+', 'logs'],
  count: ['\\d+', '10'],
  number: ['-?\\d+(?:\\.\\d+)?', '10'],
  time: [`${TEXT}|datetime\\([^()]*\\)`, '"2026-01-01"'],
  end: ['[^\\s\\[\\]{}*]+', '5'],
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
  expression: ['\\S.*?', 'value'],
  term: ['[^\\s(),=](?:[^(),=]*[^\\s(),=])?', 'value'],
  rest: ['\\S.*?', 'field'],
};

/** How the parts are written; otherwise as typed. */
export const WRITTEN: Readonly<Record<string, (text: string, context: WriteContext) => string>> = {
  field: written,
  'field.time': (name) => written(timeField(name)),
  fields: fieldList,
  listed: fieldArray,
  'fields.array': fieldArray,
  'fields.columns': (names, context) => context.columns(fieldArray(names)),
  text: quoted,
  'text.plain': contentOf,
  'text.contains': (text) => comparand(text, 'contains', true),
  'text.starts': (text) => comparand(text, 'starts', true),
  'text.ends': (text) => comparand(text, 'ends', true),
  'text.part': (text) => comparand(text, 'contains'),
  'text.start': (text) => comparand(text, 'starts'),
  'text.end': (text) => comparand(text, 'ends'),
  'text.word': (text) => comparand(text, 'word'),
  'text.equals': (text) => comparand(text, 'equals', true),
  'text.regex': (text) => regexLiteral(contentOf(text)),
  'text.like': (text) => like(text),
  'text.ilike': (text) => like(text, true),
  'word.contains': (text) => comparand(text, 'contains', true),
  'word.starts': (text) => comparand(text, 'starts', true),
  'word.ends': (text) => comparand(text, 'ends', true),
  'value.regex': (text) => regexLiteral(`^${escapeRegex(contentOf(text))}$`, 'i'),
  'value.search': (text) => regexLiteral(escapeRegex(contentOf(text)), 'i'),
  value: (text) => (/^@?["']/.test(text) ? quoted(text) : text),
  'value.plain': contentOf,
  values: list,
  'values.any': (text) => alternatives(text, 'contains'),
  'values.words': (text) => alternatives(text, 'word'),
  time: (text) => epochMs(text.replace(/^datetime\((.*)\)$/, '$1')) ?? '',
  filter: (text, context) => context.filter(text, WHERE),
  'filter.own': (text, context) => context.filter(text, OWN),
  'filter.search': (text, context) => context.filter(text, SEARCH),
  'count.first': (count, context) => context.rows('first', count),
  'count.last': (count, context) => context.rows('last', count),
  'ten.first': (_, context) => context.rows('first', '10'),
  'ten.last': (_, context) => context.rows('last', '10'),
  'count.oldest': (count, context) => context.rows('oldest', count),
  expression: toExpression,
  'rest.format': formatted,
  calls: aggregates,
};

/** `"a", "b"` as the alternatives of a regular expression without case. */
function alternatives(values: string, how: 'contains' | 'word'): string {
  const texts = [...values.matchAll(new RegExp(TEXT, 'g'))].map(([text]) => contentOf(text));
  if (texts.length === 0 || values.replace(new RegExp(TEXT, 'g'), '').replace(/[\s,]/g, '') !== '') return '';
  return regexLiteral((how === 'word' ? texts.map(asTerm) : texts.map(escapeRegex)).join('|'), 'i');
}

/** Phrases of several languages. */
export const SHARED: Readonly<Record<string, string>> = {
  'and-mark': 'SPL, KQL or Lucene',
  'aggregate-by': 'SPL or LogQL',
  'count-if': 'SPL or KQL',
  between: 'SQL or KQL',
  'curly-quotes': 'not a string: curly quotes are part of the text',
  'sql-as': 'SQL or SPL',
  'sql-in': 'SQL or KQL',
  'sql-union': 'SQL, SPL or KQL',
  where: 'SPL, SQL or KQL',
};
