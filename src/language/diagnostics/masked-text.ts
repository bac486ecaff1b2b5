import type { Token } from '../token.ts';
import { tokensWithComments } from '../tolerant-tokens.ts';
import type { TextEdit } from './diagnostic.ts';

/** The strings, regular expressions and comments of a string. */
function opaqueTokens(source: string): readonly Token[] {
  return tokensWithComments(source).filter(({ kind }) => ['string', 'regex', 'comment'].includes(kind));
}

/**
 * A query of the same length with the contents of strings, regular expressions and comments replaced by spaces, for
 * searching words and operators. Quotes, slashes and flags stay.
 */
export function maskText(source: string): string {
  if (!/["/]/.test(source)) return source;
  let masked = '';
  for (const { kind, start, end, text, value, flags = '' } of opaqueTokens(source)) {
    const opening = kind === 'comment' ? 0 : 1;
    // An unclosed string or regular expression has its whole text as its value, as comments do.
    const closing = value === text ? 0 : 1 + flags.length;
    masked += source.slice(masked.length, start + opening);
    masked += blank(source.slice(masked.length, end - closing)) + source.slice(end - closing, end);
  }
  return masked + source.slice(masked.length);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}

/** A string with the matches of a pattern replaced, except in strings, regular expressions and comments. */
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
export function keepsOpaque(source: string, { span, text: written }: TextEdit): boolean {
  return opaqueTokens(source).every(({ kind, start, end, text, value }) => {
    const isUnclosed = kind !== 'comment' && value === text;
    if (isUnclosed || end <= span.start || span.end <= start) return true;
    return span.start <= start && end <= span.end && (kind !== 'comment' || written.includes(text));
  });
}

/** A string with `"…"` in place of `'…'`. */
export function withDoubleQuotes(text: string): string {
  return replaceOutside(text, /'[^'"\n]*'/g, (quoted) => `"${quoted.slice(1, -1)}"`);
}
