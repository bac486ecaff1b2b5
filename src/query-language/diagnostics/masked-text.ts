import type { Span } from '../ast.ts';
import { tolerantTokens } from '../tolerant-tokens.ts';
import type { TextEdit } from './diagnostic.ts';

/** A string, a regular expression or a comment. */
interface OpaqueSpan extends Span {
  readonly isComment: boolean;
  /** False if its end is missing. */
  readonly isClosed: boolean;
  /** Length of what follows the text: a quote, or a slash and flags. */
  readonly closing: number;
}

const COMMENT = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;

function opaqueSpans(source: string): readonly OpaqueSpan[] {
  const found: OpaqueSpan[] = [];
  let before = 0;
  const addComments = (end: number) => {
    for (const { index, 0: text } of source.slice(before, end).matchAll(COMMENT)) {
      const start = before + index;
      found.push({ start, end: start + text.length, isComment: true, isClosed: true, closing: 0 });
    }
  };
  for (const { kind, start, end, text, value, flags = '' } of tolerantTokens(source)) {
    // An unclosed comment is left to the next gap.
    if (kind === 'character' && text.startsWith('/*')) continue;
    addComments(start);
    before = end;
    if (kind !== 'string' && kind !== 'regex') continue;
    // An unclosed string or regular expression has its whole text as its value.
    const isClosed = value !== text;
    found.push({ start, end, isComment: false, isClosed, closing: isClosed ? 1 + flags.length : 0 });
  }
  addComments(source.length);
  return found;
}

/**
 * A query of the same length with the contents of strings, regular expressions and comments replaced by spaces, for
 * searching words and operators. Quotes, slashes and flags stay.
 */
export function maskText(source: string): string {
  let masked = '';
  for (const { start, end, isComment, closing } of opaqueSpans(source)) {
    masked += source.slice(masked.length, isComment ? start : start + 1);
    masked += blank(source.slice(masked.length, end - closing)) + source.slice(end - closing, end);
  }
  return masked + source.slice(masked.length);
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

/** Whether an edit ends in no string, regular expression or comment, and loses no comment. */
export function keepsOpaque(source: string, { span, text }: TextEdit): boolean {
  return opaqueSpans(source).every(({ start, end, isComment, isClosed }) => {
    if (!isClosed || end <= span.start || span.end <= start) return true;
    const isInside = span.start <= start && end <= span.end;
    return isInside && (!isComment || text.includes(source.slice(start, end)));
  });
}

/** A text with `"…"` in place of `'…'`. */
export function withDoubleQuotes(text: string): string {
  return replaceOutside(text, /'[^'"\n]*'/g, (quoted) => `"${quoted.slice(1, -1)}"`);
}
