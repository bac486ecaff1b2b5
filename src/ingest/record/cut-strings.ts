import { COLON } from './json-characters.ts';
import { skipSpace, stringEnd } from './json-text.ts';

/** Size of the longest possible note. */
const NOTE_BYTES = 40;

const NOTE = /… \[cut, (\d+) bytes in all\]$/;

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Indexes of the content of a string, without its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly byteLength: number;
}

/**
 * Cuts the longest strings in JSON, all to the same length, until the JSON has at most `maxBytes`. No string is cut to
 * less than `minBytes`, so the result can still be too long. Names are not cut. A cut string ends with a note of its
 * original size. Characters and escapes are never split.
 */
export function cutStrings(
  text: string,
  { maxBytes, minBytes }: { maxBytes: number; minBytes: number },
): string {
  const spans = longStrings(text, minBytes);
  const limit = commonLimit(spans, Buffer.byteLength(text) - maxBytes, minBytes);
  let result = '';
  let from = 0;
  for (const span of spans) {
    if (span.byteLength <= limit) continue;
    result += text.slice(from, span.start) + cut(text, span, limit);
    from = span.end;
  }
  return result + text.slice(from);
}

/** String values of more than `minBytes`. */
function longStrings(text: string, minBytes: number): Span[] {
  const spans: Span[] = [];
  let quote = text.indexOf('"');
  while (quote !== -1) {
    const behind = stringEnd(text, quote);
    const start = quote + 1;
    const end = behind - 1;
    quote = text.indexOf('"', behind);
    if ((end - start) * 3 <= minBytes) continue;
    const byteLength = Buffer.byteLength(text.slice(start, end));
    if (byteLength > minBytes && text.charCodeAt(skipSpace(text, behind)) !== COLON) {
      spans.push({ start, end, byteLength });
    }
  }
  return spans;
}

/** The length to which longer strings must be cut to save `excess` bytes. */
function commonLimit(spans: readonly Span[], excess: number, minBytes: number): number {
  const lengths = spans.map(({ byteLength }) => byteLength).sort((a, b) => b - a);
  let total = 0;
  for (const [index, length] of lengths.entries()) {
    total += length;
    const limit = Math.floor((total - excess) / (index + 1));
    if (limit >= (lengths[index + 1] ?? 0)) return Math.max(limit, minBytes);
  }
  return minBytes;
}

function cut(text: string, { start, end, byteLength }: Span, limit: number): string {
  const known = NOTE.exec(text.slice(Math.max(start, end - NOTE_BYTES), end))?.[1];
  const note = `… [cut, ${known ?? byteLength} bytes in all]`;
  return text.slice(start, prefixEnd(text, start, limit - Buffer.byteLength(note))) + note;
}

/** The index after the last complete character that fits into `maxBytes`. */
function prefixEnd(text: string, start: number, maxBytes: number): number {
  let at = start;
  let left = maxBytes;
  for (;;) {
    const length = unitLength(text, at);
    left -= byteLengthOf(text.charCodeAt(at), length);
    if (left < 0) return at;
    at += length;
  }
}

/** Length of the character at this index: an escape, a surrogate pair, or an escaped surrogate pair. */
function unitLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    if (text.charCodeAt(at + 1) !== LETTER_U) return 2;
    return isEscapedPair(text, at) ? 12 : 6;
  }
  return isHigh(code) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

function byteLengthOf(code: number, length: number): number {
  if (code < 0x80) return length; // ASCII, including escapes.
  if (length === 2) return 4;
  return code < 0x800 ? 2 : 3;
}

function isEscapedPair(text: string, at: number): boolean {
  return (
    text.startsWith('\\u', at + 6) &&
    isHigh(Number.parseInt(text.slice(at + 2, at + 6), 16)) &&
    isLow(Number.parseInt(text.slice(at + 8, at + 12), 16))
  );
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
