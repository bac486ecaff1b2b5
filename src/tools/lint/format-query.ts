import { type FormatOptions, format } from '../../language/index.ts';
import type { EmbeddedQuery } from './query-sources.ts';

/**
 * Formats a query of a file.
 *
 * @param text the text of the file
 * @throws QuerySyntaxError
 */
export function formatQuery(text: string, embedded: EmbeddedQuery, options: FormatOptions = {}): string {
  const { width = 100, parens = false } = options;
  const formatted = format(embedded.query, { width, parens });
  if (embedded.isTemplate) return inTemplate(formatted, text, embedded);
  return formatted === '' ? '' : `${formatted}\n`;
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
