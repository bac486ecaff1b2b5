import type { Span } from '../ast.ts';
import { tolerantTokens } from '../tolerant-tokens.ts';

const COMMENT = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/**
 * A query of the same length with the contents of strings, regular expressions and comments replaced by spaces, for
 * searching words and operators. Quotes, slashes and flags stay.
 */
export function maskText(source: string): string {
  let masked = '';
  for (const { kind, start, text, value, flags = '' } of tolerantTokens(source)) {
    masked += blank(source.slice(masked.length, start));
    if (kind === 'character' && text.startsWith('/*')) masked += blank(text);
    else if (kind !== 'string' && kind !== 'regex') masked += text;
    // An unclosed string or regular expression has its whole text as its value.
    else if (value === text) masked += text.slice(0, 1) + blank(text.slice(1));
    else {
      const end = text.length - 1 - flags.length;
      masked += text.slice(0, 1) + blank(text.slice(1, end)) + text.slice(end);
    }
  }
  return masked + blank(source.slice(masked.length));
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}

/** A text with the matches of a pattern replaced, except in strings, regular expressions and comments. */
export function replaceOutside(
  text: string,
  pattern: RegExp,
  write: (found: string, index: number) => string,
): string {
  let result = '';
  let end = 0;
  for (const { index, 0: found } of maskText(text).matchAll(pattern)) {
    result += text.slice(end, index) + write(text.slice(index, index + found.length), index);
    end = index + found.length;
  }
  return result + text.slice(end);
}

/** The closed strings, regular expressions and comments of a query. A fix must not end inside one of them. */
export function opaqueSpans(source: string): readonly (Span & { readonly isComment: boolean })[] {
  const found: (Span & { isComment: boolean })[] = [];
  let before = 0;
  const addComments = (end: number) => {
    for (const { index, 0: text } of source.slice(before, end).matchAll(COMMENT)) {
      const start = before + index;
      found.push({ start, end: start + text.length, isComment: true });
    }
  };
  for (const { kind, start, end, text, value } of tolerantTokens(source)) {
    addComments(start);
    if ((kind === 'string' || kind === 'regex') && value !== text)
      found.push({ start, end, isComment: false });
    before = end;
  }
  addComments(source.length);
  return found;
}

/** A text with `"…"` in place of `'…'`. */
export function withDoubleQuotes(text: string): string {
  return replaceOutside(text, /'[^'"\n]*'/g, (quoted) => `"${quoted.slice(1, -1)}"`);
}
