import type { Span } from '../ast.ts';
import type { Token } from '../token.ts';
import { tokensWithComments } from '../tolerant-tokens.ts';
import type { TextEdit } from './diagnostic.ts';
import { quoted } from './mistakes/strings.ts';

/** The strings, regular expressions and comments of a string. */
function opaqueTokens(source: string, known?: readonly Token[]): readonly Token[] {
  return tokensWithComments(source, known).filter(({ kind }) =>
    ['string', 'regex', 'comment'].includes(kind),
  );
}

/**
 * A query of the same length with the contents of strings, regular expressions and comments replaced by spaces, for
 * searching words and operators. Quotes, slashes and flags stay.
 *
 * @param known the tokens of the query, if they are known
 */
export function maskText(source: string, known?: readonly Token[]): string {
  if (!/["/]/.test(source)) return source;
  let masked = '';
  for (const { kind, start, end, text, value, flags = '' } of opaqueTokens(source, known)) {
    const opening = kind === 'comment' ? 0 : 1;
    // An unclosed string or regular expression has its whole text as its value, as comments do.
    const closing = value === text ? 0 : 1 + flags.length;
    masked += source.slice(masked.length, start + opening);
    masked += blank(source.slice(masked.length, end - closing)) + source.slice(end - closing, end);
  }
  return masked + source.slice(masked.length);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]+/g, ({ length }) => ' '.repeat(length));
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

/** A string, a regular expression or a comment that edits must not change. */
interface Opaque extends Span {
  /** The text of a comment. */
  readonly comment?: string | undefined;
}

/** The strings, regular expressions and comments of a query, without unclosed ones. */
export function opaqueSpans(source: string): readonly Opaque[] {
  return opaqueTokens(source)
    .filter(({ kind, text, value }) =>
      kind === 'comment' ? !/^\/\*(?!.*\*\/$)/s.test(text) : value !== text,
    )
    .map(({ kind, start, end, text }) => ({ start, end, ...(kind === 'comment' && { comment: text }) }));
}

/** An edit that starts with the comments that it would lose; `undefined` if it ends in a string, a regular expression or a comment. */
export function keepingOpaque(opaque: readonly Opaque[], edit: TextEdit): TextEdit | undefined {
  const touched = opaque.filter(({ start, end }) => edit.span.start < end && start < edit.span.end);
  if (touched.some(({ start, end }) => start < edit.span.start || edit.span.end < end)) return undefined;
  const lost = touched.filter(({ comment = '' }) => !edit.text.includes(comment));
  return { ...edit, text: lost.map(({ comment }) => `${comment}\n`).join('') + edit.text };
}

/** Strings of other languages. In single quotes, and after `@`, a backslash and `"` can be characters. */
const STRINGS =
  /(?<!\S)\/\/[^\n]*|\/\*[\s\S]*?\*\/|@"[^"\n]*"|@'[^'\n]*'|"(?:\\.|[^"\\])*"|(?<!\w)'(?:\\.|''|[^'\\\n|]|\|(?!\s))*'/g;

/** The text with blank strings, regular expressions and comments, also those of other languages. */
export function maskPhrases(source: string, known?: readonly Token[]): string {
  const plain = source.replace(STRINGS, (text) => {
    const start = text.startsWith('@') ? 2 : 1;
    return /^["/]/.test(text) ? text : text.slice(0, start) + blank(text.slice(start, -1)) + text.slice(-1);
  });
  // A slash between spaces divides, as does one between a bracket and a number.
  const text = plain.replace(/(?<=[\w)] )\/(?= [\w(])|(?<=\))\/(?=\d)/g, '÷');
  return maskText(text, text === source ? known : undefined);
}

/** The parts of a masked text between separators outside of brackets. */
export function spansBetween(masked: string, separator: RegExp): readonly Span[] {
  const spans: Span[] = [];
  let depth = 0;
  let start = 0;
  for (const { index, 0: found } of masked.matchAll(new RegExp(`[([{]|[)\\]}]|${separator.source}`, 'gi'))) {
    if (/^[([{]$/.test(found)) depth += 1;
    else if (/^[)\]}]$/.test(found)) depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      spans.push({ start, end: index });
      start = index + found.length;
    }
  }
  return [...spans, { start, end: masked.length }];
}

/** A string with `"…"` in place of `'…'` and `@"…"`. */
export function withDoubleQuotes(text: string): string {
  return text.replace(STRINGS, (found) => (found.startsWith('/') ? found : quoted(found)));
}
