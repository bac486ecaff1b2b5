import { isFieldName } from '../../character-classes.ts';
import {
  aggregates,
  fieldArray,
  fieldList,
  formatted,
  known,
  like,
  quoted,
  toExpression,
  toFilter,
} from './conversions.ts';

const FIELD = '(?!(?:and|or|not|by|as|asc|desc)\\b)[A-Za-z_@#][\\w.@#-]*';
const TEXT = '"[^"]*"|\'[^\']*\'';

/** Patterns of the placeholders, and examples of them. */
export const PLACEHOLDERS: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  field: [FIELD, 'field'],
  fields: [`${FIELD}(?:(?:\\s*,\\s*|\\s+)${FIELD})*`, 'field'],
  listed: [`${FIELD}(?:\\s*,\\s*${FIELD})+`, 'field, field2'],
  name: ['[\\w.-]+', 'logs'],
  count: ['\\d+', '10'],
  number: ['-?\\d+(?:\\.\\d+)?', '10'],
  end: ['[^\\s\\[\\]{}*]+', '5'],
  span: ['\\d+[a-z]+', '5m'],
  text: [TEXT, '"text"'],
  value: [`${TEXT}|[^\\s"'()|,;=<>{}[\\]/~^:]+`, 'value'],
  word: ['\\w[\\w-]*', 'text'],
  values: ['[^()[\\]]*', '"a", "b"'],
  regex: ['/[^/\\n]*/[a-z]*', '/text/'],
  calls: ['\\S.*?', 'count()'],
  filter: [
    '(?=.*(?:[=<>~!:]|\\bis\\s+(?:not\\s+)?null|\\b(?:in|between|contains|has|like|matches)\\b|\\w\\())\\S.*?',
    'field=value',
  ],
  expression: ['\\S.*?', 'value'],
  term: ['[^\\s(),=](?:[^(),=]*[^\\s(),=])?', 'value'],
  rest: ['\\S.*?', 'field'],
};

/** How the parts are written; otherwise as typed. */
export const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  field: (name) => (isFieldName(known(name)) ? known(name) : quoted(name)),
  fields: fieldList,
  listed: fieldArray,
  'fields.array': fieldArray,
  text: (text) => quoted(inner(text), text),
  'text.inner': inner,
  'text.like': like,
  'text.regex': (text) => `/${inner(text).replaceAll('/', '\\/')}/`,
  'value.regex': (text) => `/^${inner(text).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$/i`,
  value: (text) => (text.startsWith("'") ? quoted(inner(text)) : text),
  'value.inner': inner,
  values: (text) => toFilter(text).trim(),
  filter: toFilter,
  expression: toExpression,
  'rest.format': formatted,
  calls: aggregates,
};

function inner(text: string): string {
  return /^["'].*["']$/s.test(text) ? text.slice(1, -1) : text;
}

/** Phrases of several languages. */
export const SHARED: Readonly<Record<string, string>> = {
  'and-mark': 'SPL, KQL or Lucene',
  'aggregate-by': 'SPL or LogQL',
  'count-if': 'SPL or KQL',
  between: 'SQL or KQL',
  'sql-as': 'SQL or SPL',
  'sql-in': 'SQL or KQL',
  'sql-union': 'SQL, SPL or KQL',
  where: 'SPL, SQL or KQL',
};
