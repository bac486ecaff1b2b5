import { isRegExp } from 'node:util/types';
import { escapeRegex } from '../../core/escape-regex.ts';
import { tryOr } from '../../core/try-or.ts';
import { lql } from '../../index.ts';
import { type FieldPattern, levelSpellings, messageNames } from './field-pattern.ts';

/** A pattern of a field as a condition of a query; empty if a query can't describe it. */
export function fieldCondition(name: string, pattern: FieldPattern): string {
  const value = literal(name, pattern);
  if (value === undefined) return '';
  const condition = (field: string): string => String(lql`${lql.field(field)} = ${value}`);
  // Such as a regular expression with a flag that the query language doesn't have.
  return tryOr('', () =>
    name === 'message' ? `(${[...messageNames].map(condition).join(' or ')})` : condition(name),
  );
}

function literal(name: string, pattern: FieldPattern): string | number | bigint | RegExp | undefined {
  if (isRegExp(pattern)) return pattern;
  if (pattern === undefined || (typeof pattern === 'object' && pattern !== null)) return undefined;
  const text = String(pattern);
  if (name === 'level') return whole(levelSpellings(text), 'i');
  if (typeof pattern === 'number' || typeof pattern === 'bigint') return pattern;
  // In a quoted string, it would be a wildcard.
  return text.includes('*') ? whole([text], '') : text;
}

function whole(texts: readonly string[], flags: string): RegExp {
  return new RegExp(`^(?:${texts.map(escapeRegex).join('|')})$`, flags);
}
