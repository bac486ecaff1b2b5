import { type FormatOptions, format, QuerySyntaxError } from '../../language/index.ts';
import type { EmbeddedQuery } from '../sources/embedded-query.ts';

const MAX_WIDTH = 1000;

/** Formats a query of a file. One that can't be parsed stays as it is. @param text the text of the file */
export function formatQuery(text: string, embedded: EmbeddedQuery, options: FormatOptions = {}): string {
  const { width = 100, parens = false } = options;
  const { query, kind } = embedded;
  let formatted: string;
  try {
    formatted = format(query, { width: kind === 'line' ? MAX_WIDTH : width, parens });
  } catch (error) {
    if (error instanceof QuerySyntaxError) return query;
    throw error;
  }
  if (kind === 'template') return withNewlines(inTemplate(formatted, text, embedded), text);
  // A string on one line stays on one line.
  if (kind === 'line' && formatted.includes('\n')) return query;
  if (kind !== 'file') return query.replace(query.trim(), () => formatted);
  return formatted === '' ? '' : withNewlines(`${formatted}\n`, text);
}

/** `formatted` with the newlines of `text`, if that has only one kind: strings can contain some. */
export function withNewlines(formatted: string, text: string): string {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text) ? formatted.replace(/\r?\n/g, '\r\n') : formatted;
}

/** Keeps the white space around the query, and indents its lines like the first one. */
function inTemplate(formatted: string, text: string, { query, offset }: EmbeddedQuery): string {
  const [before = ''] = /^\s*/.exec(query) ?? [];
  const [after = ''] = /\s*$/.exec(query.slice(before.length)) ?? [];
  // A line break in a string would get spaces.
  if (/"[^"\n]*\n[^"]*"/.test(formatted)) return query;
  const lineStart = text.lastIndexOf('\n', offset) + 1;
  const [ownIndent = ''] = /^[ \t]*/.exec(text.slice(lineStart)) ?? [];
  const indent = before.includes('\n') ? before.slice(before.lastIndexOf('\n') + 1) : `${ownIndent}  `;
  return before + formatted.replace(/\n(?!\n|$)/g, `\n${indent}`) + after;
}
