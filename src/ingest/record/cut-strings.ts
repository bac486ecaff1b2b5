import { COLON } from './json-characters.ts';
import { skipSpace, stringEnd } from './json-text.ts';

/** Room for the longest note there can be. */
const NOTE_BYTES = 40;

const NOTE = /… \[cut, (\d+) bytes in all\]$/;

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** The place of a string's text, without its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly byteLength: number;
}

/**
 * Cuts the longest strings of JSON text, all to the same length, until the text is at most `maxBytes` long; but none to
 * less than `minBytes`, so that the result may still be too long. Names stay as they are. A string that was cut ends
 * with the size that its JSON text had. Characters and escapes stay whole.
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

/** The strings of more than `minBytes` that are values. */
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

/** The length to which all longer strings have to be cut so that `excess` bytes go. */
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

/** Where the whole characters end that fit into `maxBytes`. */
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

/** How many UTF-16 units belong together at this place: an escape, a pair of surrogates, also an escaped one. */
function unitLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    if (text.charCodeAt(at + 1) !== LETTER_U) return 2;
    return isEscapedPair(text, at) ? 12 : 6;
  }
  return isHigh(code) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

function byteLengthOf(code: number, length: number): number {
  if (code < 0x80) return length; // ASCII, and with it all of an escape.
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
